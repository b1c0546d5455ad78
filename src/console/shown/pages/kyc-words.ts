/** What the automatic checks of a KYC case found, in words. */
import { labelOf } from '../words.js';
import type { Row } from './page.js';

type Outcome = 'passed' | 'failed' | 'noted' | 'skipped';
type Words = Readonly<Partial<Record<Outcome, string>>>;

const words: Readonly<Record<string, Words>> = {
  completeness: { passed: 'Every question is answered.', failed: 'Something is missing or wrong:' },
  age: { passed: 'The person is of age.', failed: 'The person is not of age, or gave no birth date.' },
  document_expiry: {
    passed: 'The document was valid when it was sent.',
    failed: 'The document has expired.',
    skipped: 'No document with a date of expiry.',
  },
  mrz_check_digits: {
    passed: 'The check digits of the machine-readable zone are right.',
    failed: 'The check digits of the machine-readable zone are wrong: a typing error, or no real document.',
    skipped: 'No machine-readable zone was given.',
  },
  mrz_match: {
    passed: 'The machine-readable zone says the same as the form.',
    failed: 'The machine-readable zone and the form differ:',
    skipped: 'Nothing to compare with the machine-readable zone.',
  },
  same_person: {
    passed: 'No other user has this name and birth date.',
    failed: 'Another user has the same name and birth date:',
  },
  registration_match: {
    passed: 'Name and country are as the merchant registered them.',
    noted: 'Not as the merchant registered it:',
    failed: 'The name is not the one that the merchant registered:',
    skipped: 'The registered profile is not kept any more.',
  },
  screening: { passed: 'No entry of a screening list resembles the person.', failed: 'Screening lists:' },
  political_exposure: {
    passed: 'The person holds no political office, and is not close to one who does.',
    failed: 'Politically exposed, as declared or as a list says: management has to agree.',
  },
  countries: { passed: 'No country of the person asks for a look.', failed: 'A country policy asks for a look:' },
};

export function checkWords(check: Row): string {
  const outcome = String(check.outcome) as Outcome;
  return words[String(check.check)]?.[outcome] ?? `${labelOf(String(check.check))}: ${outcome}.`;
}

const order: readonly string[] = ['failed', 'noted', 'passed', 'skipped'];

/** What a reviewer must look at comes first. */
export function byWeight(checks: readonly Row[]): Row[] {
  return [...checks].sort((one, other) => order.indexOf(String(one.outcome)) - order.indexOf(String(other.outcome)));
}
