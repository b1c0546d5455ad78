/** Users who may send, and their quotes, beneficiaries and orders. */
import { merchantId, newPublicId, userId } from '../../src/ids.js';
import { orderJobs } from '../../src/orders/deadlines/jobs.js';
import type { Payouts } from '../../src/orders/order/ports.js';
import { advanceJob } from '../../src/orders/order/transition.js';
import { sendJob } from '../../src/payouts/rail.js';
import { PersonIndex } from '../../src/persons/service.js';
import { type Answer, done } from '../harness/api.js';
import type { Remesa } from '../harness/remesa.js';
import { silentLog } from '../harness/silent-log.js';
import { type MadeUser, type Merchant, newUser } from '../harness/users.js';
import { quote } from '../rates/quoting.js';
import { type OrderVerbs, orderVerbs } from './verbs.js';

/** The jobs that move orders on, idle in tests that do that themselves. */
export const orderJobNames = [advanceJob, sendJob];

export const lupita = {
  country: 'MX',
  currency: 'MXN',
  method: 'bank_account',
  type: 'person',
  firstName: 'Guadalupe',
  lastName: 'Ortega Ruiz',
  address: { town: 'Guadalajara', country: 'MX' },
  account: { clabe: '032180000118359719' },
};

/** A user who holds LEVEL_1, and so may send up to 200 dollars. */
export async function sender(running: Remesa, merchant: Merchant = running.acme): Promise<MadeUser> {
  const user = await newUser(running, merchant);
  await holdLevel(running, merchant, user, 'LEVEL_1');
  return user;
}

/** Each of these users showed the same passport. `verified`: an operator has approved it. */
export async function samePerson(
  running: Remesa,
  number: string,
  accounts: readonly (readonly [Merchant, MadeUser])[],
  source: 'form' | 'verified' = 'form',
): Promise<void> {
  const { vault } = await verbsOf(running);
  const persons = new PersonIndex(vault.rootKey);
  for (const [{ merchant }, { id }] of accounts)
    await running.service.database.transaction((tx) =>
      persons.save(tx, { merchantId: merchantId(merchant), userId: userId(id) }, source, {
        documentCountry: 'MX',
        documentNumber: number,
      }),
    );
}

export async function holdLevel(
  { sql }: Pick<Remesa, 'sql'>,
  { merchant }: Merchant,
  user: MadeUser,
  level: string,
): Promise<void> {
  const caseId = newPublicId('kyc');
  await sql.query(
    `INSERT INTO kyc_cases (merchant_id, case_id, user_id, level, zone, created_at, updated_at)
     VALUES ($1, $2, $3, $4, 'EEA', now(), now())`,
    [merchant, caseId, user.id, level],
  );
  for (const state of ['SUBMITTED', 'APPROVED']) {
    await sql.query(
      `UPDATE kyc_cases SET state = $3, version = version + 1, expires_at = now() + interval '2 years'
        WHERE merchant_id = $1 AND case_id = $2`,
      [merchant, caseId, state],
    );
  }
}

/** The code of a fresh quote of 100 dollars. */
export async function rateCode(running: Remesa, merchant: Merchant = running.acme, amountIn = 100): Promise<string> {
  return done(await quote({ api: running.api, acme: merchant }, { amountIn })).code;
}

export interface Asked {
  readonly merchant?: Merchant;
  readonly key?: string;
  /** Replaces fields of the request; undefined leaves one out. */
  readonly body?: Record<string, unknown>;
}

/** Sends an order of Lupita's over a fresh quote, unless the fields say otherwise. */
export async function place(
  running: Remesa,
  user: MadeUser,
  { merchant = running.acme, key, body = {} }: Asked = {},
): Promise<Answer> {
  const code = 'rateCode' in body ? {} : { rateCode: await rateCode(running, merchant) };
  return running.api.post(`/orders?userId=${user.id}`, {
    token: merchant.token,
    body: { ...code, beneficiary: lupita, purpose: 'family_support', ...body },
    ...(key === undefined ? {} : { key }),
  });
}

// biome-ignore lint/suspicious/noExplicitAny: the order as JSON, which the tests examine.
export async function placed(running: Remesa, user: MadeUser, asked: Asked = {}): Promise<any> {
  return done(await place(running, user, asked));
}

export function get(running: Remesa, id: string, merchant: Merchant = running.acme): Promise<Answer> {
  return running.api.get(`/orders/${id}`, { token: merchant.token });
}

export function cancel(running: Remesa, id: string, merchant: Merchant = running.acme): Promise<Answer> {
  return running.api.post(`/orders/${id}/cancel`, { token: merchant.token });
}

export async function timelineOf(
  running: Remesa,
  id: string,
  merchant: Merchant = running.acme,
): Promise<{ event: string; status: string; version: number; by: string }[]> {
  return (await running.api.get(`/orders/${id}/timeline`, { token: merchant.token })).json;
}

/** In the order in which they were recorded. */
export async function eventsOf(
  { sql }: Pick<Remesa, 'sql'>,
  orderId: string,
  // biome-ignore lint/suspicious/noExplicitAny: the order as JSON, which the tests examine.
): Promise<{ type: string; previousStatus: string | null; object: any }[]> {
  const text = 'SELECT type, previous_status, object FROM events WHERE subject = $1 ORDER BY recorded_at, event_id';
  const { rows } = await sql.query(text, [orderId]);
  return rows.map((row) => ({
    type: row.type,
    previousStatus: row.previous_status,
    object: JSON.parse(row.object),
  }));
}

/** The verbs that jobs and other rooms use, beside the service and on the same database. */
export function verbsOf({ service }: Remesa, payouts?: Payouts): Promise<OrderVerbs> {
  return orderVerbs(service.database, payouts);
}

/** Expires what is due now. The job of the service does the same every minute. */
export async function runExpiry(running: Remesa, payouts?: Payouts): Promise<void> {
  const { expiry } = await verbsOf(running, payouts);
  for (const job of orderJobs({ database: running.service.database, expiry, log: silentLog })) {
    await job.run(AbortSignal.timeout(60_000));
  }
}

/** An admin does something with an order: refers it, asks for information, decides. */
export async function operate(
  { api, admin: token }: Pick<Remesa, 'api' | 'admin'>,
  id: string,
  verb: string,
  fields: object = {},
): Promise<void> {
  const path = `/operator/orders/${id}`;
  const { version } = done(await api.get(`${path}/review`, { token }));
  const isDecision = verb === 'approve' || verb === 'refuse';
  const body = { note: 'A test.', ...(isDecision ? { version } : {}), ...fields };
  done(await api.post(`${path}/${verb}`, { token, body }));
}
