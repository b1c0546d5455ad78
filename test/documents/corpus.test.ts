/** The hostile uploads: each is refused for the right reason, or comes out as something harmless. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Inspection } from '../../src/documents/inspect.js';
import { eventually } from '../harness/eventually.js';
import { rounds } from '../harness/rounds.js';
import { corpus } from './corpus.js';
import type { HostileFile } from './hostile-file.js';
import { closeInspectorsAfterAll, hasProcessFolder, inspecting, runningCheckers } from './inspecting.js';

const patient = inspecting();
/** For files that may take as long as they like: one of them always does. */
const impatient = inspecting({ checkMs: rounds(1_000, 20_000) });
const outcomes = new Map<HostileFile, Inspection>();
closeInspectorsAfterAll();

beforeAll(async () => {
  const left = [...corpus];
  const work = async () => {
    for (let file = left.shift(); file; file = left.shift()) {
      const { inspect } = file.outcome.includes('timeout') ? impatient : patient;
      const first = await inspect(await file.bytes());
      // A build machine may stall until a check has taken too long; a fault of the checker shows twice.
      const isExpected = file.outcome.includes(wordOf(first));
      outcomes.set(file, isExpected ? first : await inspect(await file.bytes()));
    }
  };
  await Promise.all([work(), work()]);
}, 600_000);

const wordOf = (inspection: Inspection) => (inspection.ok ? inspection.document.mediaType : inspection.fault);

it('has at least forty files, each of its own kind', () => {
  expect(new Set(corpus.map(({ name }) => name)).size).toBeGreaterThanOrEqual(40);
});

describe('comes to nothing bad', () => {
  it.each(corpus.map((file) => [file.name, file] as const))('%s', (_name, file) => {
    const inspection = outcomes.get(file) as Inspection;
    expect(file.outcome).toContain(wordOf(inspection));
    if (!inspection.ok) return;
    const left = (file.gone ?? []).filter((marker) =>
      inspection.document.bytes.includes(Buffer.from(marker, 'latin1')),
    );
    expect(left).toEqual([]);
  });
});

describe('afterwards', () => {
  it('no checker is left once the inspectors are closed, nor anything that one started', async () => {
    await Promise.all([patient.inspector.close(), impatient.inspector.close()]);
    if (!hasProcessFolder) return console.warn('SKIPPED: only Linux lists processes in /proc');
    await eventually(() => runningCheckers().length === 0);
    expect(runningCheckers()).toEqual([]);
  });
});
