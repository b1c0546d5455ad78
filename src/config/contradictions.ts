/** Finds settings that are valid by themselves but not together, and lists whose entries have faults. */
import { readBankConnectionEntries } from './bank-connection-entries.js';
import { readFourEyes } from './four-eyes.js';
import { type LimitSettings, limitFaults } from './level-limits.js';
import { readPayoutRailEntries } from './payout-rail-entries.js';
import { readRateSourceEntries } from './rate-source-entries.js';
import { readRecordedPerDay } from './recorded-per-day.js';
import { readScreeningListEntries } from './screening-list-entries.js';

/** The values that are compared. Those with a fault are undefined. */
interface Values extends LimitSettings {
  readonly MODE: 'sandbox' | 'live';
  readonly ROLE: string;
  readonly PORT: number;
  readonly OPERATOR_PORT: number | undefined;
  readonly BASE_URL: string | undefined;
  readonly DATABASE_URL: string | undefined;
  readonly DATABASE_DIRECT_URL: string | undefined;
  readonly DATABASE_POOLER: string;
  readonly DATABASE_REPLICATION: string;
  readonly MASTER_KEY: Buffer | undefined;
  readonly MASTER_KEY_PREVIOUS: Buffer | undefined;
  readonly RATE_SOURCES: string;
  readonly SCREENING_LISTS: string;
  readonly SCREENING_MATCH_SCORE: number;
  readonly SCREENING_STRONG_SCORE: number;
  readonly FOUR_EYES: string;
  readonly PAYOUT_RAILS: string;
  readonly PAYOUTS_RECORDED_PER_DAY: string;
  readonly BANK_CONNECTIONS: string;
}

/** A setting that has a fault is not compared. */
export function contradictions(values: Values, isFaulty: (name: keyof Values) => boolean): string[] {
  const faults: string[] = [];
  const areValid = (...names: (keyof Values)[]) => !names.some(isFaulty);
  const isEmbedded = areValid('DATABASE_URL') && !values.DATABASE_URL;
  if (isEmbedded && values.MODE !== 'live' && areValid('ROLE') && values.ROLE !== 'all') {
    faults.push(`ROLE=${values.ROLE} needs a DATABASE_URL: the embedded database serves one process, ROLE=all`);
  }
  if (areValid('PORT', 'OPERATOR_PORT') && values.OPERATOR_PORT === values.PORT && values.PORT !== 0)
    faults.push('OPERATOR_PORT must be another port than PORT');
  const needsMasterKey = values.MODE === 'live' || values.DATABASE_URL;
  if (areValid('DATABASE_URL', 'MASTER_KEY') && needsMasterKey && !values.MASTER_KEY) {
    faults.push('MASTER_KEY is required with DATABASE_URL (make one: openssl rand -base64 32)');
  }
  if (areValid('DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_POOLER', 'DATABASE_REPLICATION'))
    faults.push(...poolerContradictions(values));
  if (areValid('MASTER_KEY') && values.MASTER_KEY_PREVIOUS && !values.MASTER_KEY) {
    faults.push('MASTER_KEY_PREVIOUS needs MASTER_KEY, the new key');
  }
  if (values.RATE_SOURCES) {
    faults.push(...readRateSourceEntries(values.RATE_SOURCES).faults.map((fault) => `RATE_SOURCES ${fault}`));
  }
  faults.push(...screeningFaults(values));
  faults.push(...limitFaults(values));
  faults.push(...payoutFaults(values));
  faults.push(...readBankConnectionEntries(values.BANK_CONNECTIONS).faults.map((fault) => `BANK_CONNECTIONS ${fault}`));
  faults.push(...readFourEyes(values.FOUR_EYES, values.MODE).faults.map((fault) => `FOUR_EYES ${fault}`));
  if (values.MODE === 'live') faults.push(...liveFaults(values, areValid));
  return faults;
}

function liveFaults(values: Values, areValid: (...names: (keyof Values)[]) => boolean): string[] {
  const faults: string[] = [];
  if (areValid('DATABASE_URL') && !values.DATABASE_URL) {
    faults.push('DATABASE_URL is required in live: the embedded database is for the sandbox and for development');
  }
  if (/(^|,)\s*snapshot\b/.test(values.RATE_SOURCES)) {
    faults.push('RATE_SOURCES must not name the snapshot in live: its rates are for the sandbox only');
  }
  if (areValid('BASE_URL') && !values.BASE_URL) {
    faults.push('BASE_URL is required in live: the public https address of this service');
  }
  if (/^http:/i.test(values.BASE_URL ?? '')) faults.push('BASE_URL must begin with https:// in live');
  return faults;
}

function screeningFaults(values: Values): string[] {
  const { faults } = readScreeningListEntries(values.SCREENING_LISTS);
  const isReversed = values.SCREENING_STRONG_SCORE < values.SCREENING_MATCH_SCORE;
  return [
    ...faults.map((fault) => `SCREENING_LISTS ${fault}`),
    ...(isReversed ? ['SCREENING_STRONG_SCORE must not be below SCREENING_MATCH_SCORE'] : []),
  ];
}

function payoutFaults({ PAYOUT_RAILS, PAYOUTS_RECORDED_PER_DAY, MODE }: Values): string[] {
  const rails = readPayoutRailEntries(PAYOUT_RAILS, MODE).faults;
  const sums = readRecordedPerDay(PAYOUTS_RECORDED_PER_DAY).faults;
  return [
    ...rails.map((fault) => `PAYOUT_RAILS ${fault}`),
    ...sums.map((fault) => `PAYOUTS_RECORDED_PER_DAY ${fault}`),
  ];
}

function poolerContradictions(values: Values): string[] {
  if (values.DATABASE_URL) {
    const lacksDirectUrl = values.DATABASE_POOLER === 'transaction' && !values.DATABASE_DIRECT_URL;
    return lacksDirectUrl
      ? [
          'DATABASE_DIRECT_URL is required with DATABASE_POOLER=transaction: wake-ups and migrations need the server itself',
        ]
      : [];
  }
  const named = [
    ...(values.DATABASE_DIRECT_URL ? ['DATABASE_DIRECT_URL'] : []),
    ...(values.DATABASE_POOLER === 'none' ? [] : [`DATABASE_POOLER=${values.DATABASE_POOLER}`]),
    ...(values.DATABASE_REPLICATION === 'none' ? [] : [`DATABASE_REPLICATION=${values.DATABASE_REPLICATION}`]),
  ];
  return named.map((name) => `${name} needs a DATABASE_URL: the embedded database is one server without a pooler`);
}
