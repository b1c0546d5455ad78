/** The lists behind the defaults of countries, each with its source and its date. Pure. */

export interface CountryList {
  readonly name: string;
  readonly source: string;
  /** As of when the list was copied. */
  readonly date: string;
  readonly countries: readonly string[];
}

/** FATF R.19. Countermeasures against IR and KP; enhanced due diligence for MM. */
export const callForAction: CountryList = {
  name: 'FATF high-risk jurisdictions subject to a call for action',
  source: 'https://www.fatf-gafi.org/en/publications/High-risk-and-other-monitored-jurisdictions.html',
  date: '2026-02-13',
  countries: ['IR', 'KP', 'MM'],
};

/** FATF R.19; for the EU see also AMLD art. 9 and 18a and Delegated Regulation (EU) 2016/1675. */
export const increasedMonitoring: CountryList = {
  name: 'FATF jurisdictions under increased monitoring',
  source: 'https://www.fatf-gafi.org/en/publications/High-risk-and-other-monitored-jurisdictions.html',
  date: '2026-02-13',
  countries: 'AO BG BO CD CI CM DZ HT KE KW LA LB MC NA NP PG SS SY VE VG VN YE'.split(' '),
};

/** The member states of the EU, Iceland, Liechtenstein and Norway. */
export const eeaCountries: readonly string[] =
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(' ');

/** Embargoes on a whole country: 31 CFR part 515 (CU), 560 (IR), 510 (KP); Regulation (EU) 2017/1509 (KP). */
export const comprehensiveSanctions: CountryList = {
  name: 'Comprehensive sanctions',
  source: 'https://ofac.treasury.gov/sanctions-programs-and-country-information',
  date: '2026-02-13',
  countries: ['CU', 'IR', 'KP'],
};
