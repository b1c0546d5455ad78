/**
 * Whatever arrives costs about as much as something harmless of the same size: nobody can stop the process with a few
 * bytes. All in one process, so what takes long is an event loop that stood still for long.
 */
import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { PartsReader } from '../../src/http/body/form-parts.js';
import { bodyBounds } from '../../src/http/body/json-body.js';
import { readMovementsCsv } from '../../src/payments/imports/csv.js';
import { nearReferencesIn, referencesIn } from '../../src/payments/matching/references.js';
import { readBaseAndRates } from '../../src/providers/rates/base-and-rates.js';
import { readEcbDocument } from '../../src/providers/rates/ecb.js';
import { documentLimits } from '../../src/providers/rates/fetch-document.js';
import { readCsvRates } from '../../src/providers/rates/file-formats.js';
import { useRemesa } from '../harness/remesa.js';
import {
  type Adversarial,
  adversarialCsv,
  adversarialFields,
  adversarialForms,
  adversarialJson,
  adversarialPaths,
  adversarialXml,
  filled,
} from './adversarial.js';

const users = useRemesa();
const atMostTimes = 20;
/** Compiling code and collecting garbage may take this long by themselves. */
const floorMs = 250;
const tries = 5;

type Work<Input> = (input: Input) => Promise<unknown> | unknown;

/** Names of inputs that take far longer than the harmless one, each in the best of some tries. */
async function tooSlow(harmless: string, inputs: readonly Adversarial[], work: Work<string>) {
  await timeOf(harmless, work);
  const boundMs = Math.max(floorMs, atMostTimes * (await bestOf(harmless, work, 0)));
  const slow: string[] = [];
  for (const [name, text] of inputs) {
    const ms = await bestOf(text, work, boundMs);
    if (ms > boundMs) slow.push(`${name}: ${Math.round(ms)} ms, allowed ${Math.round(boundMs)} ms`);
  }
  return slow;
}

async function bestOf(input: string, work: Work<string>, goodEnoughMs: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < tries && best > goodEnoughMs; attempt += 1)
    best = Math.min(best, await timeOf(input, work));
  return best;
}

