/** Whatever is posted to the form, it is answered with a page of a known kind, and nothing breaks. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rounds } from '../harness/rounds.js';
import { useKycService } from '../kyc/kyc-service.js';
import { look, newApplicant, newFormAddress } from './visiting.js';

const kyc = useKycService();

const names = [
  'token',
  'step',
  'lang',
  'firstName',
  'dateOfBirth-day',
  'nationality',
  'consent',
  'upload',
  '__proto__',
];
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.constantFrom('', 'yes', 'alone', 'person', 'ES', '31'),
);
const fields = fc.array(fc.tuple(fc.oneof(fc.constantFrom(...names), fc.string()), text), { maxLength: 20 });
const urlencoded = fields.map((pairs) => ({
  type: 'application/x-www-form-urlencoded',
  body: Buffer.from(new URLSearchParams(pairs.map(([name, value]) => [name, value])).toString()),
}));
const multipart = fc
  .array(fc.tuple(fc.constantFrom(...names, 'documentFront'), text, fc.boolean()), { maxLength: 8 })
  .map((parts) => ({
    type: 'multipart/form-data; boundary=b',
    body: Buffer.from(
      `${parts
        .map(([name, value, isFile]) => {
          const file = isFile ? `; filename="${name}.jpg"` : '';
          return `--b\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
        })
        .join('')}--b--\r\n`,
    ),
  }));
const garbage = fc.record({
  type: fc.constantFrom(
    'multipart/form-data; boundary=b',
    'multipart/form-data',
    'application/x-www-form-urlencoded',
    'application/json',
    'x',
  ),
  body: fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
});
/** The end is cut off, or something stands in the middle that does not belong there. */
const damaged = fc
  .tuple(fc.oneof(urlencoded, multipart), fc.nat(), fc.uint8Array({ maxLength: 8 }))
  .map(([{ type, body }, at, bytes]) => {
    const place = body.length === 0 ? 0 : at % body.length;
    return {
      type,
      body: Buffer.concat([body.subarray(0, place), bytes, body.subarray(place, at % 3 === 0 ? place : undefined)]),
    };
  });

describe('a post', { timeout: 900_000 }, () => {
  it('is answered with a page or a way to one whatever it has, and never with an error of ours', async () => {
    const applicant = await newApplicant(kyc, 'LEVEL_2', 'EEA');
    // A fresh link now and then: one form takes only so many posts a minute.
    let address = '';
    let posts = 0;
    const target = fc.constantFrom('person', 'address', 'document', 'check', 'extend', 'nothing', '');
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(urlencoded, multipart, garbage, damaged),
        target,
        fc.boolean(),
        async (sent, step, asJson) => {
          if (posts++ % 40 === 0) address = await newFormAddress(kyc, applicant);
          await expectAnswer(step === '' ? `${kyc.service.url}/kyc/form` : `${address}/${step}`, sent, asJson);
        },
      ),
      { numRuns: rounds(160, 20_000) },
    );
    expect(kyc.logText()).not.toContain('unexpected error');
    expect((await look(address)).status).toBe(303);
  });
});

async function expectAnswer(url: string, sent: { type: string; body: Buffer }, asJson: boolean): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    body: sent.body as BodyInit,
    redirect: 'manual',
    headers: { 'content-type': sent.type, accept: asJson ? 'application/json' : 'text/html' },
  });
  const page = await answer.text();
  if (answer.status === 303) return;
  expect([200, 400, 404, 413, 415, 422]).toContain(answer.status);
  const [type, beginning] = asJson
    ? ['application/json; charset=utf-8', /^\{"/]
    : ['text/html; charset=utf-8', /^<!doctype html><html lang="\w\w"/];
  expect(answer.headers.get('content-type')).toBe(type);
  expect(page).toMatch(beginning);
}
