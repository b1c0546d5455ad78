/**
 * A complete invented identity for every zone: what `POST /user` takes, and what the form asks of LEVEL_1. The national
 * numbers have valid check digits and were given to nobody; a test checks each identity against the form's own rules.
 */
import type { Zone } from '../../kyc/cases/case.js';
import type { Answers } from '../../kyc/cases/requirements.js';
import type { Profile } from '../../users/user.js';

export interface Identity {
  readonly zone: Zone;
  readonly profile: Profile;
  /** What the form asks besides the profile, for a `LEVEL_1`. */
  readonly answers: Answers;
}

export const identities: readonly Identity[] = [
  identity('US', ['Daniel', 'Whitfield', '12 Sunset Avenue', 'San Francisco', 'CA', 'US', '94103'], {
    dateOfBirth: '1984-07-12',
    nationality: 'US',
    politicallyExposed: 'no',
    taxIdKind: 'ssn',
    taxIdLastFour: '4321',
  }),
  identity('CA', ['Chloe', 'Tremblay', '80 Rue Sherbrooke', 'Montreal', 'QC', 'CA', 'H2X 1X4'], {
    dateOfBirth: '1990-03-05',
    nationality: 'CA',
    politicallyExposed: 'no',
  }),
  identity('GB', ['Oliver', 'Hartley', '7 Mill Lane', 'Leeds', 'West Yorkshire', 'GB', 'LS1 4AP'], {
    dateOfBirth: '1979-11-23',
    nationality: 'GB',
    politicallyExposed: 'no',
  }),
  identity('EEA', ['Ana', 'Reyes', '12 Calle del Sol', 'Valencia', 'Valencia', 'ES', '46001'], {
    dateOfBirth: '1991-04-18',
    placeOfBirth: 'Sevilla',
    nationality: 'ES',
    politicallyExposed: 'no',
  }),
  identity('CH', ['Reto', 'Ammann', 'Seestrasse 14', 'Zürich', 'Zürich', 'CH', '8002'], {
    dateOfBirth: '1986-09-30',
    placeOfBirth: 'Chur',
    nationality: 'CH',
    politicallyExposed: 'no',
  }),
  identity('EUROPE_OTHER', ['Olena', 'Kovalchuk', 'Khreshchatyk 22', 'Kyiv', 'Kyiv', 'UA', '01001'], {
    dateOfBirth: '1993-02-14',
    nationality: 'UA',
    politicallyExposed: 'no',
  }),
  identity('LATAM', ['Beatriz', 'Cardoso', 'Rua das Flores 120', 'São Paulo', 'SP', 'BR', '01310-100'], {
    dateOfBirth: '1988-06-09',
    nationality: 'BR',
    politicallyExposed: 'no',
    nationalIdCountry: 'BR',
    nationalIdNumber: '390.533.447-05',
  }),
  identity('MENA', ['Yasmine', 'Haddad', '5 Rue Ibn Sina', 'Casablanca', 'Casablanca', 'MA', '20000'], {
    dateOfBirth: '1992-12-01',
    nationality: 'MA',
    politicallyExposed: 'no',
  }),
  identity('AFRICA', ['Thabo', 'Nkosi', '31 Long Street', 'Johannesburg', 'Gauteng', 'ZA', '2001'], {
    dateOfBirth: '1980-01-01',
    nationality: 'ZA',
    politicallyExposed: 'no',
    nationalIdCountry: 'ZA',
    nationalIdNumber: '8001015009087',
  }),
  identity('APAC', ['Maricel', 'Bautista', '18 Mabini Street', 'Quezon City', 'Metro Manila', 'PH', '1100'], {
    dateOfBirth: '1995-08-27',
    nationality: 'PH',
    politicallyExposed: 'no',
  }),
];

type Place = readonly [
  firstName: string,
  lastName: string,
  address: string,
  city: string,
  stateProvince: string,
  countryCode: string,
  postalCode: string,
];

function identity(zone: Zone, place: Place, answers: Answers): Identity {
  const [firstName, lastName, address, city, stateProvince, countryCode, postalCode] = place;
  const email = `${firstName.toLowerCase()}@example.com`;
  const profile = { firstName, lastName, email, address, city, stateProvince, countryCode, postalCode };
  return { zone, profile, answers };
}
