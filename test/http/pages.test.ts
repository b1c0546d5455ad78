/** Pages: forms within limits, files as streams, one transaction, and failures that are pages. */
import { connect } from 'node:net';
import Type from 'typebox';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RemesaError } from '../../src/errors.js';
import { document, page, post } from '../../src/http/page-route.js';
import type { Route } from '../../src/http/route.js';
import { createLog } from '../../src/log.js';
import { CommitOutcomeUnknown } from '../../src/postgres/failure.js';
import { statement } from '../../src/postgres/statement.js';
import { useBareServer } from '../harness/bare-server.js';
import { eventually } from '../harness/eventually.js';
import { useTestDatabase } from '../harness/test-database.js';
import { openSocket, readToEnd } from './raw-socket.js';

const { database, sql } = useTestDatabase();
const lines: string[] = [];
/** What the verb of a post does before it writes. */
let beforeWriting: () => unknown = () => {};
let seen: { fields: [string, string][]; files: { name: string; bytes: number; before: string[] }[] };
let readingFailed = 0;

const addLine = statement('pages-test.add-line', 'INSERT INTO lines VALUES ($line)');
const described = {
  tag: 'Pages',
  summary: 'A page',
  access: { token: 'none' },
  showFailure: ({ status, code, path, wantsJson }) => ({
    ...(wantsJson ? { json: { code } } : { html: `<p>${status} ${code} ${path}</p>` }),
    headers: { 'x-shown': 'failure' },
  }),
} as const satisfies Partial<Parameters<typeof page>[0]>;

const routes: Route[] = [
  page({
    ...described,
    method: 'GET',
    path: '/page/{name}',
    operationId: 'look',
    params: Type.Object({ name: Type.String() }),
    async run({ params, search, acceptLanguage }) {
      if (params.name === 'broken') throw new Error('nobody foresaw this');
      if (params.name === 'gone') throw new RemesaError('not_found', 'not_found', 'No.');
      return { html: `<p>${params.name} ${search.q} ${acceptLanguage}</p>`, headers: { 'x-own': 'yes' } };
    },
  }),
  post({
    ...described,
    method: 'POST',
    path: '/page/{name}',
    operationId: 'post',
    params: Type.Object({ name: Type.String() }),
    async run(posted) {
      const form = await posted
        .readForm(async ({ name, bytes }, before) => {
          const known = [...before.keys()];
          let count = 0;
          for await (const chunk of bytes) {
            count += chunk.byteLength;
            if (count > 1_000_000) break;
          }
          return { name, bytes: count, before: known };
        })
        .catch((error: unknown) => {
          readingFailed += 1;
          throw error;
        });
      seen = { fields: [...form.fields], files: [...form.files] };
      await posted.change(async (tx) => {
        await tx.query(addLine, { line: posted.params.name });
        await beforeWriting();
      });
      return { status: 303, headers: { location: '../page/next' } };
    },
  }),
  page({
    ...described,
    access: { token: 'operator', role: 'reviewer' },
    method: 'GET',
    path: '/page-of-operators',
    operationId: 'lookAsOperator',
    run: async ({ caller }) => ({ html: `<p>${caller.role}</p>` }),
  }),
  document({
    tag: 'Pages',
    summary: 'A document',
    method: 'GET',
    path: '/document',
    operationId: 'make',
    access: { token: 'either', scope: 'kyc', user: 'none' },
    answer: Type.String(),
    async run(_call, tx) {
      await tx.query(addLine, { line: 'document' });
      return { html: '<p>made</p>', headers: { 'content-security-policy': "default-src 'self'" } };
    },
  }),
];

const bare = useBareServer({
  routes,
  edge: { database },
  log: createLog({ level: 'info', stream: { write: (line) => void lines.push(line) } }).log,
  live: true,
  bounds: { headersMs: 10_000, requestMs: 300, keepAliveMs: 500, checkEveryMs: 50, unreadMs: 500 },
});
const { server, shedder } = bare;

