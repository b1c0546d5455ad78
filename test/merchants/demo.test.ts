import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startEmbeddedPostgres } from '../../src/postgres/embedded/server.js';
import { askToken, newMerchant, postForm, startNode, stopNodesAfterAll } from '../harness/access.js';
import { copyNewCluster } from '../harness/new-cluster.js';
import { useTestDatabase } from '../harness/test-database.js';

const folder = mkdtempSync(join(tmpdir(), 'remesa-live-'));
let stopServer = async () => {};
afterAll(async () => {
  await stopServer();
  rmSync(folder, { recursive: true, force: true });
});
stopNodesAfterAll();
const { url } = useTestDatabase();
const demo = { clientId: 'demo', clientSecret: 'demo-secret' };

describe('the demo merchant', () => {
  it('exists in the sandbox and is created once', async () => {
    const node = await startNode(url);
    expect((await askToken(node, demo)).status).toBe(200);
    const again = await startNode(url);
    expect((await askToken(again, demo)).status).toBe(200);
  });

  // The server of the tests is not durable, and live mode refuses that. So this test starts a durable one.
  it('does not exist in live mode', async () => {
    await copyNewCluster(folder);
    const server = await startEmbeddedPostgres({ dataDirectory: folder, say: () => {} });
    stopServer = () => server.stop();
    const node = await startNode(server.connectionString, {
      settings: { MODE: 'live', BASE_URL: 'https://pay.example.com' },
    });
    const fields = { grant_type: 'client_credentials', client_id: 'demo', client_secret: 'demo-secret' };
    const answer = await postForm(node.api, '/oauth/token', fields, { 'x-request-id': 'r-1' });
    expect([answer.status, answer.json.error]).toEqual([401, 'invalid_client']);
    const unknown = await postForm(node.api, '/oauth/token', { ...fields, client_id: 'nobody' });
    expect(answer.text).toBe(unknown.text);

    const acme = await newMerchant(node.service.database, 'acme');
    expect((await askToken(node, acme)).status).toBe(200);
    const rehearsals = node.service.routes.filter(({ path }) => path.startsWith('/sandbox'));
    expect(rehearsals).toEqual([]);
    const metadata = (await node.api.get('/.well-known/oauth-authorization-server')).json;
    expect([metadata.issuer, metadata.token_endpoint]).toEqual([
      'https://pay.example.com',
      'https://pay.example.com/oauth/token',
    ]);
  });
});
