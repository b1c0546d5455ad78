/** The service as it is shipped, and beside it the verbs of the form on the same database, as its pages call them. */
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { beforeAll } from 'vitest';
import type { ExtraRooms, ServiceOptions } from '../../src/app.js';
import { systemClock } from '../../src/clock.js';
import { DocumentFiles } from '../../src/documents/document-files.js';
import { merchantId, type PublicId, userId } from '../../src/ids.js';
import { deriveKey } from '../../src/keys/derive.js';
import { KeyVault } from '../../src/keys/vault.js';
import type { CaseView, KycLevel, Zone } from '../../src/kyc/cases/case.js';
import type { Answers } from '../../src/kyc/cases/requirements.js';
import { DocumentVault } from '../../src/kyc/documents/document-vault.js';
import { ExposureService } from '../../src/kyc/exposure/service.js';
import { HitReviewService } from '../../src/kyc/hits/review-service.js';
import { HitService } from '../../src/kyc/hits/service.js';
import { kycJobs } from '../../src/kyc/renewal/jobs.js';
import { AutomaticReview } from '../../src/kyc/review/automatic.js';
import { ReviewService } from '../../src/kyc/review/service.js';
import { KycService } from '../../src/kyc/service.js';
import { FormService, type SubmitOutcome } from '../../src/kyc/submissions/service.js';
import type { FormEnded } from '../../src/kyc/submissions/view.js';
import { PersonIndex } from '../../src/persons/service.js';
import type { Database } from '../../src/postgres/database.js';
import { merchantNow } from '../../src/postgres/merchant-clock.js';
import { UserService } from '../../src/users/service.js';
import type { Profile } from '../../src/users/user.js';
import { type Answer, done } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { testMasterKey } from '../harness/master-key.js';
import { newFolder } from '../harness/new-folder.js';
import { type Remesa, useRemesa } from '../harness/remesa.js';
import { silentLog } from '../harness/silent-log.js';
import { type MadeUser, type Merchant, newUser } from '../harness/users.js';
import { photo, rightAnswers } from './people.js';
import { TestLists } from './screening-lists.js';

const now = merchantNow.replaceAll('$merchantId', '$1');

export interface KycTest extends Remesa {
  readonly vault: KeyVault;
  readonly users: UserService;
  readonly kyc: KycService;
  readonly forms: FormService;
  readonly reviews: ReviewService;
  readonly review: AutomaticReview;
  readonly hits: HitService;
  /** The lists of `review` and `hits`; the service has its own. */
  readonly lists: TestLists;
}

export const consent = { consentVersion: 'test', locale: 'en' } as const;

export function useKycService(
  settings: Record<string, string> = {},
  rooms?: (database: Database) => ExtraRooms,
  chooseJobs?: ServiceOptions['chooseJobs'],
): KycTest {
  return withKycVerbs(useRemesa({ settings, ...(rooms ? { rooms } : {}), ...(chooseJobs ? { chooseJobs } : {}) }));
}

/** Beside a service that a test has started for itself. */
export function withKycVerbs(running: Remesa): KycTest {
  const folder = newFolder();
  beforeAll(async () => {
    const masters = { current: Buffer.from(testMasterKey, 'base64'), previous: undefined };
    const vault = await KeyVault.open(running.service.database, masters);
    Object.assign(running, { vault, ...verbsOf(vault, folder) });
  });
  return running as KycTest;
}

interface Verbs {
  readonly users: UserService;
  readonly kyc: KycService;
  readonly forms: FormService;
  readonly reviews: ReviewService;
  readonly review: AutomaticReview;
  readonly hits: HitService;
  readonly lists: TestLists;
}

function verbsOf(vault: KeyVault, folder: string): Verbs {
  const users = new UserService({
    vault,
    clock: systemClock,
    retentionYears: 5,
  });
  const documents = new DocumentVault(new DocumentFiles(folder), 'database');
  const screening = new TestLists();
  const hits = new HitService({
    ...{ users, screening, personKey: deriveKey(vault.rootKey, 'screened person') },
    forgetApprovals: async () => {},
  });
  const personKey = deriveKey(vault.rootKey, 'kyc person index');
  const persons = new PersonIndex(vault.rootKey);
  return {
    users,
    hits,
    lists: screening,
    kyc: new KycService({ users, documents, hits }),
    forms: new FormService({ users, documents, personKey, persons }),
    review: new AutomaticReview({ users, hits, countries: { findings: () => [] } }),
    reviews: new ReviewService({
      ...{ users, documents, hits, persons },
      hitReviews: new HitReviewService(users, async () => {}),
      exposures: new ExposureService(users, async () => {}),
    }),
  };
}

export interface Asked {
  readonly level?: KycLevel;
  readonly zone?: Zone;
  /** Of every document; absent: bytes that no browser can show. */
  readonly picture?: (question: string) => Promise<Buffer>;
}

/** The first user of a test lives in Spain, so the zone is EEA unless it says otherwise. */
export async function newLink(
  kyc: KycTest,
  user: MadeUser,
  { level = 'LEVEL_1', zone = 'EEA' }: Asked = {},
  merchant: Merchant = kyc.acme,
): Promise<string> {
  return done(
    await kyc.api.post(`/kyc/links?userId=${user.id}`, {
      token: merchant.token,
      body: { kycLevel: level, zone },
    }),
  )
    .url.split('/')
    .at(-1);
}

export function todayOf({ sql }: { sql: pg.Pool }, merchant: Merchant): Promise<string> {
  return sql
    .query(`SELECT to_char(${now} AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS today`, [merchant.merchant])
    .then(({ rows }) => rows[0].today);
}