beforeAll(() => sql.query('CREATE TABLE lines (text text)'));
beforeEach(async () => {
  beforeWriting = () => {};
  seen = { fields: [], files: [] };
  readingFailed = 0;
  await sql.query('DELETE FROM lines');
});

const written = async () => (await sql.query('SELECT text FROM lines')).rows.map(({ text }) => text);
const submit = (body: BodyInit, headers: Record<string, string> = {}) =>
  fetch(`${bare.url}/page/a`, { method: 'POST', body, headers, redirect: 'manual' });

function formWith(parts: Record<string, string | number>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(parts)) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, new Blob([new Uint8Array(value)]), 'x.jpg');
  }
  return form;
}

describe('a page', () => {
  it('is HTML with its own headers', async () => {
    const answer = await fetch(`${bare.url}/page/x?q=1`, { headers: { 'accept-language': 'es' } });
    expect([answer.status, await answer.text()]).toEqual([200, '<p>x 1 es</p>']);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('x-own')).toBe('yes');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it.each([
    ['GET', 'gone', 404, 'not_found'],
    ['GET', 'broken', 500, 'internal_error'],
    ['PUT', 'x', 405, 'method_not_allowed'],
  ])('is a page as well when it fails: %s %s', async (method, name, status, code) => {
    const answer = await fetch(`${bare.url}/page/${name}`, { method });
    expect([answer.status, await answer.text()]).toEqual([status, `<p>${status} ${code} /page/${name}</p>`]);
    expect(answer.headers.get('x-shown')).toBe('failure');
    if (status === 405) expect(answer.headers.get('allow')).toBe('GET, HEAD, POST');
  });

  it.each([
    ['operator-reviewer', 200, '<p>reviewer</p>'],
    ['operator-viewer', 403, '<p>403 role_missing /page-of-operators</p>'],
    ['merchant-1', 401, '<p>401 unauthorized /page-of-operators</p>'],
  ])('shows operators %s with %i', async (token, status, text) => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${bare.url}/page-of-operators`, { headers });
    expect([answer.status, await answer.text()]).toEqual([status, text]);
  });

  it('is in the log with its route, not its address, when it failed', () => {
    const broken = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'unexpected error');
    expect(broken.map(({ route }) => route)).toEqual(['/page/:name']);
    expect(lines.join('')).not.toContain('/page/broken');
  });

  it('is refused with a page when the service is overloaded', async () => {
    for (let place = 0; place < 5; place += 1) shedder.enter('form');
    const answer = await fetch(`${bare.url}/page/x`);
    for (let place = 0; place < 5; place += 1) shedder.leave('form');
    expect([answer.status, await answer.text()]).toEqual([503, '<p>503 overloaded /page/x</p>']);
    expect(answer.headers.get('retry-after')).toBe('1');
  });
});

describe('a form', () => {
  it('is read without files, written in one transaction, and redirects', async () => {
    const answer = await submit(new URLSearchParams({ a: '1', b: 'ü &=' }));
    expect([answer.status, answer.headers.get('location'), seen.fields]).toEqual([
      303,
      '../page/next',
      [
        ['a', '1'],
        ['b', 'ü &='],
      ],
    ]);
    expect(await written()).toEqual(['a']);
  });

  it('passes on each file as it arrives, with the fields before it', async () => {
    expect((await submit(formWith({ token: 't', one: 200_000, later: 'x', two: 3 }))).status).toBe(303);
    expect(seen.files).toEqual([
      { name: 'one', bytes: 200_000, before: ['token'] },
      { name: 'two', bytes: 3, before: ['token', 'later'] },
    ]);
  });

  it('is read further after a file that was not read to its end', async () => {
    expect((await submit(formWith({ big: 5_000_000, after: 'x' }))).status).toBe(303);
    expect(seen.fields).toEqual([['after', 'x']]);
    expect(seen.files[0]?.bytes).toBeLessThan(1_200_000);
  });

  it('distinguishes a file that was not chosen from an empty file', async () => {
    const form = new FormData();
    form.append('none', new Blob([]), '');
    form.append('empty', new Blob([]), 'empty.jpg');
    expect((await submit(form)).status).toBe(303);
    expect(seen.files.map(({ name, bytes }) => [name, bytes])).toEqual([['empty', 0]]);
  });

  const boundary = { 'content-type': 'multipart/form-data; boundary=b' };
  const part = (name: string, value: string) =>
    `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

  it.each<[string, number, () => BodyInit, Record<string, string>]>([
    ['too many fields', 413, () => new URLSearchParams(Array.from({ length: 101 }, (_, i) => [`f${i}`, ''])), {}],
    ['a field of 70 kB', 413, () => new URLSearchParams({ a: 'x'.repeat(70_000) }), {}],
    ['a part of 70 kB', 413, () => formWith({ a: 'x'.repeat(70_000) }), {}],
    [
      'ten parts of 7 kB',
      413,
      () => formWith(Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`f${i}`, 'x'.repeat(7000)]))),
      {},
    ],
    ['101 parts', 413, () => `${Array.from({ length: 101 }, (_, i) => part(`f${i}`, '')).join('')}--b--`, boundary],
    ['five files', 413, () => formWith({ a: 1, b: 1, c: 1, d: 1, e: 1 }), {}],
    ['no boundary', 400, () => part('a', '1'), { 'content-type': 'multipart/form-data' }],
    ['no end', 400, () => part('a', '1'), boundary],
    [
      'a part whose head has no end',
      400,
      () => '--b\r\ncontent-disposition: form-data; name="a"\r\n\0\r\nx\r\n--b--\r\n',
      boundary,
    ],
    ['no parts', 400, () => 'nothing of the kind', boundary],
    ['nothing at all', 400, () => '', boundary],
    ['JSON', 415, () => '{}', { 'content-type': 'application/json' }],
    ['no type', 415, () => new Blob(['a=1']), {}],
  ])('is refused with a page when it is of %s, and nothing is written', async (_, status, body, headers) => {
    const answer = await submit(body(), headers);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
    expect(await answer.text()).toMatch(/^<p>4\d\d (body_too_large|malformed_body|unsupported_media_type)/);
    expect(await written()).toEqual([]);
  });

  it('is cut off when it has more bytes than any form needs', async () => {
    const answer = await submit(formWith({ a: 30_000_000, b: 30_000_000 })).catch(() => undefined);
    expect(answer?.status ?? 413).toBe(413);
    expect(await written()).toEqual([]);
  });

  it('does not confuse its field names with inherited properties', async () => {
    expect((await submit(new URLSearchParams({ __proto__: 'x', constructor: 'y', a: '1' }))).status).toBe(303);
    expect(({} as { x?: unknown }).x).toBe(undefined);
    expect(seen.fields).toContainEqual(['constructor', 'y']);
  });

  it('ends when its sender disconnects in the middle of a file', async () => {
    const { arrivals } = server.traffic;
    await eventually(() => arrivals.inLane('form') === 0);
    const { port, hostname } = new URL(bare.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.write(
      'POST /page/a HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=b\r\ncontent-length: 90000\r\n\r\n' +
        '--b\r\ncontent-disposition: form-data; name="f"; filename="f.jpg"\r\n\r\nbeginning',
    );
    await eventually(() => arrivals.inLane('form') === 1);
    socket.destroy();
    await eventually(() => readingFailed === 1 && arrivals.inLane('form') === 0);
    expect(await written()).toEqual([]);
  });

  it('writes nothing and takes no working slot after it was dropped, although the rest of it arrives', async () => {
    const { arrivals } = server.traffic;
    let letWrite = () => {};
    const mayWrite = new Promise<void>((resolve) => {
      letWrite = resolve;
    });
    await eventually(() => arrivals.inLane('form') === 0);
    beforeWriting = () => mayWrite;
    const socket = openSocket(bare.url);
    const answers = readToEnd(socket);
    const body = `${part('a', '1')}--b--\r\n`;
    const type = `content-type: ${boundary['content-type']}`;
    // The first answer is waited for, so that the second, with which the connection is closed, has to wait as well.
    socket.write(
      'POST /page/first HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: 1\r\n\r\na' +
        `POST /page/dropped HTTP/1.1\r\nhost: x\r\n${type}\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, 9)}`,
    );
    await eventually(() => arrivals.inLane('form') === 1 && shedder.inLane('form') === 1);
    arrivals.dropAll();
    socket.write(body.slice(9));
    await eventually(() => readingFailed === 1 || seen.fields.some(([, value]) => value === '1'));
    expect(shedder.inLane('form')).toBe(1);
    letWrite();
    const { all } = await answers;
    expect([...all.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => match[1])).toEqual(['303', '503']);
    expect([readingFailed, shedder.inLane('form'), await written()]).toEqual([1, 0, ['first']]);
  });

  it('may take longer to arrive than any other request', async () => {
    const { port, hostname } = new URL(bare.url);
    const socket = connect(Number(port), hostname);
    const body = `${part('a', '1')}--b--\r\n`;
    socket.write(
      `POST /page/a HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: ${boundary['content-type']}\r\ncontent-length: ${body.length}\r\n\r\n`,
    );
    // Three times as long as others may take here.
    const pieces = Array.from({ length: 10 }, (_, index) =>
      body.slice(index * 6, index === 9 ? undefined : (index + 1) * 6),
    );
    for (const piece of pieces) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      socket.write(piece);
    }
    const answer = await new Promise<string>((resolve) => {
      socket.once('data', (data) => resolve(String(data)));
      socket.once('close', () => resolve('closed'));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 303 /);
  });
});

