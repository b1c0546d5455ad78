/**
 * The two francs of Africa. Banks use an IBAN although the registry of ISO 13616 lacks these countries: the country,
 * two check digits, and the national account number (RIB) of the central banks BCEAO and BEAC.
 */
import { bic, optional, unregisteredIban } from '../fields/account-fields.js';
import { bankAccount, type Destination, mobileWallet, place } from './destination.js';

const westAfricanBban = '[A-Z0-9]{2}[0-9]{22}';
const guineaBissauBban = '[A-Z]{2}[0-9]{19}';
const centralAfricanBban = '[0-9]{23}';

/** The IBAN, the town, a BIC and the wallets of each country. */
type Row = readonly [iban: string, town: string, bic: string, wallets: readonly string[]];

const west: readonly Row[] = [
  ['BF42BF0840101300463574000390', 'Ouagadougou', 'COBFBFBF', ['Orange Money', 'Moov Money']],
  ['BJ66BJ0610100100144390000769', 'Cotonou', 'BAFRBJBJ', ['MTN MoMo', 'Moov Money']],
  ['CI05A00060174100178530011852', 'Abidjan', 'SGCICIAB', ['Orange Money', 'MTN MoMo', 'Moov Money', 'Wave']],
  ['GW04GW1430010181800637601', 'Bissau', 'ECOCGWGW', ['Orange Money']],
  ['ML13ML0160120102600100668497', 'Bamako', 'BDMAMLBA', ['Orange Money', 'Moov Money']],
  ['NE58NE0380100100130305000268', 'Niamey', 'SBNENENI', ['Airtel Money', 'Moov Money']],
  ['SN08SN0100152000048500003035', 'Dakar', 'SGSNSNDA', ['Orange Money', 'Wave', 'Mixx by Yas']],
  ['TG53TG0090604310346500400070', 'Lomé', 'ECOCTGTG', ['Mixx by Yas', 'Moov Money']],
];

const central: readonly Row[] = [
  ['CF4220001000010120069700160', 'Bangui', 'ECOCCFCF', ['Orange Money']],
  ['CG3930011000101013451300019', 'Brazzaville', 'ECOCCGCG', ['MTN MoMo', 'Airtel Money']],
  ['CM2110002000300277976315008', 'Douala', 'SGCMCMCX', ['MTN MoMo', 'Orange Money']],
  ['GA2140021010032001890020126', 'Libreville', 'BGFIGALI', ['Airtel Money', 'Moov Money']],
  ['GQ7050002001003715228190196', 'Malabo', 'ECOCGQGQ', []],
  ['TD8960002000010271091600153', 'N’Djamena', 'ECOCTDND', ['Airtel Money', 'Moov Money']],
];

export const africanFrancs: readonly Destination[] = [
  ...west.flatMap((row) => destinationsOf('XOF', row[0].startsWith('GW') ? guineaBissauBban : westAfricanBban, row)),
  ...central.flatMap((row) => destinationsOf('XAF', centralAfricanBban, row)),
];

function destinationsOf(currency: string, bban: string, [account, town, bank, wallets]: Row): Destination[] {
  const at = place(account.slice(0, 2), currency, town);
  return [
    bankAccount(at, unregisteredIban(account, bban), optional(bic(bank))),
    ...(wallets.length > 0 ? [mobileWallet(at, ...wallets)] : []),
  ];
}
