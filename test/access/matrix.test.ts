/**
 * Every route against the callers that it must refuse, generated from the routes so that none is forgotten. Where
 * nothing in a refusal depends on the route, the kinds of refused callers take turns: each route meets one of them, and
 * `npm run test:faults` shows each route all of them.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { operatorRoles, scopes } from '../../src/caller.js';
import type { MerchantAccess } from '../../src/http/access.js';
import { isAudited, type Route } from '../../src/http/route.js';
import { setMerchantStatus } from '../../src/merchants/service.js';
import {
  bySystem,
  type Client,
  newMerchant,
  newOperator,
  oneInstance,
  operatorToken,
  type Running,
  statusOf,
  tokenOf,
  useNodes,
} from '../harness/access.js';
import type { Answer } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { rounds } from '../harness/rounds.js';
import { notesTable } from '../rooms/notes.js';
import { goodClaims, goodHeader, type OwnKey, ownKey, signed } from '../tokens/forge.js';
import { nameOf, requestFor, sentBody, withQuery } from './route-requests.js';

const issuer = oneInstance.BASE_URL;
const nobody = { id: 999_999, externalClientId: 'cli_00000000000000000000000000' };

interface User {
  readonly id: number;
  readonly externalClientId: string;
}

const { sql, startNode } = useNodes();
let node: Running;
let acme: Client;
let key: OwnKey;
let own: User;
let ownOther: User;
let deleted: User;
let foreign: User;
let merchantToken: string;
let userToken: string;
let deletedUserToken: string;
let foreignToken: string;
let suspendedToken: string;
const operatorTokens = new Map<string, string>();

beforeAll(async () => {
  await sql.query(notesTable);
  node = await startNode();
  const { database } = node.service;
  key = await ownKey(database);
  acme = await newMerchant(database, 'acme');
  merchantToken = await tokenOf(node, acme);
  foreignToken = await tokenOf(node, await newMerchant(database, 'other'));
  own = await newUser(merchantToken);
  ownOther = await newUser(merchantToken);
  deleted = await newUser(merchantToken);
  foreign = await newUser(foreignToken);
  userToken = await tokenOf(node, acme, { user_id: String(own.id) });
  deletedUserToken = await tokenOf(node, acme, { user_id: String(deleted.id) });
  const gone = await node.api.call('DELETE', `/user?userId=${deleted.id}`, { token: merchantToken });
  expect(gone.status).toBe(200);
  for (const role of operatorRoles) {
    await newOperator(database, role, role);
    operatorTokens.set(role, await operatorToken(node, role));
  }
  const suspended = await newMerchant(database, 'suspended');
  suspendedToken = await tokenOf(node, suspended);
  await database.transaction((tx) => setMerchantStatus(tx, bySystem, 'suspended', 'suspended'));
  await eventually(async () => (await statusOf(node, suspendedToken)) === 401);
});

async function newUser(token: string): Promise<User> {
  const route = node.service.routes.find(({ operationId }) => operationId === 'createUser');
  if (!route) throw new Error('no route creates users');
  return (await ask(route, token)).json;
}

type MerchantRoute = Route & { readonly access: MerchantAccess };
const isOfMerchants = (route: Route): route is MerchantRoute => 'scope' in route.access;
const merchantRoutes = () => node.service.routes.filter(isOfMerchants);
const operatorRoutes = () => node.service.routes.filter((route) => route.access.token === 'operator');
const publicRoutes = () => node.service.routes.filter((route) => route.access.token === 'none');
const closedRoutes = () => node.service.routes.filter((route) => route.access.token !== 'none');
const selectingRoutes = () => merchantRoutes().filter((route) => route.access.user !== 'none');

function ask(route: Route, token: string | undefined, query = '', method: string = route.method): Promise<Answer> {
  const { path, body } = requestFor(route);
  const sent = sentBody(route, body);
  return node.anywhere.call(method, query ? withQuery(path, query) : path, {
    ...(token === undefined ? {} : { token }),
    ...sent,
    headers: { 'x-request-id': 'r-1', ...sent.headers },
  });
}

/** Everything that a caller can see, except the date. */
function shown({ status, text, headers }: Answer): object {
  const seen = [...headers].filter(([name]) => !['date', 'ratelimit', 'ratelimit-policy'].includes(name));
  return { status, text, headers: Object.fromEntries(seen) };
}

