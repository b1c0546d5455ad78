/**
 * The only reader of the environment. Every setting is declared here and documented in `.env.example`. All faults are
 * reported together, before anything is started.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { StartupRefused } from '../errors.js';
import type { Amount } from '../money/amount.js';
import type { CurrencyCode } from '../money/currency.js';
import type { LimitTable } from '../orders/limits/limits.js';
import type { Network } from '../outgoing/network.js';
import { type BankConnectionEntry, readBankConnectionEntries } from './bank-connection-entries.js';
import { contradictions } from './contradictions.js';
import { type DescribedSetting, describeSettings } from './described-settings.js';
import { type FourEyes, readFourEyes } from './four-eyes.js';
import { levelLimits } from './level-limits.js';
import { mailFaults, readAddresses } from './mail-addresses.js';
import { type PayoutRailEntry, readPayoutRailEntries } from './payout-rail-entries.js';
import { type RateSourceEntry, readRateSourceEntries } from './rate-source-entries.js';
import { type Environment, readSetting } from './read-setting.js';
import { readRecordedPerDay } from './recorded-per-day.js';
import { readScreeningListEntries, type ScreeningListEntry } from './screening-list-entries.js';
import {
  address,
  boolean,
  integer,
  key256,
  networks,
  oneOf,
  optionalPort,
  type Setting,
  secretText,
  text,
} from './settings.js';
import { unknownSettings } from './unknown-settings.js';

export const settings = {
  MODE: oneOf(['sandbox', 'live'], { default: 'sandbox' }),
  ROLE: oneOf(['all', 'api', 'worker'], { default: 'all' }),
  HOST: text({ default: '127.0.0.1' }),
  PORT: integer({ default: 3000, min: 0, max: 65535 }),
  OPERATOR_PORT: optionalPort(),
  TRUST_PROXY: boolean({ default: false }),
  BASE_URL: address(['http', 'https'], { secret: false }),
  OPERATOR_URL: address(['http', 'https'], { secret: false }),
  DATA_DIR: text({ default: './data' }),
  DATABASE_URL: address(['postgres', 'postgresql'], { secret: true }),
  DATABASE_DIRECT_URL: address(['postgres', 'postgresql'], { secret: true }),
  DATABASE_POOL_SIZE: integer({ default: 16, min: 2, max: 200 }),
  DATABASE_POOLER: oneOf(['none', 'session', 'transaction'], { default: 'none' }),
  DATABASE_REPLICATION: oneOf(['none', 'synchronous'], { default: 'none' }),
  MASTER_KEY: key256(),
  MASTER_KEY_PREVIOUS: key256(),
  RETENTION_YEARS: integer({ default: 5, min: 1, max: 30 }),
  DOCUMENT_STORE: oneOf(['database', 'files'], { default: 'database' }),
  RATE_SOURCES: text({ default: '' }),
  SCREENING_LISTS: text({ default: '' }),
  SCREENING_LIST_MAX_AGE_DAYS: integer({ default: 7, min: 1, max: 365 }),
  SCREENING_LIST_MAX_SHRINK_PERCENT: integer({ default: 10, min: 0, max: 100 }),
  SCREENING_MATCH_SCORE: integer({ default: 80, min: 60, max: 100 }),
  SCREENING_STRONG_SCORE: integer({ default: 95, min: 60, max: 100 }),
  RESCREENED_USERS_PER_SECOND: integer({ default: 50, min: 1, max: 10_000 }),
  FOUR_EYES: text({ default: '' }),
  APPROVAL_HOURS: integer({ default: 72, min: 1, max: 720 }),
  RECORDED_PAYMENTS_USD_PER_DAY: integer({ default: 1000, min: 0, max: 1_000_000_000 }),
  LIMITS_LEVEL_1: levelLimits({
    default: 'order:200,24h:500,30d:1000,365d:5000,24h-orders:5,30d-orders:20',
  }),
  LIMITS_LEVEL_2: levelLimits({
    default: 'order:25000,24h:25000,30d:50000,365d:250000,24h-orders:10,30d-orders:100',
  }),
  LIMITS_LEVEL_3: levelLimits({
    default: 'order:75000,24h:75000,30d:150000,365d:1000000,24h-orders:20,30d-orders:300',
  }),
  PAYOUT_RAILS: text({ default: '' }),
  PAYOUTS_RECORDED_PER_DAY: text({ default: '' }),
  BANK_CONNECTIONS: text({ default: '' }),
  QUOTES_PER_MINUTE: integer({ default: 1200, min: 1, max: 10_000_000 }),
  REQUESTS_PER_MINUTE: integer({ default: 600, min: 1, max: 10_000_000 }),
  TOKENS_PER_MINUTE: integer({ default: 30, min: 1, max: 10_000_000 }),
  REQUESTS_IN_FLIGHT: integer({ default: 128, min: 1, max: 100_000 }),
  REQUEST_LOG: boolean({ default: true }),
  STOP_DELAY_SECONDS: integer({ default: 0, min: 0, max: 20 }),
  METRICS_TOKEN: secretText({ minLength: 24 }),
  SMTP_URL: address(['smtp', 'smtps'], { secret: true }),
  MAIL_FROM: text({ default: '' }),
  MAIL_OPERATORS: text({ default: '' }),
  WEBHOOK_ALLOWED_NETWORKS: networks(),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'silent'], { default: 'info' }),
} as const satisfies Record<string, Setting<unknown>>;

export type SettingName = keyof typeof settings;
type ValueOf<S> = S extends Setting<infer Value> ? Value : never;
type Optional =
  | 'BASE_URL'
  | 'DATABASE_URL'
  | 'DATABASE_DIRECT_URL'
  | 'MASTER_KEY'
  | 'MASTER_KEY_PREVIOUS'
  | 'METRICS_TOKEN'
  | 'OPERATOR_PORT'
  | 'OPERATOR_URL'
  | 'SMTP_URL';
type Values = {
  [Name in SettingName]: ValueOf<(typeof settings)[Name]> | (Name extends Optional ? undefined : never);
};

export interface Config {
  readonly mode: 'sandbox' | 'live';
  readonly role: 'all' | 'api' | 'worker';
  readonly host: string;
  readonly port: number;
  /** Where operators and Prometheus call. Undefined: at `port`, like everybody. */
  readonly operatorPort: number | undefined;
  /** Whether the caller's address is read from `X-Forwarded-For`, which the proxy in front of us sets. */
  readonly trustProxy: boolean;
  /** The address of the console, for the links in mails to operators. Undefined: at `baseUrl`. */
  readonly operatorUrl: string | undefined;
  /** The public address. Undefined in a sandbox that is called by the address it listens on. */
  readonly baseUrl: string | undefined;
  readonly dataDirectory: string;
  /** Undefined means the embedded PostgreSQL in the data directory. */
  readonly databaseUrl: string | undefined;
  /** Leads to the server without a pooler: for LISTEN, migrations and maintenance. Undefined: `databaseUrl` does. */
  readonly databaseDirectUrl: string | undefined;
  readonly databasePoolSize: number;
  /** The mode of the pooler that `databaseUrl` leads to. */
  readonly databasePooler: 'none' | 'session' | 'transaction';
  /** Whether COMMIT waits for a standby. In live mode the server is then required to have one. */
  readonly databaseReplication: 'none' | 'synchronous';
  /** Undefined means the key in the data directory. */
  readonly masterKey: Buffer | undefined;
  /** Set only while the master key is being changed. */
  readonly previousMasterKey: Buffer | undefined;
  /** How long the law requires us to keep the identity data of a deleted user. */
  readonly retentionYears: number;
  /** Where new documents of users are stored. Files are in the data directory. */
  readonly documentStore: 'database' | 'files';
  /** Where rates come from. The first source that knows a pair is used. */
  readonly rateSources: readonly RateSourceEntry[];
  /** The files of the screening lists. Empty: the built-in list in the sandbox, none in live. */
  readonly screeningLists: readonly ScreeningListEntry[];
  /** A list whose files are older is still searched, but nobody is cleared by it. */
  readonly screeningListMaxAgeDays: number;
  /** A new version that lost more of its entries or names is refused. */
  readonly screeningListMaxShrinkPercent: number;
  /** The least score of a match, and of a strong match. */
  readonly screeningMatchScore: number;
  readonly screeningStrongScore: number;
  /** How fast users with an approved level are screened again when a list has changed. */
  readonly rescreenedUsersPerSecond: number;
  /** Which actions of operators need a second person. */
  readonly fourEyes: FourEyes;
  /** How long such an action waits for the second person. */
  readonly approvalHours: number;
  /** How much an operator may record by hand as received on a day without a second person, in US dollars. */
  readonly recordedPaymentsUsdPerDay: number;
  /** How much a user of each KYC level may send. */
  readonly limits: LimitTable;
  /** Which rail takes which payments. The first entry that fits is used. */
  readonly payoutRails: readonly PayoutRailEntry[];
  /** What one operator may record as paid on a day without a second person. Absent currencies: nothing. */
  readonly payoutsRecordedPerDay: ReadonlyMap<CurrencyCode, Amount>;
  /** Where the files of each bank account go, and come from. */
  readonly bankConnections: readonly BankConnectionEntry[];
  readonly quotesPerMinute: number;
  readonly requestsPerMinute: number;
  /** The limit of one client's access tokens in one process. */
  readonly tokensPerMinute: number;
  /** How many requests with a token are handled at a time. More are refused at once. */
  readonly requestsInFlight: number;
  /** Whether merchants see their last requests. */
  readonly requestLog: boolean;
  /** How long a stopping process reports that it is not ready before it stops listening. */
  readonly stopDelaySeconds: number;
  readonly metricsToken: string | undefined;
  /** The mail server. Undefined: files in the sandbox, no mails in live. */
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
  /** The addresses that are told what waits for an operator. */
  readonly mailOperators: readonly string[];
  /** The operator's private networks that notifications may be sent to, besides the internet. */
  readonly webhookAllowedNetworks: readonly Network[];
  readonly logLevel: string;
}

