/** Hostile files through the form, as a browser sends them: refused in words, or made anew; and nobody is harmed. */
import { beforeAll, expect, it } from 'vitest';
import { uploadFaults } from '../../src/documents/inspect.js';
import { uploadFaultText } from '../../src/kyc-form/pages/fields/fault-texts.js';
import { textsIn } from '../../src/kyc-form/pages/texts/texts.js';
import { type Locale, locales } from '../../src/locale.js';
import { corpus } from '../documents/corpus.js';
import type { HostileFile } from '../documents/hostile-file.js';
import { hasProcessFolder, runningCheckers } from '../documents/inspecting.js';
import { eventually } from '../harness/eventually.js';
import type { RunningService } from '../harness/processes.js';
import { rounds } from '../harness/rounds.js';
import { slowness } from '../harness/slowness.js';
import { useKycService } from '../kyc/kyc-service.js';
import { figuresOf, newDocumentPage, useServiceApart, watch } from './service-apart.js';
import { faultsOf, photograph, plain, type Shown, send } from './visiting.js';

const kyc = useKycService();
const startService = useServiceApart(kyc);
const question = { id: 'documentFront', kind: 'document', isRequired: true } as const;

const left: { readonly file: HostileFile; readonly bytes: Buffer; readonly locale: Locale }[] = [];
beforeAll(async () => {
  for (const [index, file] of rounds(representatives(), corpus).entries())
    left.push({ file, bytes: await file.bytes(), locale: locales[index % locales.length] ?? 'en' });
}, 300_000);

/** The first file of each format and outcome, and the bombs. test/documents/corpus.test.ts inspects all files each time. */
function representatives(): HostileFile[] {
  const chosen = new Map<string, HostileFile>();
  for (const file of corpus) {
    const format = /PDF|PNG|JPEG/.exec(file.name)?.[0] ?? 'other';
    const isBomb = /bomb|page unfolds/.test(file.name);
    const kind = isBomb ? file.name : `${format}: ${file.outcome.join()}`;
    if (!chosen.has(kind)) chosen.set(kind, file);
  }
  return [...chosen.values()];
}

/** One after the other; a form takes only so many posts a minute. Answers what came out otherwise than it must. */
async function sendWhatIsLeft(service: RunningService): Promise<string[]> {
  const wrong: string[] = [];
  let page = '';
  for (let sent = 0, next = left.shift(); next; next = left.shift(), sent += 1) {
    const { file, bytes, locale } = next;
    if (sent % 20 === 0) page = await newDocumentPage(kyc, service);
    const answer = await sendUntilLookedAt(`${page}?lang=${locale}`, bytes);
    const outcome = outcomeOf(answer, locale);
    const allowed = file.outcome.map((one) => one.replace(/^image\/.*/, 'photo').replace(/.*\/pdf$/, 'pdf'));
    if (!allowed.includes(outcome)) wrong.push(`${file.name} (${locale}): ${outcome}`);
  }
  return wrong;
}

/** Who is told to come again in a moment does. */
function sendUntilLookedAt(page: string, bytes: Buffer): Promise<Shown> {
  const tryIt = async () => {
    const answer = await send(page, {}, { documentFront: bytes });
    return answer.status === 503 ? undefined : answer;
  };
  return eventually(tryIt, { withinMs: 240_000, what: 'a look at the file' });
}

/** Which fault the page says at the field, word for word in its language; or what it says to have received. */
function outcomeOf({ status, html }: Shown, locale: Locale): string {
  const texts = textsIn(locale);
  const said = faultsOf(html).find((each) => each.startsWith('documentFront: '));
  const received = (['photo', 'pdf'] as const).find((kind) => {
    const [beginning = ''] = texts.say('upload.received', { kind: texts.say(`upload.${kind}`), size: '#' }).split('#');
    return plain(html).includes(beginning);
  });
  const fault = uploadFaults.find((each) => said === `documentFront: ${uploadFaultText(texts, question, each)}`);
  // What else the page asks for was not sent, so it comes back either way.
  return (status === 422 && (said ? fault : received)) || `${status} ${said ?? 'and no word'}`;
}

it('is refused in the language of the person or made anew; the service stays small and quick, nothing is left', {
  timeout: 900_000,
}, async () => {
  const slower = await slowness();
  const service = await startService();
  // With the first file a checker starts; from there on the process is what it will be.
  await send(await newDocumentPage(kyc, service), {}, { documentFront: await photograph() });
  const before = await figuresOf(service);
  const stopWatching = watch(service);
  const wrong = await Promise.all([1, 2, 3, 4].map(() => sendWhatIsLeft(service)));
  const worst = await stopWatching();

  expect(wrong.flat()).toEqual([]);
  expect(worst.isReady).toBe(true);
  expect(worst.residentBytes - before.residentBytes).toBeLessThan(100 * 1024 * 1024);
  // Decoding one of the bombs would hold it up for seconds even on a free machine.
  expect(worst.latestSeconds).toBeLessThan(0.5 * slower);

  const { rows } = await kyc.sql.query(
    `SELECT (SELECT count(*)::int FROM kyc_documents WHERE document_id NOT IN (SELECT document_id FROM kyc_attachments))
              AS unattached,
            (SELECT count(*)::int FROM kyc_document_chunks WHERE document_id NOT IN (SELECT document_id FROM kyc_documents))
              AS chunks_of_none`,
  );
  expect(rows).toEqual([{ unattached: 0, chunks_of_none: 0 }]);
  expect(service.filesLeft()).toEqual([]);
  const { pid } = service.process;
  expect(await service.end('SIGTERM')).toBe(0);
  expect(service.output()).not.toContain('unexpected error');
  if (hasProcessFolder && pid !== undefined) expect(runningCheckers(pid)).toEqual([]);
});