const the401 = () => ({
  status: 401,
  text:
    `{"type":"${issuer}/docs/errors#unauthorized","title":"Unauthorized","status":401,` +
    '"detail":"A valid access token is required.","code":"unauthorized","requestId":"r-1"}',
  headers: {
    'cache-control': 'no-store',
    connection: 'keep-alive',
    'content-length': String(157 + issuer.length),
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'content-type': 'application/problem+json; charset=utf-8',
    'cross-origin-resource-policy': 'same-origin',
    'keep-alive': 'timeout=72',
    'referrer-policy': 'no-referrer',
    'www-authenticate': 'Bearer',
    'x-content-type-options': 'nosniff',
    'x-request-id': 'r-1',
  },
});

/** One look at each route; what differs from the expectation, by the route's name. */
async function expectEach(
  routes: readonly Route[],
  look: (route: Route) => Promise<unknown>,
  expected: (route: Route) => unknown,
): Promise<void> {
  expect(routes.length).toBeGreaterThan(0);
  for (const route of routes) expect.soft(await look(route), nameOf(route)).toEqual(expected(route));
}

/** The routes on which a kind is tried. Together the kinds cover all routes. */
function turnOf(kind: number, kinds: number, routes: readonly Route[]): readonly Route[] {
  return rounds(
    routes.filter((_, index) => index % kinds === kind),
    routes,
  );
}

const refusedWith = (answer: Answer) => [answer.status, answer.json.code];

describe('every route that is not public', () => {
  const made = (change: object) => {
    const now = Math.floor(Date.now() / 1000);
    return signed(key, goodHeader(key), { ...goodClaims(issuer, acme.merchant, now), ...change });
  };
  const anHour = 3600;
  const now = Math.floor(Date.now() / 1000);
  const asOperator = { sub: 'operator:3', scope: 'admin', client_id: 'operator' };

  it('answers the same 401 for no token', async () => {
    await expectEach(closedRoutes(), async (route) => shown(await ask(route, undefined)), the401);
  });

  const refused: [string, () => string][] = [
    ['garbage', () => 'garbage'],
    ['an expired merchant’s token', () => made({ iat: now - 2 * anHour, nbf: now - 2 * anHour, exp: now - anHour })],
    ['one that is not yet valid', () => made({ nbf: now + anHour, exp: now + 2 * anHour })],
    ['one of another audience', () => made({ aud: 'https://other.example' })],
    ['one of another issuer', () => made({ iss: 'https://other.example' })],
    ['a merchant’s token for the operators’ audience', () => made({ aud: `${issuer}/operator` })],
    ['an operator’s token for the merchants’ audience', () => made(asOperator)],
    ['an expired operator’s token', () => made({ ...asOperator, aud: `${issuer}/operator`, exp: now - 1 })],
    ['a suspended merchant’s token', () => suspendedToken],
    ['a deleted user’s token', () => deletedUserToken],
  ];

  it.each(refused.map(([name, token], kind) => ({ name, token, kind })))(
    'answers the same 401 for $name',
    async ({ token, kind }) => {
      const routes = turnOf(kind, refused.length, closedRoutes());
      await expectEach(routes, async (route) => shown(await ask(route, token())), the401);
    },
  );

  it('answers the same 401 for an operator’s token on the routes of merchants, whatever the role', async () => {
    for (const [kind, role] of operatorRoles.entries()) {
      const routes = turnOf(kind, operatorRoles.length, merchantRoutes());
      await expectEach(routes, async (route) => shown(await ask(route, operatorTokens.get(role))), the401);
    }
  });

  it('answers the same 401 for a merchant’s or a user’s token on the routes of operators', async () => {
    for (const [kind, token] of [merchantToken, userToken, foreignToken].entries()) {
      await expectEach(turnOf(kind, 3, operatorRoutes()), async (route) => shown(await ask(route, token)), the401);
    }
  });

  it('answers 401 for HEAD too, and before it reports anything about the body or the user', async () => {
    const reading = closedRoutes().filter((route) => route.method === 'GET');
    await expectEach(
      reading,
      async (route) => (await ask(route, undefined, '', 'HEAD')).status,
      () => 401,
    );
    await expectEach(
      closedRoutes(),
      async (route) => {
        const answer = await node.anywhere.call(route.method, `${requestFor(route).path}`, {
          ...(route.method === 'GET' ? {} : { text: '{"not json' }),
          headers: { 'x-request-id': 'r-1' },
        });
        return shown(answer);
      },
      the401,
    );
  });
});

