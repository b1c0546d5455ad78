/** A service behind a proxy that takes a path away: everything it says of its own address has that path. */
import { describe, expect, it } from 'vitest';
import { useService } from '../harness/service.js';
import { useTestDatabase } from '../harness/test-database.js';
import { sendRaw } from '../http/raw-socket.js';

const baseUrl = 'https://pay.example.com/remesa';
const running = useService(useTestDatabase(), { settings: { BASE_URL: `${baseUrl}/` } });

describe('with a path in BASE_URL', () => {
  it.each([
    ['/nowhere', 'not_found'],
    ['/merchant/users', 'unauthorized'],
    ['/kyc/cases/%zz', 'malformed_request'],
  ])('the type of a problem is an absolute address with the path: %s', async (path, code) => {
    const answer = await fetch(`${running.service.url}${path}`);
    expect(await answer.json()).toMatchObject({ type: `${baseUrl}/docs/errors#${code}`, code });
  });

  it('the type of an answer to what is not HTTP is such an address too', async () => {
    const { body } = await sendRaw(running.service.url, 'hello\r\n\r\n');
    expect(JSON.parse(body).type).toBe(`${baseUrl}/docs/errors#malformed_request`);
  });

  it('the OpenAPI document names the address, and guides show it in their commands', async () => {
    const document = await (await fetch(`${running.service.url}/openapi.json`)).json();
    expect(document.servers).toEqual([{ url: baseUrl, description: 'This service' }]);
    const guide = await (await fetch(`${running.service.url}/docs/guides/webhooks`)).text();
    expect(guide).toContain(`${baseUrl}/oauth/token`);
    expect(guide).not.toContain('127.0.0.1:3000');
  });
});