/** Every step and document, but not the end. */
export async function fillIn(
  kyc: KycTest,
  token: string,
  { level = 'LEVEL_1', zone = 'EEA', picture }: Asked = {},
  given: Answers = {},
  merchant: Merchant = kyc.acme,
): Promise<void> {
  const today = await todayOf(kyc, merchant);
  for (const { step, raw, documents } of rightAnswers(level, zone, today, given)) {
    const saved = await change(kyc, (tx) => kyc.forms.saveStep(tx, token, step.id, raw));
    if (saved.kind !== 'saved') throw new Error(`${step.id}: ${JSON.stringify(saved)}`);
    for (const question of documents) {
      const bytes = await picture?.(question);
      const outcome = await change(kyc, (tx) =>
        kyc.forms.attachDocument(
          tx,
          token,
          question,
          bytes ? { mediaType: 'image/png', bytes } : photo(`${question} of ${token}`),
        ),
      );
      if (outcome.kind !== 'attached') throw new Error(`${question}: ${JSON.stringify(outcome)}`);
    }
  }
}

/** Answers when the service's job has decided what was submitted. */
export async function submit(kyc: KycTest, token: string): Promise<SubmitOutcome | FormEnded> {
  const outcome = await change(kyc, (tx) => kyc.forms.submit(tx, token, consent));
  if (outcome.kind === 'done') await decided(kyc, outcome.frame.caseId);
  return outcome;
}

/**
 * The state of a case, or of its renewal, once the service's job has decided on it; `closed` when its user was deleted.
 */
export async function decided({ sql }: { sql: pg.Pool }, caseId: string): Promise<string> {
  return eventually(
    async () => {
      const { rows } = await sql.query(
        'SELECT coalesce(renewal_state, state) AS state FROM kyc_cases WHERE case_id = $1 AND closed_at IS NULL',
        [caseId],
      );
      return rows[0]?.state === 'SUBMITTED' ? undefined : (rows[0]?.state ?? 'closed');
    },
    { what: 'the automatic decision' },
  );
}

/** A user of the level and zone who has gone through the whole form. */
export async function submitted(
  kyc: KycTest,
  asked: Asked = {},
  options: { profile?: Partial<Profile>; answers?: Answers; merchant?: Merchant } = {},
): Promise<{ user: MadeUser; caseId: string; token: string; statusToken: string }> {
  const merchant = options.merchant ?? kyc.acme;
  const user = await newUser(kyc, merchant, options.profile);
  const token = await newLink(kyc, user, asked, merchant);
  await fillIn(kyc, token, asked, { ...uniqueName(user), ...options.answers }, merchant);
  const outcome = await submit(kyc, token);
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome));
  return { user, caseId: outcome.frame.caseId, token, statusToken: outcome.statusToken };
}

/** Nobody is the same person as anybody else by accident. */
export function uniqueName({ id }: MadeUser): Answers {
  return { firstName: `Ana Amélie ${spelled(id)}` };
}

/**
 * Letters for a number, because names have no digits. Those of close numbers are far apart: screening finds similar
 * names.
 */
export function spelled(id: number): string {
  const digits = createHash('sha256').update(String(id)).digest().subarray(0, 14);
  return [...digits].map((digit) => 'bdfgklmnprstvz'[digit % 14]).join('');
}

export function change<Result>(
  { service }: KycTest,
  verb: Parameters<Database['transaction']>[0] extends (tx: infer Tx) => unknown ? (tx: Tx) => Promise<Result> : never,
): Promise<Result> {
  return service.database.transaction(verb);
}

export function decide(kyc: KycTest, caseId: string, body: unknown, token = kyc.reviewer): Promise<Answer> {
  return kyc.api.post(`/operator/kyc/${caseId}/decision`, { token, body });
}

export const rejection = {
  decision: 'reject',
  publicReason: 'wrong_document',
  internalReason: 'A library card.',
} as const;

export async function caseOf(kyc: KycTest, caseId: string, merchant: Merchant = kyc.acme): Promise<CaseView> {
  return done(await kyc.api.get(`/kyc/cases/${caseId}`, { token: merchant.token }));
}

/** In the order in which they were recorded. */
export async function eventsOf(
  { sql }: { sql: pg.Pool },
  caseId: string,
): Promise<{ type: string; previousStatus: string | null; object: CaseView }[]> {
  const { rows } = await sql.query(
    'SELECT type, previous_status, object FROM events WHERE subject = $1 ORDER BY recorded_at, event_id',
    [caseId],
  );
  return rows.map((row) => ({
    type: row.type,
    previousStatus: row.previous_status,
    object: JSON.parse(row.object),
  }));
}

export async function eventTypes(kyc: { sql: pg.Pool }, caseId: string): Promise<string[]> {
  return (await eventsOf(kyc, caseId)).map(({ type }) => type);
}

export async function moveClock({ sql }: { sql: pg.Pool }, merchant: Merchant, by: string): Promise<void> {
  await sql.query(
    `INSERT INTO merchant_clocks VALUES ($1, $2::interval)
     ON CONFLICT (merchant_id) DO UPDATE SET ahead = merchant_clocks.ahead + excluded.ahead`,
    [merchant.merchant, by],
  );
}

/** Runs a job of the cases until nothing is left for it to do. */
export async function runJob({ service }: KycTest, name: string): Promise<void> {
  const job = kycJobs(service.database, silentLog).find((one) => one.name === name);
  if (!job) throw new Error(`there is no job ${name}`);
  while ((await job.run(AbortSignal.timeout(60_000))) > 0);
}

/** As the code knows them. */
export function idsOf(merchant: Merchant, user: MadeUser, caseId: string) {
  return {
    merchantId: merchantId(merchant.merchant),
    userId: userId(user.id),
    caseId: caseId as PublicId<'kyc'>,
  };
}
