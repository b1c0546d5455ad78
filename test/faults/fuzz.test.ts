/**
 * Requests at and beyond every bound, to every operation, with and without tokens: none is answered with a 5xx that
 * nobody foresaw, none takes long, none contradicts the OpenAPI document, and every 5xx is in the log and in the
 * figures.
 */
import { beforeAll, expect, it } from 'vitest';
import type { Route } from '../../src/http/route.js';
import { newOperator, operatorToken, tokenOf } from '../harness/access.js';
import type { Answer } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { rounds } from '../harness/rounds.js';
import { useService } from '../harness/service.js';
import { useTestDatabase } from '../harness/test-database.js';
import { type Merchant, merchantWithToken, newUser, userToken } from '../harness/users.js';
import { notesRoutes, notesTable } from '../rooms/notes.js';
import { Dice, type FuzzRequest, fuzzRequest } from './fuzz-requests.js';

const requests = rounds(250, 20_000);
const seed = Number(process.env.FUZZ_SEED ?? 2);
const renewEvery = 250;
const atMostTimes = 20;
/** A loaded machine takes this long for what is harmless; hashing a password takes its time on purpose. */
const floorMs = 2_000;

const { sql, ...testDatabase } = useTestDatabase();
const running = useService(
  { sql, ...testDatabase },
  {
    settings: { TOKENS_PER_MINUTE: '1000000' },
    rooms: () => ({ routes: notesRoutes(), jobs: [] }),
    before: () => sql.query(notesTable),
  },
);
let merchant: Merchant;
let tokens: Record<'merchant' | 'user' | 'operator', string>;

beforeAll(async () => {
  merchant = await merchantWithToken(running, 'fuzz-merchant');
  await newOperator(testDatabase.database, 'fuzz-admin', 'admin');
});

/** Some of what is sent ends tokens: keys are rotated, users deleted. */
async function renewTokens(): Promise<void> {
  const token = await tokenOf(running, merchant);
  const user = await newUser(running, { token });
  const ofUser = await userToken(running, merchant, user);
  tokens = { merchant: token, user: ofUser, operator: await operatorToken(running, 'fuzz-admin') };
}

/** Mostly the right one. */
function tokenFor({ access }: Route, dice: Dice): string | undefined {
  if (dice.oneIn(4)) return dice.of([undefined, 'x.y.z', ...Object.values(tokens)]);
  if (access.token === 'none') return undefined;
  return access.token === 'either' ? dice.of([tokens.merchant, tokens.user]) : tokens[access.token];
}

interface Sent {
  readonly request: FuzzRequest;
  readonly status: number;
  readonly ms: number;
}

it(`answers ${requests} hostile requests with what the document foresees, soon, and accounts for every 5xx`, {
  timeout: 3_600_000,
}, async () => {
  const routes = running.service.routes.filter((route) => !route.hidden);
  const dice = new Dice(seed);
  const sent: Sent[] = [];
  const faults: string[] = [];
  await renewTokens();
  const boundMs = Math.max(floorMs, atMostTimes * (await harmlessMs()));
  for (let count = 0; count < requests; count += 1) {
    if (count % renewEvery === 0) await renewTokens();
    // Every route in turn, so that each has its share.
    const route = routes[count % routes.length] as Route;
    const request = { ...fuzzRequest(route, dice), ...given('token', tokenFor(route, dice)) };
    const outcome = await send(request);
    if ('fault' in outcome) faults.push(outcome.fault);
    else {
      sent.push(outcome);
      const fault = faultOf(route, outcome) ?? (await slowness(outcome, boundMs, sent));
      if (fault) faults.push(fault);
    }
  }
  // At least one failure that nobody foresaw, however few requests there are.
  const broken = await send({ method: 'GET', path: '/notes/broken', token: tokens.merchant });
  if ('answer' in broken) sent.push(broken);
  const statuses = countBy(sent.map(({ status }) => status));
  const slowestMs = Math.round(Math.max(...sent.map(({ ms }) => ms)));
  console.log(`fuzz, seed ${seed}: ${sent.length} answers, slowest ${slowestMs} ms`, statuses);
  expect(faults).toEqual([]);
  const failed = sent.filter(({ status }) => status >= 500).length;
  expect(failed).toBeGreaterThan(0);
  await eventually(() => loggedFailures() === failed, { what: 'a log line for every 5xx' });
  expect(await countedFailures()).toBe(failed);
});

async function send(request: FuzzRequest): Promise<(Sent & { answer: Answer }) | { fault: string }> {
  const began = performance.now();
  try {
    const answer = await running.api.call(request.method, request.path, request);
    return { request, status: answer.status, ms: performance.now() - began, answer };
  } catch (error) {
    return { fault: `${described(request)}: ${String(error).slice(0, 800)}` };
  }
}

function faultOf(route: Route, { request, status, answer }: Sent & { answer: Answer }): string | undefined {
  if (status < 500) return undefined;
  if (status === 500 && route.path === '/notes/broken') return undefined;
  const isForeseen = status === 503 && Number(answer.headers.get('retry-after')) > 0;
  return isForeseen ? undefined : `${described(request)} answered ${status}: ${answer.text.slice(0, 300)}`;
}

/** Again and alone, since the machine may have been busy with something else. */
async function slowness(slow: Sent, boundMs: number, sent: Sent[]): Promise<string | undefined> {
  let best = slow.ms;
  for (let attempt = 0; attempt < 3 && best > boundMs; attempt += 1) {
    const again = await send(slow.request);
    if ('fault' in again) return again.fault;
    sent.push(again);
    best = Math.min(best, again.ms);
  }
  return best > boundMs ? `${described(slow.request)} took ${Math.round(best)} ms` : undefined;
}

async function harmlessMs(): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < 5; count += 1) {
    const began = performance.now();
    await running.api.post('/notes', { token: merchant.token, body: { text: 'harmless' } });
    times.push(performance.now() - began);
  }
  return Math.min(...times);
}

function described({ method, path, text }: FuzzRequest): string {
  return `${method} ${path.slice(0, 120)} ${String(text ?? '').slice(0, 200)}`;
}

function given(name: string, value: string | undefined): Record<string, string> {
  return value === undefined ? {} : { [name]: value };
}

function countBy(all: readonly number[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const one of all) counts[one] = (counts[one] ?? 0) + 1;
  return counts;
}

function loggedFailures(): number {
  return [...running.logText().matchAll(/"status":5\d\d,"ms".*"msg":"request"/g)].length;
}

async function countedFailures(): Promise<number> {
  const figures = await (await fetch(`${running.service.url}/metrics`)).text();
  const counts = figures.matchAll(/^remesa_http_request_seconds_count\{.*status="5\d\d".*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}
