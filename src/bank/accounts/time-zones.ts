/** Where the day of a bank ends. Data: the time zone (IANA) of the place where most banks of a country are. */

const countriesByZone: Readonly<Record<string, string>> = {
  'Africa/Abidjan': 'BF CI GH ML SN TG',
  'Africa/Cairo': 'EG',
  'Africa/Casablanca': 'MA',
  'Africa/Johannesburg': 'ZA',
  'Africa/Lagos': 'BJ CF CG CM GA GQ NE NG TD',
  'Africa/Nairobi': 'KE TZ UG',
  'America/Argentina/Buenos_Aires': 'AR',
  'America/Bogota': 'CO',
  'America/Guatemala': 'GT',
  'America/La_Paz': 'BO',
  'America/Lima': 'PE',
  'America/Mexico_City': 'MX',
  'America/New_York': 'US',
  'America/Santiago': 'CL',
  'America/Santo_Domingo': 'DO',
  'America/Sao_Paulo': 'BR',
  'America/Tegucigalpa': 'HN',
  'America/Toronto': 'CA',
  'Asia/Bangkok': 'TH',
  'Asia/Colombo': 'LK',
  'Asia/Dhaka': 'BD',
  'Asia/Dubai': 'AE',
  'Asia/Ho_Chi_Minh': 'VN',
  'Asia/Hong_Kong': 'HK',
  'Asia/Jakarta': 'ID',
  'Asia/Karachi': 'PK',
  'Asia/Kathmandu': 'NP',
  'Asia/Kolkata': 'IN',
  'Asia/Manila': 'PH',
  'Asia/Singapore': 'SG',
  'Asia/Tokyo': 'JP',
  'Atlantic/Reykjavik': 'IS',
  'Australia/Sydney': 'AU',
  'Europe/Athens': 'BG CY EE FI GR LT LV RO',
  'Europe/Amsterdam': 'NL',
  'Europe/Berlin': 'AT CZ DE DK HR HU MT NO PL SE SI SK',
  'Europe/Brussels': 'BE LU',
  'Europe/Dublin': 'IE',
  'Europe/Istanbul': 'TR',
  'Europe/Kyiv': 'UA',
  'Europe/Lisbon': 'PT',
  'Europe/London': 'GB GG IM JE',
  'Europe/Madrid': 'AD ES',
  'Europe/Paris': 'FR MC',
  'Europe/Rome': 'IT SM VA',
  'Europe/Zurich': 'CH LI',
  'Pacific/Auckland': 'NZ',
};

const zones = new Map(
  Object.entries(countriesByZone).flatMap(([zone, countries]) =>
    countries.split(' ').map((country) => [country, zone] as const),
  ),
);

/** Undefined for a country that we know no zone of. */
export function defaultTimeZone(country: string): string | undefined {
  return zones.get(country);
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
