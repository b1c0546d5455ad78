/** Who sends without end, too slowly, too many parts or not what was announced is cut off; others do not notice. */
import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { oddNames } from '../documents/hostile-file.js';
import { eventually } from '../harness/eventually.js';
import type { RunningService } from '../harness/processes.js';
import { openSocket, type RawAnswer, sendRaw } from '../http/raw-socket.js';
import { useKycService } from '../kyc/kyc-service.js';
import { figuresOf, newDocumentPage, useServiceApart, watch } from './service-apart.js';
import { headingOf, photograph, send } from './visiting.js';

const kyc = useKycService();
const sharedService = useServiceApart(kyc);

const jpegHead = Buffer.from([0xff, 0xd8, 0xff, 0xe0]);
const part = (fileName = 'a.jpg') =>
  `--edge\r\ncontent-disposition: form-data; name="documentFront"; filename="${fileName}"\r\ncontent-type: image/jpeg\r\n\r\n`;
const head = (page: string, length: string) =>
  `POST ${new URL(page).pathname}?lang=es HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=edge\r\n${length}\r\n\r\n`;

/** Nothing under way, nothing kept, nothing on the disk. */
async function expectNothingLeft(service: RunningService & { filesLeft(): string[] }, page: string) {
  await eventually(
    async () => {
      const { requestsInFlight, uploadsArriving } = await figuresOf(service);
      return requestsInFlight === 0 && uploadsArriving === 0;
    },
    { what: 'nothing under way' },
  );
  const { rows } = await kyc.sql.query('SELECT count(*)::int AS kept FROM kyc_documents');
  expect([rows, service.filesLeft()]).toEqual([[{ kept: 0 }], []]);
  // And the same form takes a picture as if nothing had been.
  const answer = await send(page, {}, { documentFront: await photograph() });
  expect([answer.status, answer.html.includes('Received: photo')]).toEqual([422, true]);
  await kyc.sql.query('DELETE FROM kyc_attachments');
  await kyc.sql.query('DELETE FROM kyc_documents');
}

const titleIn = ({ body }: RawAnswer) => headingOf(Buffer.from(body, 'latin1').toString());

/** How many bodies were cut off unread. */
async function cutBodies({ url }: RunningService): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^remesa_http_dropped_total{lane="form",reason="unread_body"} (\d+)$/m.exec(text)?.[1] ?? 0);
}

/** The counter may follow the end of the connection. */
function expectOneMoreCut(service: RunningService, before: number): Promise<unknown> {
  return eventually(async () => (await cutBodies(service)) === before + 1, { what: 'the cut being counted' });
}

/** As fast as the other end takes it, until that one has had enough. */
async function pourInto(socket: Socket): Promise<number> {
  const piece = Buffer.alloc(64 * 1024);
  const chunk = Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]);
  const closed = new Promise((close) => socket.once('close', close));
  let poured = 0;
  while (!socket.destroyed && poured < 512 * 1024 * 1024) {
    poured += piece.length;
    if (!socket.write(chunk)) await Promise.race([new Promise((goOn) => socket.once('drain', goOn)), closed]);
  }
  return poured;
}

it('a file without an end is cut off, and the cut is counted', async () => {
  const service = await sharedService();
  const page = await newDocumentPage(kyc, service);
  const stopWatching = watch(service);
  const before = await figuresOf(service);
  const cutBefore = await cutBodies(service);
  const socket = openSocket(service.url);
  let answer = '';
  socket.on('data', (data) => {
    answer += data.toString();
  });
  const first = Buffer.concat([Buffer.from(part()), jpegHead]);
  socket.write(head(page, 'transfer-encoding: chunked'));
  socket.write(Buffer.concat([Buffer.from(`${first.length.toString(16)}\r\n`), first, Buffer.from('\r\n')]));
  expect(await pourInto(socket)).toBeLessThan(64 * 1024 * 1024);
  expect([answer.slice(0, 12), headingOf(answer)]).toEqual(['HTTP/1.1 413', 'Era demasiado grande']);
  await expectOneMoreCut(service, cutBefore);
  const worst = await stopWatching();
  expect(worst.isReady).toBe(true);
  expect(worst.residentBytes - before.residentBytes).toBeLessThan(100 * 1024 * 1024);
  await expectNothingLeft(service, page);
});

it('ten thousand parts are too many', async () => {
  const service = await sharedService();
  const page = await newDocumentPage(kyc, service);
  const body = `${Array.from({ length: 10_000 }, () => `${part()}x\r\n`).join('')}--edge--\r\n`;
  const answer = await sendRaw(
    service.url,
    `${head(page, `connection: close\r\ncontent-length: ${body.length}`)}${body}`,
  );
  expect([answer.status, titleIn(answer)]).toEqual([413, 'Era demasiado grande']);
  await expectNothingLeft(service, page);
});

