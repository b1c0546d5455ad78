import { beforeAll, describe, expect, it } from 'vitest';
import { operatorTokens } from '../harness/access.js';
import { Api } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { useService } from '../harness/service.js';
import { useTestDatabase } from '../harness/test-database.js';
import { type Merchant, merchantWithToken } from '../harness/users.js';

const metricsToken = 'a-token-of-24-characters';
const settings = { OPERATOR_PORT: '0', METRICS_TOKEN: metricsToken };
const remesa = useService(useTestDatabase(), { settings });
let tokens: Record<'the-admin' | 'the-viewer', string>;
let acme: Merchant;

beforeAll(async () => {
  tokens = await operatorTokens(
    { api: inside(), service: remesa.service },
    { 'the-admin': 'admin', 'the-viewer': 'viewer' },
  );
  acme = await merchantWithToken(remesa, 'acme');
});

const at = (url: string) => new Api(url, undefined);
const publicly = () => at(remesa.service.url);
const inside = () => at(remesa.service.operatorUrl);

describe('with OPERATOR_PORT', () => {
  it('operators are served at their own port, and do not exist at the public one', async () => {
    const token = tokens['the-admin'];
    expect((await inside().get('/operator/me', { token })).status).toBe(200);
    expect((await publicly().get('/operator/me', { token })).status).toBe(404);
    const login = { body: { login: 'the-admin', password: 'wrong' } };
    expect((await publicly().post('/operator/login', login)).status).toBe(404);
    expect((await inside().post('/operator/login', login)).status).toBe(401);
  });

  it('metrics are served at the port of operators only', async () => {
    const headers = { authorization: `Bearer ${metricsToken}` };
    expect((await publicly().get('/metrics', { headers })).status).toBe(404);
    const answer = await inside().get('/metrics', { headers });
    expect(answer.status).toBe(200);
    expect(answer.text).toMatch(/^remesa_http_connections [1-9]/m);
  });

  it('merchants are served at the public port only', async () => {
    const { token } = acme;
    expect((await publicly().get('/merchant/users', { token })).status).toBe(200);
    expect((await inside().get('/merchant/users', { token })).status).toBe(404);
    expect((await inside().get('/docs')).status).toBe(404);
  });

  it('both ports have the probes', async () => {
    for (const api of [publicly(), inside()])
      for (const probe of ['/livez', '/readyz']) expect((await api.get(probe)).status).toBe(200);
  });
});

describe('the log of requests', () => {
  const linesOf = (requestId: string) =>
    remesa
      .logText()
      .split('\n')
      .filter((line) => line.includes(requestId))
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  it('names operators by their login', async () => {
    await inside().get('/operator/me', { token: tokens['the-viewer'], headers: { 'x-request-id': 'who-1' } });
    expect(await eventually(() => linesOf('who-1')[0])).toMatchObject({ operator: 'the-viewer', level: 'info' });
  });

  it('has probes and scrapes at the level debug', async () => {
    await publicly().get('/livez', { headers: { 'x-request-id': 'probe-1' } });
    expect(await eventually(() => linesOf('probe-1')[0])).toMatchObject({ route: '/livez', level: 'debug' });
  });

  it('has a line for a failed login, without the login of nobody, which may be a password', async () => {
    const headers = { 'x-request-id': 'failed-1' };
    await inside().post('/operator/login', { body: { login: 'the-viewer', password: 'wrong' }, headers });
    const failed = await eventually(() => linesOf('failed-1').find(({ msg }) => msg === 'login failed'));
    expect(failed).toMatchObject({ level: 'warn', operator: 'the-viewer', reason: 'wrong_password' });
    const body = { login: 'my-secret-password', password: 'x' };
    await inside().post('/operator/login', { body, headers: { 'x-request-id': 'failed-2' } });
    await eventually(() => linesOf('failed-2').find(({ msg }) => msg === 'login failed'));
    expect(remesa.logText()).not.toContain('my-secret-password');
  });
});
