/** Pure. The elements that messages to banks share. */
import type { AccountNumber, Address, Bank, Party } from '../payment-message.js';
import type { BankProfile } from '../profiles.js';
import { fitted, part } from './texts.js';
import { type Content, group, value } from './xml.js';

/** An instant with its offset, as every profile takes it. */
export function dateTime(instant: string): string {
  return `${new Date(instant).toISOString().slice(0, 19)}+00:00`;
}

export function party(name: string, { name: partyName, address, document }: Party, profile: BankProfile): Content {
  const { characters, nameLength } = profile;
  return group(
    name,
    value('Nm', fitted(partyName, characters, nameLength)),
    address && postalAddress(address, profile),
    document && identification(document, profile),
  );
}

/** The issuer says nothing without the number. */
function identification({ number, issuer }: NonNullable<Party['document']>, { characters }: BankProfile): Content {
  const written = value('Id', fitted(number, characters, 35));
  return written && group('Id', group('PrvtId', group('Othr', written, value('Issr', issuer))));
}

/** Left out without town and country: since November 2026 banks refuse it. */
function postalAddress(address: Address, profile: BankProfile): Content {
  const { town, country } = address;
  if (!town || !/^[A-Z]{2}$/.test(country ?? '')) return undefined;
  const short = (text: string | undefined, length: number) => text && fitted(text, profile.characters, length);
  const street = streetOf(address, profile);
  return group(
    'PstlAdr',
    value('StrtNm', street.name),
    value('BldgNb', street.building),
    value('PstCd', short(address.postalCode, 16)),
    value('TwnNm', short(town, 35)),
    value('CtrySubDvsn', short(address.subdivision, 35)),
    value('Ctry', country),
    ...street.lines.map((line) => value('AdrLine', line)),
  );
}

/** What does not fit its elements stands in two lines instead, where the profile has them. */
function streetOf({ street, building }: Address, { characters, address }: BankProfile) {
  const name = street && fitted(street, characters, 140);
  const number = building && fitted(building, characters, 140);
  const fits = [...(name ?? '')].length <= 70 && [...(number ?? '')].length <= 16;
  if (fits || address === 'structured')
    return { name: name && part(name, 0, 70), building: number && part(number, 0, 16), lines: [] };
  const whole = [name, number].filter(Boolean).join(' ');
  const lines = [part(whole, 0, 70), part(whole, 70, 140)].filter((line) => line !== '');
  return { name: undefined, building: undefined, lines };
}

export function account(name: string, number: AccountNumber): Content {
  return group(
    name,
    group('Id', 'iban' in number ? value('IBAN', number.iban) : group('Othr', value('Id', number.number))),
  );
}

/** With `onlyBic`, the account number finds the bank, so that nothing else is said of it. */
export function agent(name: string, bank: Bank | undefined, profile: BankProfile, onlyBic: boolean): Content {
  if (!bank) return undefined;
  const { bic, clearing } = bank;
  if (bic !== undefined || onlyBic) return group(name, group('FinInstnId', value('BICFI', bic)));
  const member =
    clearing && group('ClrSysMmbId', group('ClrSysId', value('Cd', clearing.system)), value('MmbId', clearing.member));
  const { characters } = profile;
  return group(name, group('FinInstnId', member, value('Nm', bank.name && fitted(bank.name, characters, 140))));
}

/** The bank of our own account is always named, if only as not provided. */
export function ownAgent(name: string, bank: Bank): Content {
  const unnamed = group('Othr', value('Id', 'NOTPROVIDED'));
  return group(name, group('FinInstnId', value('BICFI', bank.bic) ?? unnamed));
}
