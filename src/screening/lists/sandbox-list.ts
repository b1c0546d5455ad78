/**
 * The list of the sandbox: invented people and one company, so that integrations can rehearse a match. See
 * docs/screening.md.
 */
import { birthRange } from './birth-date.js';
import type { ListEntry } from './entry.js';

function person(
  id: string,
  names: string[],
  birth: readonly number[],
  countries: string[],
  isApproximate = false,
): ListEntry {
  const [year, month, day] = birth;
  const range = year === undefined ? undefined : birthRange(year, month, day);
  return { id, kind: 'person', names, birthDates: range ? [{ ...range, isApproximate }] : [], countries };
}

export const sandboxList: readonly ListEntry[] = [
  person('TEST-1', ['BLOCKWELL, Iris Sanctia', 'Айрис Блоквелл'], [1970, 1, 31], ['US']),
  person('TEST-2', ['AL-MAMNU, Khalid Tajriba', 'خالد تجربة الممنوع'], [1965], ['IQ'], true),
  person('TEST-3', ['SPERRMANN, Otto Prüfling'], [], ['DE']),
  person('TEST-4', ['ZAPRETOV, Test Sanktsionovich', 'Запретов Тест Санкционович'], [1980, 5, 5], ['RU']),
  person('TEST-5', ['PROHIBIDO LISTADO, Jose Maria'], [1985, 12, 24], ['MX', 'CO']),
  {
    id: 'TEST-6',
    kind: 'organisation',
    names: ['FORBIDDEN FREIGHT TRADING LTD', 'FFT LOGISTICS LTD'],
    birthDates: [],
    countries: ['CY'],
  },
  { ...person('TEST-7', ['MINISTRESS, Petra Exposita'], [1961, 9, 9], ['MX']), isExposure: true },
];
