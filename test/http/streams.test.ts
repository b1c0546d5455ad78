/** A listing without a database is answered with a status, never with half a body. */
import { beforeAll, expect, it } from 'vitest';
import { requestFor, withQuery } from '../access/route-requests.js';
import { newOperator, operatorToken } from '../harness/access.js';
import { FaultProxy } from '../harness/proxy.js';
import { useService } from '../harness/service.js';
import { useTestDatabase } from '../harness/test-database.js';
import { merchantWithToken, newUser } from '../harness/users.js';

const testDatabase = useTestDatabase();
const proxy = new FaultProxy(testDatabase.url);
const throughProxy = { ...testDatabase, url: '' };
const running = useService(throughProxy, {
  before: async () => {
    throughProxy.url = await proxy.listen();
  },
});
const tokens = { merchant: '', operator: '' };
beforeAll(async () => {
  tokens.merchant = (await merchantWithToken(running, 'acme')).token;
  await newOperator(testDatabase.database, 'admin', 'admin');
  tokens.operator = await operatorToken(running, 'admin');
});

it('answers 503 on every route that streams while the database is unavailable', async () => {
  const streams = running.service.routes.filter(({ kind }) => kind === 'stream');
  expect(streams.map(({ path }) => path)).toContain('/merchant/users');
  // Valid ids, so that the database is queried.
  const user = await newUser(running, { token: tokens.merchant });
  const isOfUser = ({ access }: (typeof streams)[number]) => 'user' in access && access.user === 'required';
  const pathOf = (route: (typeof streams)[number]) =>
    (isOfUser(route) ? withQuery(requestFor(route).path, `userId=${user.id}`) : requestFor(route).path)
      .replace('/kyc/unknown', `/kyc/kyc_${'0'.repeat(26)}`)
      .replace('/imports/unknown', `/imports/imp_${'0'.repeat(26)}`);
  const tokenFor = ({ access }: (typeof streams)[number]) =>
    access.token === 'operator' ? tokens.operator : tokens.merchant;
  // Remembered from here on, so that only the listing needs the database.
  for (const route of streams) await running.api.get(pathOf(route), { token: tokenFor(route) });
  await proxy.close();
  for (const route of streams) {
    const ask = { token: tokenFor(route) };
    const answer = await running.api.get(pathOf(route), ask);
    expect([route.path, answer.status, answer.json.code]).toEqual([route.path, 503, 'database_unavailable']);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
});