/** Milliseconds of this process's own, which other processes do not lengthen. */
async function timeOf(input: string, work: Work<string>): Promise<number> {
  const before = process.cpuUsage();
  await work(input);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

interface Ask {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Past `fetch`, which would refuse or mend some of this. Never a 5xx. */
function send({ method = 'GET', path, headers = {}, body }: Ask): Promise<number> {
  return new Promise((resolve, reject) => {
    const asking = request(users.service.url, { agent: false, method, path, headers }, (answer) => {
      const { statusCode = 0 } = answer;
      answer.resume().on('end', () => {
        if (statusCode >= 500) reject(new Error(`${method} ${path.slice(0, 50)} answered ${statusCode}`));
        else resolve(statusCode);
      });
    });
    asking.on('error', reject).end(body);
  });
}

const authorized = () => ({ authorization: `Bearer ${users.acme.token}` });

describe('a JSON body of 64 KiB', () => {
  const size = bodyBounds.bytes;
  const harmless = filled(size, 'x', '{"a":"', '"}');
  const posted = (path: string, headers: Record<string, string>): Work<string> => {
    const all = { 'content-type': 'application/json', ...headers };
    return (body) => send({ method: 'POST', path, headers: all, body });
  };

  it.each(['/oauth/token', '/oauth/revoke', '/operator/login'])(
    'never blocks the process, without a token: POST %s',
    async (path) => {
      expect(await tooSlow(harmless, adversarialJson(size), posted(path, {}))).toEqual([]);
    },
  );

  it.each(['/user', '/rates', '/merchant/webhook/kyc-notification'])(
    'never blocks the process, with a token: POST %s',
    async (path) => {
      expect(await tooSlow(harmless, adversarialJson(size), posted(path, authorized()))).toEqual([]);
    },
  );
});

it('a form of 64 KiB never blocks the process', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const post: Work<string> = (body) => send({ method: 'POST', path: '/oauth/token', headers, body });
  const size = bodyBounds.bytes;
  expect(await tooSlow(filled(size, 'x', 'a='), adversarialForms(size), post)).toEqual([]);
});

describe('a header field of 15 KB', () => {
  const size = 15_000;

  it.each([
    ['GET', '/merchant/users', 'accept-encoding'],
    ['GET', '/openapi.json', 'accept-encoding'],
    ['GET', '/openapi.json', 'if-none-match'],
    ['GET', '/kyc/form/unknown', 'accept-language'],
    ['GET', '/kyc/form/unknown', 'accept'],
    ['GET', '/user', 'authorization'],
    ['POST', '/oauth/token', 'authorization'],
    ['POST', '/oauth/token', 'content-type'],
    ['POST', '/user', 'content-type'],
    ['POST', '/user', 'idempotency-key'],
    ['POST', '/user', 'content-encoding'],
    ['GET', '/livez', 'x-forwarded-for'],
    ['GET', '/livez', 'forwarded'],
    ['GET', '/livez', 'cookie'],
    ['GET', '/livez', 'x-request-id'],
    ['GET', '/livez', 'host'],
  ])('never blocks the process: %s %s with %s', async (method, path, field) => {
    const ask: Work<string> = (value) => {
      const headers = { ...authorized(), 'content-type': 'application/json', [field]: value };
      return send({ method, path, headers, ...(method === 'POST' ? { body: '{}' } : {}) });
    };
    expect(await tooSlow(filled(size, 'x'), adversarialFields(size), ask)).toEqual([]);
  });
});

it('a path of 15 KB never blocks the process', async () => {
  const ask: Work<string> = (path) => send({ path, headers: authorized() });
  expect(await tooSlow(filled(15_000, 'x', '/'), adversarialPaths(15_000), ask)).toEqual([]);
});

it('a form in parts never blocks the process, whatever its boundary and its heads', async () => {
  const size = 1_000_000;
  const read = async (boundary: string, body: string) => {
    const raw = Readable.from(pieces(Buffer.from(body))) as IncomingMessage;
    raw.complete = true;
    const type = `multipart/form-data; boundary=${boundary}`;
    const parts = () =>
      new PartsReader(
        raw,
        type,
        async () => undefined,
        () => {},
      ).form;
    await Promise.resolve()
      .then(parts)
      .catch(() => undefined);
  };
  const head = '--b\r\ncontent-disposition: form-data; name="a"';
  const bodies: Adversarial[] = [
    ['lines that look like a boundary', filled(size, '\r\n--', `${head}\r\n\r\n`, '\r\n--b--\r\n')],
    ['many parts', filled(size, `${head}\r\n\r\n1\r\n`, '', '--b--\r\n')],
    ['a long head', filled(size, 'x', `${head}; x="`, '"\r\n\r\n1\r\n--b--\r\n')],
    ['many fields of a head', filled(size, 'a: b\r\n', `${head}\r\n`, '\r\n1\r\n--b--\r\n')],
    ['escapes in a head', filled(size, '\\"', `${head}; filename="`, '"\r\n\r\n1\r\n--b--\r\n')],
  ];
  const harmless = filled(size, 'x', `${head}\r\n\r\n`, '\r\n--b--\r\n');
  expect(await tooSlow(harmless, bodies, (body) => read('b', body))).toEqual([]);
  const long = 'a'.repeat(15_000);
  const likeIt: Adversarial[] = [['a long boundary', filled(size, `\r\n--${long.slice(1)}`)]];
  expect(await tooSlow(harmless, likeIt, (body) => read(long, body))).toEqual([]);
});

/** As a socket hands them over. */
function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

describe('a rate document of the largest size', () => {
  const refused = (read: (bytes: Uint8Array) => unknown): Work<string> => {
    return (text) => {
      try {
        read(Buffer.from(text));
      } catch {
        // What is wrong with it is for other tests.
      }
    };
  };
  const size = documentLimits.bytes;

  it('never blocks the process: JSON', async () => {
    const documents: Adversarial[] = [
      ...adversarialJson(size),
      ['a rate of many digits', filled(size, '9', '{"timestamp":1776067200,"base":"EUR","rates":{"USD":', '}}')],
    ];
    expect(await tooSlow(filled(size, 'x', '{"a":"', '"}'), documents, refused(readBaseAndRates))).toEqual([]);
  });

  it('never blocks the process: CSV', async () => {
    const head = 'base,publishedAt,currency,rate\n';
    const inputs = adversarialCsv(size, head, 'EUR,2026-04-13,USD,1.1\n');
    expect(await tooSlow(filled(size, 'x', head), inputs, refused(readCsvRates))).toEqual([]);
  });

  it('never blocks the process: files of movements, and texts of payers', async () => {
    const head = 'bankReference,amount,currency,bookedAt,payerName\n';
    const line = '1,2,EUR,2026-11-15,Ana\n';
    const read = (csv: string) => readMovementsCsv(csv).catch(() => {});
    const inputs = adversarialCsv(size, head, line);
    expect(await tooSlow(filled(size, line, head), inputs, read)).toEqual([]);
    const texts: Adversarial[] = ['RF', 'RF11', 'R', 'F1', '\uFDFA'].map((shape) => [shape, filled(500, shape)]);
    const search = (text: string) => [referencesIn(text), nearReferencesIn(text)];
    expect(await tooSlow('x'.repeat(500), texts, search)).toEqual([]);
  });

  it('never blocks the process: XML', async () => {
    const harmless = filled(16 * 1024, 'x', '<gesmes:Envelope>', '</gesmes:Envelope>');
    expect(await tooSlow(harmless, adversarialXml(16 * 1024), refused(readEcbDocument))).toEqual([]);
  });
});