describe('a public route', () => {
  it('never asks for a token, and ignores an invalid one', async () => {
    for (const token of [undefined, 'garbage', suspendedToken]) {
      await expectEach(
        publicRoutes().filter((route) => !(route.protocol && token)),
        async (route) => (await ask(route, token)).text.includes('A valid access token is required'),
        () => false,
      );
    }
  });
});

describe('every route of merchants', () => {
  const made = new Map<string, Promise<string>>();
  const tokenFor = ({ access }: MerchantRoute, asked: readonly string[]) => {
    const fields = { scope: asked.join(' '), ...(access.token === 'user' ? { user_id: String(own.id) } : {}) };
    const key = JSON.stringify(fields);
    const token = made.get(key) ?? tokenOf(node, acme, fields);
    made.set(key, token);
    return token;
  };

  it('refuses a token without its scope, and names the scope', async () => {
    await expectEach(
      merchantRoutes(),
      async (route) => {
        const { access } = route as MerchantRoute;
        const token = await tokenFor(
          route as MerchantRoute,
          scopes.filter((scope) => scope !== access.scope),
        );
        const { status, json } = await ask(route, token);
        return [status, json.code, json.requiredScope];
      },
      (route) => [403, 'scope_missing', (route as MerchantRoute).access.scope],
    );
  });

  it('accepts the kind of token that it declares, and no other', async () => {
    await expectEach(
      merchantRoutes().filter((route) => route.access.token === 'merchant'),
      async (route) => refusedWith(await ask(route, userToken)),
      () => [403, 'merchant_token_required'],
    );
    const ofUsers = merchantRoutes().filter((route) => route.access.token === 'user');
    for (const route of ofUsers)
      expect(refusedWith(await ask(route, merchantToken)), nameOf(route)).toEqual([403, 'user_token_required']);
  });
});

describe('every route that is about a user', () => {
  const required = () => selectingRoutes().filter((route) => route.access.user === 'required');
  const takesMerchants = (route: MerchantRoute) => route.access.token !== 'user';
  const takesUsers = (route: MerchantRoute) => route.access.token !== 'merchant';

  it('answers user_not_selected when no user is named', async () => {
    await expectEach(
      required().filter(takesMerchants),
      async (route) => refusedWith(await ask(route, merchantToken)),
      () => [400, 'user_not_selected'],
    );
  });

  it('gives the same answer for the user of another merchant, an unknown user and a deleted one', async () => {
    const byId = [foreign, nobody, deleted].map(({ id }) => `userId=${id}`);
    const byName = [foreign, nobody, deleted].map(({ externalClientId }) => `externalClientId=${externalClientId}`);
    await expectEach(
      selectingRoutes().filter(takesMerchants),
      async (route) => {
        const answers = [];
        // Both ways of naming a user, by turns of the routes.
        const isEven = selectingRoutes().indexOf(route as MerchantRoute) % 2 === 0;
        for (const selector of rounds(isEven ? byId : byName, [...byId, ...byName]))
          answers.push(await ask(route, merchantToken, selector));
        const looks = new Set(answers.map((answer) => JSON.stringify(shown(answer))));
        return [looks.size, answers[0] && refusedWith(answers[0])];
      },
      () => [1, [404, 'user_not_found']],
    );
  });

  it('finds the user with the token of its merchant, and not with that of another', async () => {
    await expectEach(
      selectingRoutes().filter(takesMerchants),
      async (route) => refusedWith(await ask(route, foreignToken, `userId=${own.id}`)),
      () => [404, 'user_not_found'],
    );
  });

  it('refuses a user token for another user', async () => {
    await expectEach(
      selectingRoutes().filter(takesUsers),
      async (route) => [
        refusedWith(await ask(route, userToken, `userId=${ownOther.id}`)),
        refusedWith(await ask(route, userToken, `userId=${foreign.id}`)),
        refusedWith(await ask(route, userToken, `externalClientId=${nobody.externalClientId}`)),
      ],
      () => [
        [400, 'user_selector_conflict'],
        [404, 'user_not_found'],
        [404, 'user_not_found'],
      ],
    );
  });
});

