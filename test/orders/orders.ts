/** The service with rates, and users who may send: quotes, beneficiaries and orders for tests. */
import { newPublicId } from '../../src/ids.js';
import { orderJobs } from '../../src/orders/deadlines/jobs.js';
import type { Payouts } from '../../src/orders/ports.js';
import { advanceJob } from '../../src/orders/transition.js';
import { sendJob } from '../../src/payouts/service.js';
import type { Answer } from '../harness/api.js';
import { silentLog } from '../harness/silent-log.js';
import { type MadeUser, type Merchant, newUser, type UsersService } from '../harness/users.js';
import { quote, type RatesService, useRatesOnTheBoard, useRatesService } from '../rates/quoting.js';
import { type OrderVerbs, orderVerbs } from './verbs.js';

export type OrdersService = UsersService;

export function useOrdersService(settings: Record<string, string> = {}, payouts?: Payouts): RatesService {
  const running = useRatesService(settings, payouts && (() => ({ routes: [], jobs: [], payouts })));
  useRatesOnTheBoard(running);
  return running;
}

/** The same for tests that move orders on themselves: the jobs that would do it are idle. */
export function useIdleOrdersService(settings: Record<string, string> = {}): RatesService {
  const idle = [advanceJob, sendJob];
  const running = useRatesService(settings, undefined, (jobs) =>
    jobs.filter(({ name }) => !idle.includes(name)),
  );
  useRatesOnTheBoard(running);
  return running;
}

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
export async function sender(running: OrdersService, merchant: Merchant = running.acme): Promise<MadeUser> {
  const user = await newUser(running, merchant);
  await holdLevel(running, merchant, user, 'LEVEL_1');
  return user;
}

export async function holdLevel(
  { sql }: Pick<OrdersService, 'sql'>,
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
export async function rateCode(
  running: OrdersService,
  merchant: Merchant = running.acme,
  amountIn = 100,
): Promise<string> {
  const answer = await quote({ api: running.api, acme: merchant }, { amountIn });
  if (answer.status !== 200) throw new Error(`no quote: ${answer.status} ${answer.text}`);
  return answer.json.code;
}

export interface Asked {
  readonly merchant?: Merchant;
  readonly key?: string;
  /** Replaces fields of the request; undefined leaves one out. */
  readonly body?: Record<string, unknown>;
}

/** Sends an order of Lupita's over a fresh quote, unless the fields say otherwise. */
export async function place(
  running: OrdersService,
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
export async function placed(running: OrdersService, user: MadeUser, asked: Asked = {}): Promise<any> {
  const answer = await place(running, user, asked);
  if (answer.status !== 200) throw new Error(`no order: ${answer.status} ${answer.text}`);
  return answer.json;
}

export function get(running: OrdersService, id: string, merchant: Merchant = running.acme): Promise<Answer> {
  return running.api.get(`/orders/${id}`, { token: merchant.token });
}

export function cancel(
  running: OrdersService,
  id: string,
  merchant: Merchant = running.acme,
): Promise<Answer> {
  return running.api.post(`/orders/${id}/cancel`, { token: merchant.token });
}

export async function timelineOf(
  running: OrdersService,
  id: string,
  merchant: Merchant = running.acme,
): Promise<{ event: string; status: string; version: number; by: string }[]> {
  return (await running.api.get(`/orders/${id}/timeline`, { token: merchant.token })).json;
}

/** In the order in which they were recorded. */
export async function eventsOf(
  { sql }: Pick<OrdersService, 'sql'>,
  orderId: string,
  // biome-ignore lint/suspicious/noExplicitAny: the order as JSON, which the tests examine.
): Promise<{ type: string; previousStatus: string | null; object: any }[]> {
  const text =
    'SELECT type, previous_status, object FROM events WHERE subject = $1 ORDER BY recorded_at, event_id';
  const { rows } = await sql.query(text, [orderId]);
  return rows.map((row) => ({
    type: row.type,
    previousStatus: row.previous_status,
    object: JSON.parse(row.object),
  }));
}

/** The verbs that jobs and other rooms use, beside the service and on the same database. */
export function verbsOf({ service }: OrdersService, payouts?: Payouts): Promise<OrderVerbs> {
  return orderVerbs(service.database, payouts);
}

/** Expires what is due now. The job of the service does the same every minute. */
export async function runExpiry(running: OrdersService, payouts?: Payouts): Promise<void> {
  const { orders } = await verbsOf(running, payouts);
  for (const job of orderJobs(running.service.database, orders, silentLog)) {
    await job.run(AbortSignal.timeout(60_000));
  }
}
