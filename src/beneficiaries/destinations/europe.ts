/**
 * Europe: IBAN everywhere but in the United Kingdom. The account numbers are examples of the IBAN registry; a BIC here
 * shows the form only.
 */
import { accountNumber, bic, iban, optional, sortCode } from '../fields/account-fields.js';
import { bankAccount, type Destination, place } from './destination.js';

/**
 * Where the euro is the currency: an IBAN, the town of the example, and a BIC, which nobody has to know in the SEPA.
 */
const euro = [
  ['AD1200012030200359100100', 'Andorra la Vella', 'BACAADAD'],
  ['AT611904300234573201', 'Wien', 'GIBAATWW'],
  ['BE68539007547034', 'Brussel', 'GEBABEBB'],
  ['BG80BNBG96611020345678', 'Sofia', 'BNBGBGSF'],
  ['CY17002001280000001200527600', 'Nicosia', 'BCYPCY2N'],
  ['DE89370400440532013000', 'Köln', 'COBADEFF'],
  ['EE382200221020145685', 'Tallinn', 'HABAEE2X'],
  ['ES9121000418450200051332', 'Valencia', 'CAIXESBB'],
  ['FI2112345600000785', 'Helsinki', 'NDEAFIHH'],
  ['FR1420041010050500013M02606', 'Paris', 'PSSTFRPP'],
  ['GR1601101250000000012300695', 'Athina', 'ETHNGRAA'],
  ['HR1210010051863000160', 'Zagreb', 'ZABAHR2X'],
  ['IE29AIBK93115212345678', 'Dublin', 'AIBKIE2D'],
  ['IT60X0542811101000000123456', 'Bergamo', 'BLOPIT22'],
  ['LT121000011101001000', 'Vilnius', 'HABALT22'],
  ['LU280019400644750000', 'Luxembourg', 'BCEELULL'],
  ['LV80BANK0000435195001', 'Rīga', 'HABALV22'],
  ['MC5811222000010123456789030', 'Monaco', 'CMCIMCM1'],
  ['ME25505000012345678951', 'Podgorica', 'CKBCMEPG'],
  ['MT84MALT011000012345MTLCAST001S', 'Valletta', 'VALLMTMT'],
  ['NL91ABNA0417164300', 'Amsterdam', 'ABNANL2A'],
  ['PT50000201231234567890154', 'Lisboa', 'CGDIPTPL'],
  ['SI56263300012039086', 'Ljubljana', 'LJBASI2X'],
  ['SK3112000000198742637541', 'Bratislava', 'TATRSKBX'],
  ['SM86U0322509800000000270100', 'San Marino', 'MAOISMSM'],
  ['VA59001123000012345678', 'Città del Vaticano', 'IOPRVAVX'],
  ['XK051212012345678906', 'Prishtinë', 'PCBKXKPR'],
] as const;

export const europe: readonly Destination[] = [
  ...euro.map(([account, town, bank]) =>
    bankAccount(place(account.slice(0, 2), 'EUR', town), iban(account), optional(bic(bank))),
  ),
  bankAccount(place('GB', 'GBP', 'Manchester'), sortCode, accountNumber(8, 8, '31926819')),
  bankAccount(place('CH', 'CHF', 'Zürich'), iban('CH9300762011623852957'), optional(bic('POFICHBE'))),
  bankAccount(place('LI', 'CHF', 'Vaduz'), iban('LI21088100002324013AA'), optional(bic('LILALI2X'))),
  bankAccount(place('TR', 'TRY', 'İstanbul'), iban('TR330006100519786457841326')),
  bankAccount(place('UA', 'UAH', 'Львів'), iban('UA213223130000026007233566001')),
];