/** `file` is the content of `.env`; the environment takes precedence. Throws `StartupRefused` with all faults. */
export function readConfig(
  environment: Environment = process.env,
  file: Environment = environment === process.env ? environmentFile() : {},
): Config {
  const texts = { ...file, ...environment };
  const faultByName = new Map<string, string>();
  const values = Object.fromEntries(
    Object.entries(settings).map(([name, setting]) => [name, readSetting(name, setting, texts, faultByName)]),
  ) as Values;
  const faults = [
    ...faultByName.values(),
    ...contradictions(values, (name) => faultByName.has(name)),
    ...mailFaults(values),
    ...unknownSettings({ environment, file }, settings),
  ];
  if (faults.length > 0) {
    throw new StartupRefused(
      `The settings are not right (see .env.example):\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
    );
  }
  return {
    mode: values.MODE,
    role: values.ROLE,
    host: values.HOST,
    port: values.PORT,
    operatorPort: values.OPERATOR_PORT,
    trustProxy: values.TRUST_PROXY,
    baseUrl: values.BASE_URL,
    operatorUrl: values.OPERATOR_URL,
    dataDirectory: resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    databaseDirectUrl: values.DATABASE_DIRECT_URL,
    databasePoolSize: values.DATABASE_POOL_SIZE,
    databasePooler: values.DATABASE_POOLER,
    databaseReplication: values.DATABASE_REPLICATION,
    masterKey: values.MASTER_KEY,
    previousMasterKey: values.MASTER_KEY_PREVIOUS,
    retentionYears: values.RETENTION_YEARS,
    documentStore: values.DOCUMENT_STORE,
    rateSources: readRateSourceEntries(values.RATE_SOURCES || (values.MODE === 'live' ? 'ecb' : 'snapshot')).entries,
    screeningLists: readScreeningListEntries(values.SCREENING_LISTS).entries,
    screeningListMaxAgeDays: values.SCREENING_LIST_MAX_AGE_DAYS,
    screeningListMaxShrinkPercent: values.SCREENING_LIST_MAX_SHRINK_PERCENT,
    screeningMatchScore: values.SCREENING_MATCH_SCORE,
    screeningStrongScore: values.SCREENING_STRONG_SCORE,
    rescreenedUsersPerSecond: values.RESCREENED_USERS_PER_SECOND,
    fourEyes: readFourEyes(values.FOUR_EYES, values.MODE),
    approvalHours: values.APPROVAL_HOURS,
    recordedPaymentsUsdPerDay: values.RECORDED_PAYMENTS_USD_PER_DAY,
    limits: {
      LEVEL_1: values.LIMITS_LEVEL_1,
      LEVEL_2: values.LIMITS_LEVEL_2,
      LEVEL_3: values.LIMITS_LEVEL_3,
    },
    payoutRails: readPayoutRailEntries(values.PAYOUT_RAILS, values.MODE).entries,
    payoutsRecordedPerDay: readRecordedPerDay(values.PAYOUTS_RECORDED_PER_DAY).amounts,
    bankConnections: readBankConnectionEntries(values.BANK_CONNECTIONS).entries,
    quotesPerMinute: values.QUOTES_PER_MINUTE,
    requestsPerMinute: values.REQUESTS_PER_MINUTE,
    tokensPerMinute: values.TOKENS_PER_MINUTE,
    requestsInFlight: values.REQUESTS_IN_FLIGHT,
    requestLog: values.REQUEST_LOG,
    stopDelaySeconds: values.STOP_DELAY_SECONDS,
    metricsToken: values.METRICS_TOKEN,
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    mailOperators: readAddresses(values.MAIL_OPERATORS),
    webhookAllowedNetworks: values.WEBHOOK_ALLOWED_NETWORKS,
    logLevel: values.LOG_LEVEL,
  };
}

/** Whether errors are shown with their stack traces. Reads the level directly, because the settings may have faults. */
export function isDebugging(environment: Environment = process.env): boolean {
  return environment.LOG_LEVEL === 'debug';
}

/** Each setting as it holds, with where it comes from. Secrets are not shown. */
export function describedSettings(
  environment: Environment = process.env,
  file: Environment = environment === process.env ? environmentFile() : {},
): DescribedSetting[] {
  return describeSettings(settings, { environment, file });
}

let environmentFilePath: string | undefined;

/** Replaces `.env` in the working folder: a machine with several processes has a file for each. */
export function readSettingsFrom(path: string): void {
  environmentFilePath = path;
}

/** Throws `StartupRefused` when the file cannot be read. Only `.env` may be absent. */
function environmentFile(): Environment {
  const path = environmentFilePath ?? '.env';
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && environmentFilePath === undefined) return {};
    throw new StartupRefused(`The file ${resolve(path)} cannot be read (${code}).`, { cause: error });
  }
}
