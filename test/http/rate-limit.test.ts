import { describe, expect, it } from 'vitest';
import type { Caller } from '../../src/caller.js';
import { RemesaError } from '../../src/errors.js';
import type { Route } from '../../src/http/route.js';
import { FixedWindows } from '../../src/http/traffic/fixed-windows.js';
import { RateLimiter, type RatePolicy } from '../../src/http/traffic/rate-limit.js';
import { merchantId, operatorId, userId } from '../../src/ids.js';
import { notesRoutes } from '../rooms/notes.js';
import { useNotesService } from './notes-service.js';

const merchant = (id: number): Caller => ({
  kind: 'merchant',
  merchantId: merchantId(id),
  scopes: new Set(),
});
const user: Caller = { kind: 'user', merchantId: merchantId(1), userId: userId(107), scopes: new Set() };
const token = { tokenId: 'one', expiresAt: 0 };
const operator: Caller = { kind: 'operator', operatorId: operatorId(1), role: 'admin', token };
const [create, slowly] = notesRoutes() as [Route, Route];

interface Counted {
  ratelimit?: string;
  'ratelimit-policy'?: string;
  refusal?: RemesaError;
}

function limiterOf(...policies: RatePolicy[]) {
  const clock = { nowMs: 1000 };
  const limiter = new RateLimiter(policies, () => clock.nowMs);
  /** The RateLimit fields, and the refusal if there is one. */
  const count = (caller: Caller, route: Route = create): Counted => {
    const counted = limiter.counterOf(route)?.(caller);
    if (!counted) return {};
    const { policy, left, refusal } = counted;
    return { 'ratelimit-policy': policy, ratelimit: left, ...(refusal ? { refusal } : {}) };
  };
  return { clock, count };
}
const two: RatePolicy = { name: 'requests', requests: 2, windowSeconds: 60 };

describe('the rate limit', () => {
  it('counts down to nothing, then refuses until the window ends', () => {
    const { clock, count } = limiterOf(two);
    expect(count(merchant(1))).toEqual({
      'ratelimit-policy': '"requests";q=2;w=60',
      ratelimit: '"requests";r=1;t=60',
    });
    clock.nowMs += 10_500;
    expect(count(merchant(1)).ratelimit).toBe('"requests";r=0;t=50');
    const { refusal, ...fields } = count(merchant(1));
    expect(fields.ratelimit).toBe('"requests";r=0;t=50');
    expect(refusal).toBeInstanceOf(RemesaError);
    expect(refusal?.details).toEqual({
      retryAfterSeconds: 50,
      members: { policy: 'requests', max: 2, windowSeconds: 60 },
    });
  });

  it('opens a new window exactly when the old one ends, and not before', () => {
    const { clock, count } = limiterOf(two);
    count(merchant(1));
    count(merchant(1));
    clock.nowMs += 59_999;
    expect(count(merchant(1))).toHaveProperty('refusal');
    expect(count(merchant(1)).ratelimit).toBe('"requests";r=0;t=1');
    clock.nowMs += 1;
    expect(count(merchant(1))).toEqual({
      'ratelimit-policy': '"requests";q=2;w=60',
      ratelimit: '"requests";r=1;t=60',
    });
  });

  it('is counted per merchant, together with its user tokens, and apart from operators', () => {
    const { count } = limiterOf(two);
    count(merchant(1));
    count(user);
    expect(count(merchant(1))).toHaveProperty('refusal');
    expect(count(merchant(2)).ratelimit).toBe('"requests";r=1;t=60');
    expect(count(operator).ratelimit).toBe('"requests";r=1;t=60');
  });

  it('is that of the first policy that covers the route', () => {
    const quotes: RatePolicy = {
      name: 'quotes',
      requests: 5,
      windowSeconds: 10,
      path: slowly.path,
    };
    const { count } = limiterOf(quotes, two);
    expect(count(merchant(1), slowly).ratelimit).toBe('"quotes";r=4;t=10');
    expect(count(merchant(1), create).ratelimit).toBe('"requests";r=1;t=60');
  });

  it('adds no fields when no policy covers the route', () => {
    expect(limiterOf().count(merchant(1))).toEqual({});
  });
});

describe('the windows of many keys', () => {
  it('are deleted when they have ended and others need the memory', () => {
    const clock = { nowMs: 0 };
    const windows = new FixedWindows(1, 60, () => clock.nowMs, 100);
    for (let key = 0; key < 100; key += 1) windows.count(`ended ${key}`);
    clock.nowMs = 60_000;
    windows.count('new');
    expect(windows.size).toBe(1);
  });

  it('are deleted oldest first when all of them last, and the others keep their counts', () => {
    const windows = new FixedWindows(1, 60, () => 0, 100);
    for (let key = 0; key < 101; key += 1) windows.count(`key ${key}`);
    expect(windows.size).toBe(90);
    expect(windows.count('key 99').left).toBe(-1);
    expect(windows.count('key 0').left).toBe(0);
  });
});

describe('the rate limit over HTTP', () => {
  const notes = useNotesService({ settings: { REQUESTS_PER_MINUTE: '3' } });
  const ask = (token: string) => notes.api.get('/notes/empty', { token });

  it('reports what is left in each answer, refuses the next request and does not affect other callers', async () => {
    const answers = [await ask('merchant-1'), await ask('merchant-1'), await ask('merchant-1')];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    for (const [index, { headers }] of answers.entries()) {
      expect(headers.get('ratelimit-policy')).toBe('"requests";q=3;w=60');
      expect(headers.get('ratelimit')).toMatch(new RegExp(`^"requests";r=${2 - index};t=(60|5[0-9])$`));
    }
    const refused = await ask('merchant-1');
    expect(refused.json).toMatchObject({
      status: 429,
      code: 'rate_limited',
      detail: 'More than 3 requests in 60 s.',
      policy: 'requests',
      max: 3,
      windowSeconds: 60,
    });
    const reset = Number(/t=(\d+)$/.exec(refused.headers.get('ratelimit') ?? '')?.[1]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(reset);
    expect((await ask('merchant-2')).status).toBe(200);
  });

  it('does not count probes', async () => {
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => notes.api.get('/livez')));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(answers[0]?.headers.get('ratelimit')).toBeNull();
  });

  it('counts calls that are refused for other reasons, so that guessing is limited too', async () => {
    const asks = [1, 2, 3, 4].map(() => notes.api.post('/notes', { token: 'merchant-3', body: {} }));
    const statuses = (await Promise.all(asks)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([400, 400, 400, 429]);
  });
});
