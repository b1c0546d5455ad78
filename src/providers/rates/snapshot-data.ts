/**
 * The exchange rates of the sandbox: how many units of each currency 1 euro buys. They are for tests only; real
 * transfers use the sources that the operator configures.
 */

/** The day of the ECB rates, from which the pegged rates are derived. */
export const snapshotDay = '2026-04-13';

export interface SnapshotFigure {
  readonly currency: string;
  readonly name: string;
  readonly perEuro: string;
}

/** Euro foreign exchange reference rates of the European Central Bank of that day, unchanged. Source: ECB. */
export const ecbFigures: readonly SnapshotFigure[] = [
  { currency: 'AUD', name: 'Australian dollar', perEuro: '1.661' },
  { currency: 'BRL', name: 'Brazilian real', perEuro: '5.874' },
  { currency: 'CAD', name: 'Canadian dollar', perEuro: '1.6177' },
  { currency: 'CHF', name: 'Swiss franc', perEuro: '0.9242' },
  { currency: 'CNY', name: 'Chinese yuan renminbi', perEuro: '7.9827' },
  { currency: 'CZK', name: 'Czech koruna', perEuro: '24.378' },
  { currency: 'DKK', name: 'Danish krone', perEuro: '7.4727' },
  { currency: 'GBP', name: 'Pound sterling', perEuro: '0.87058' },
  { currency: 'HKD', name: 'Hong Kong dollar', perEuro: '9.1507' },
  { currency: 'HUF', name: 'Hungarian forint', perEuro: '366.9' },
  { currency: 'IDR', name: 'Indonesian rupiah', perEuro: '20082.05' },
  { currency: 'ILS', name: 'Israeli shekel', perEuro: '3.5787' },
  { currency: 'INR', name: 'Indian rupee', perEuro: '109.047' },
  { currency: 'ISK', name: 'Icelandic krona', perEuro: '143.2' },
  { currency: 'JPY', name: 'Japanese yen', perEuro: '186.75' },
  { currency: 'KRW', name: 'South Korean won', perEuro: '1740.86' },
  { currency: 'MXN', name: 'Mexican peso', perEuro: '20.3203' },
  { currency: 'MYR', name: 'Malaysian ringgit', perEuro: '4.6444' },
  { currency: 'NOK', name: 'Norwegian krone', perEuro: '11.098' },
  { currency: 'NZD', name: 'New Zealand dollar', perEuro: '2.0081' },
  { currency: 'PHP', name: 'Philippine peso', perEuro: '70.356' },
  { currency: 'PLN', name: 'Polish zloty', perEuro: '4.2543' },
  { currency: 'RON', name: 'Romanian leu', perEuro: '5.092' },
  { currency: 'SEK', name: 'Swedish krona', perEuro: '10.892' },
  { currency: 'SGD', name: 'Singapore dollar', perEuro: '1.4912' },
  { currency: 'THB', name: 'Thai baht', perEuro: '37.728' },
  { currency: 'TRY', name: 'Turkish lira', perEuro: '52.2478' },
  { currency: 'USD', name: 'US dollar', perEuro: '1.1684' },
  { currency: 'ZAR', name: 'South African rand', perEuro: '19.3849' },
];

/** Pegged currencies: the fixed price times the rate above of the currency to which they are pegged. */
export const peggedFigures: readonly (SnapshotFigure & {
  readonly fixedAt: readonly [perUnit: string, of: string];
})[] = [
  { currency: 'AED', name: 'UAE dirham', perEuro: '4.290949', fixedAt: ['3.6725', 'USD'] },
  { currency: 'BHD', name: 'Bahraini dinar', perEuro: '0.4393184', fixedAt: ['0.376', 'USD'] },
  { currency: 'JOD', name: 'Jordanian dinar', perEuro: '0.8283956', fixedAt: ['0.709', 'USD'] },
  { currency: 'NPR', name: 'Nepalese rupee', perEuro: '174.4752', fixedAt: ['1.6', 'INR'] },
  { currency: 'OMR', name: 'Omani rial', perEuro: '0.4492498', fixedAt: ['0.3845', 'USD'] },
  { currency: 'QAR', name: 'Qatari riyal', perEuro: '4.252976', fixedAt: ['3.64', 'USD'] },
  { currency: 'SAR', name: 'Saudi riyal', perEuro: '4.3815', fixedAt: ['3.75', 'USD'] },
  { currency: 'XAF', name: 'Central African CFA franc', perEuro: '655.957', fixedAt: ['655.957', 'EUR'] },
  { currency: 'XOF', name: 'West African CFA franc', perEuro: '655.957', fixedAt: ['655.957', 'EUR'] },
];

/** Indicative rates for the sandbox only: the right order of magnitude for that day, from no official source. */
export const indicativeFigures: readonly SnapshotFigure[] = [
  { currency: 'ARS', name: 'Argentine peso', perEuro: '1636' },
  { currency: 'BDT', name: 'Bangladeshi taka', perEuro: '143.1' },
  { currency: 'BOB', name: 'Bolivian boliviano', perEuro: '8.07' },
  { currency: 'CLP', name: 'Chilean peso', perEuro: '1052' },
  { currency: 'COP', name: 'Colombian peso', perEuro: '4323' },
  { currency: 'CRC', name: 'Costa Rican colon', perEuro: '561' },
  { currency: 'DOP', name: 'Dominican peso', perEuro: '71.3' },
  { currency: 'EGP', name: 'Egyptian pound', perEuro: '59.6' },
  { currency: 'ETB', name: 'Ethiopian birr', perEuro: '182' },
  { currency: 'GEL', name: 'Georgian lari', perEuro: '3.155' },
  { currency: 'GHS', name: 'Ghanaian cedi', perEuro: '12.74' },
  { currency: 'GTQ', name: 'Guatemalan quetzal', perEuro: '8.95' },
  { currency: 'HNL', name: 'Honduran lempira', perEuro: '30.85' },
  { currency: 'HTG', name: 'Haitian gourde', perEuro: '153' },
  { currency: 'JMD', name: 'Jamaican dollar', perEuro: '184.6' },
  { currency: 'KES', name: 'Kenyan shilling', perEuro: '151' },
  { currency: 'KWD', name: 'Kuwaiti dinar', perEuro: '0.3593' },
  { currency: 'LKR', name: 'Sri Lankan rupee', perEuro: '364.5' },
  { currency: 'MAD', name: 'Moroccan dirham', perEuro: '10.87' },
  { currency: 'MZN', name: 'Mozambican metical', perEuro: '74.7' },
  { currency: 'NGN', name: 'Nigerian naira', perEuro: '1612' },
  { currency: 'NIO', name: 'Nicaraguan cordoba', perEuro: '42.8' },
  { currency: 'PEN', name: 'Peruvian sol', perEuro: '3.97' },
  { currency: 'PKR', name: 'Pakistani rupee', perEuro: '327.2' },
  { currency: 'PYG', name: 'Paraguayan guarani', perEuro: '7595' },
  { currency: 'RWF', name: 'Rwandan franc', perEuro: '1706' },
  { currency: 'TZS', name: 'Tanzanian shilling', perEuro: '3014' },
  { currency: 'UAH', name: 'Ukrainian hryvnia', perEuro: '51.2' },
  { currency: 'UGX', name: 'Ugandan shilling', perEuro: '4265' },
  { currency: 'UYU', name: 'Uruguayan peso', perEuro: '46.7' },
  { currency: 'VND', name: 'Vietnamese dong', perEuro: '30730' },
  { currency: 'ZMW', name: 'Zambian kwacha', perEuro: '22.8' },
];