it('a length that is not true is not believed', async () => {
  const service = await sharedService();
  const page = await newDocumentPage(kyc, service);
  const tooShort = await sendRaw(service.url, `${head(page, 'content-length: 40')}${part()}x\r\n--edge--\r\n`);
  // What comes after it is no request, so that the line may be cut before there is an answer.
  expect([0, 400]).toContain(tooShort.status);
  const waiting = openSocket(service.url);
  waiting.write(`${head(page, 'content-length: 900000')}${part()}x`);
  await eventually(async () => (await figuresOf(service)).uploadsArriving === 1);
  waiting.destroy();
  await expectNothingLeft(service, page);
});

it('a crowd that sends a byte now and then makes others wait for some seconds, with 503 and Retry-After', async () => {
  const service = await sharedService();
  const page = await newDocumentPage(kyc, service);
  const slow = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const socket = openSocket(service.url);
      socket.write(`${head(await newDocumentPage(kyc, service), 'content-length: 900000')}${part()}`);
      socket.write(jpegHead);
      return socket;
    }),
  );
  const dripping = setInterval(() => slow.forEach((socket) => void socket.write('x')), 100);
  await eventually(async () => (await figuresOf(service)).uploadsArriving >= 40);
  const stopWatching = watch(service);
  const refused = await send(page, {}, { documentFront: await photograph() });
  expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([503, 5]);
  const answer = await eventually(
    async () => {
      const tried = await send(page, {}, { documentFront: await photograph() });
      return tried.status === 503 ? undefined : tried;
    },
    { withinMs: 60_000, everyMs: 2_000, what: 'room for an upload' },
  );
  expect([answer.status, answer.html.includes('Received: photo')]).toEqual([422, true]);
  expect((await stopWatching()).isReady).toBe(true);
  clearInterval(dripping);
  for (const socket of slow) socket.destroy();
  await kyc.sql.query('DELETE FROM kyc_attachments');
  await kyc.sql.query('DELETE FROM kyc_documents');
  await expectNothingLeft(service, page);
});

it('a form whose uploads stand still keeps no other form from uploading', async () => {
  const service = await sharedService();
  const page = await newDocumentPage(kyc, service);
  const megabytes = Buffer.alloc(9 * 1024 * 1024);
  const stalled = Array.from({ length: 12 }, () => {
    const socket = openSocket(service.url);
    socket.write(`${head(page, 'content-length: 10000000')}${part()}`);
    socket.write(Buffer.concat([jpegHead, megabytes]));
    return socket;
  });
  await eventually(async () => (await figuresOf(service)).uploadsArriving >= 2);
  const other = await newDocumentPage(kyc, service);
  const answer = await send(other, {}, { documentFront: await photograph() });
  expect([answer.status, answer.html.includes('Received: photo')]).toEqual([422, true]);
  for (const socket of stalled) socket.destroy();
  await kyc.sql.query('DELETE FROM kyc_attachments');
  await kyc.sql.query('DELETE FROM kyc_documents');
  await expectNothingLeft(service, other);
});

it.each([
  ['in the address', 'http://x/kyc/form/unknown/document', ''],
  ['in a field', 'http://x/kyc/form', '--edge\r\ncontent-disposition: form-data; name="token"\r\n\r\nunknown\r\n'],
])('an endless body for a token that nobody knows (%s) is answered at once, then cut', async (_, page, fields) => {
  const service = await sharedService();
  const cutBefore = await cutBodies(service);
  const socket = openSocket(service.url);
  let answer = '';
  socket.on('data', (data) => {
    answer += data.toString();
  });
  const first = Buffer.concat([Buffer.from(`${fields}${part()}`), jpegHead]);
  socket.write(head(page, 'transfer-encoding: chunked'));
  socket.write(Buffer.concat([Buffer.from(`${first.length.toString(16)}\r\n`), first, Buffer.from('\r\n')]));
  const answered = eventually(() => answer.startsWith('HTTP/1.1 404'));
  await pourInto(socket);
  await answered;
  await expectOneMoreCut(service, cutBefore);
});

it('whatever a file is called, it is a file, and its name is in no row, no log and no file', async () => {
  const service = await sharedService();
  const picture = await photograph();
  for (const name of oddNames) {
    const page = await newDocumentPage(kyc, service);
    const beginning = Buffer.from(part(`marker-of-the-name ${name}`));
    const body = Buffer.concat([beginning, picture, Buffer.from('\r\n--edge--\r\n')]);
    const length = `connection: close\r\ncontent-length: ${body.length}`;
    const answer = await sendRaw(service.url, Buffer.concat([Buffer.from(head(page, length)), body]));
    expect([name, answer.status]).toEqual([name, 422]);
    expect(answer.body).not.toContain('marker-of-the-name');
  }
  const { rows } = await kyc.sql.query('SELECT d::text AS row FROM kyc_documents AS d');
  expect(rows.filter(({ row }) => row.includes('marker'))).toEqual([]);
  expect(service.output()).not.toContain('marker-of-the-name');
  expect(service.filesLeft()).toEqual([]);
});