describe('the change of a form', () => {
  const failing = (code: string, times: number) => {
    let left = times;
    return () => {
      if (left-- > 0) throw Object.assign(new Error(code), { code });
    };
  };

  it.each(['40001', '40P01'])('is written again when the database says %s, and stands there once', async (code) => {
    beforeWriting = failing(code, 2);
    expect((await submit(new URLSearchParams())).status).toBe(303);
    expect(await written()).toEqual(['a']);
  });

  it('is rolled back when it fails', async () => {
    beforeWriting = () => {
      throw new RemesaError('unavailable', 'database_unavailable', 'Not now.');
    };
    const answer = await submit(new URLSearchParams());
    expect([answer.status, await answer.text()]).toEqual([503, '<p>503 database_unavailable /page/a</p>']);
    expect(await written()).toEqual([]);
  });

  it('is answered with outcome_unknown when the answer to COMMIT was lost', async () => {
    beforeWriting = () => {
      throw new CommitOutcomeUnknown('the line broke');
    };
    const answer = await submit(new URLSearchParams());
    expect([answer.status, await answer.text()]).toEqual([503, '<p>503 outcome_unknown /page/a</p>']);
  });

  it('is answered to a script in JSON when it fails', async () => {
    const answer = await submit(new URLSearchParams(Array.from({ length: 101 }, (_, i) => [`f${i}`, ''])), {
      accept: 'application/json',
    });
    expect([answer.status, await answer.json()]).toEqual([413, { code: 'body_too_large' }]);
  });
});

describe('a document for programs', () => {
  const ask = (method: string, token?: string) =>
    fetch(`${bare.url}/document`, { method, headers: token ? { authorization: `Bearer ${token}` } : {} });

  it('is made by GET and not by HEAD', async () => {
    const head = await ask('HEAD', 'merchant-1');
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await written()).toEqual([]);
    const answer = await ask('GET', 'merchant-1');
    expect([answer.status, await answer.text()]).toEqual([200, '<p>made</p>']);
    expect(answer.headers.get('content-security-policy')).toBe("default-src 'self'");
    expect(await written()).toEqual(['document']);
  });

  it('answers errors as problem documents', async () => {
    const answer = await ask('GET');
    expect([answer.status, (await answer.json()).code]).toEqual([401, 'unauthorized']);
  });
});