describe('every route of operators', () => {
  it('refuses a lower role than the one that it declares', async () => {
    for (const [rank, role] of operatorRoles.entries()) {
      const routes = operatorRoutes().filter(
        ({ access }) => access.token === 'operator' && operatorRoles.indexOf(access.role) > rank,
      );
      const needed = (route: Route) => route.access.token === 'operator' && route.access.role;
      for (const route of routes) {
        const { status, json } = await ask(route, operatorTokens.get(role));
        expect([status, json.code, json.requiredRole], `${role} on ${nameOf(route)}`).toEqual([
          403,
          'role_missing',
          needed(route),
        ]);
      }
    }
  });
});

describe('what the audit log records', () => {
  it('is every look at personal data, which only reviewers may have', () => {
    const audited = node.service.routes.filter(isAudited);
    expect(audited.map(({ operationId }) => operationId).sort()).toEqual([
      'getBlock',
      'getCase',
      'getCaseReport',
      'getComplaint',
      'getHold',
      'getKycCaseFile',
      'getKycDocument',
      'getOrderDocument',
      'getOrderNotes',
      'getOrderReview',
      'getPayment',
      'getPayout',
      'getPerson',
      'getScreeningHit',
      'getSuspense',
      'getUserRisk',
      'listOrderPayments',
      'listPaymentImportResults',
      'listPayments',
    ]);
    for (const { access } of audited) expect(access).toEqual({ token: 'operator', role: 'reviewer' });
  });
});

describe('a caller with the declared token', () => {
  const refusals = ['unauthorized', 'scope_missing', 'role_missing', 'merchant_token_required', 'user_not_found'];
  // The examples of operators' commands name users who are not here.
  const ofOperators = refusals.filter((code) => code !== 'user_not_found');

  // These tests come last, because their calls are carried out.
  it('is not refused by any route', async () => {
    await expectEach(
      closedRoutes(),
      async (route) => {
        const { access } = route;
        if (access.token === 'operator') {
          // A login of its own for the route that ends it.
          const endsToken = route.operationId === 'logOut';
          const token = endsToken ? await operatorToken(node, access.role) : operatorTokens.get(access.role);
          return isRefused(await ask(route, token), ofOperators);
        }
        // Each route gets its own user, because one of them deletes the user.
        const { id } = await newUser(merchantToken);
        if (access.token === 'user')
          return isRefused(await ask(route, await tokenOf(node, acme, { user_id: `${id}` })));
        const isAboutUser = isOfMerchants(route) && route.access.user !== 'none';
        return isRefused(await ask(route, merchantToken, isAboutUser ? `userId=${id}` : ''));
      },
      () => false,
    );
  });

  function isRefused({ status, text }: Answer, codes: readonly string[] = refusals): boolean | string {
    const code = /"code":"(\w+)"/.exec(text)?.[1] ?? '';
    return status >= 400 && codes.includes(code) ? code : false;
  }
});
