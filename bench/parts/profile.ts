/** Where a process spent its time, by the first of the given patterns that a function's file (or name) matches. */
import { readFileSync } from 'node:fs';

interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Microseconds of each part, idle time left out. */
export function timeByPart(
  file: string,
  parts: readonly (readonly [part: string, pattern: RegExp])[],
): Map<string, number> {
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(file, 'utf8')) as CpuProfile;
  const partOf = new Map(
    nodes.map(({ id, callFrame }) => {
      const name = `${callFrame.url} ${callFrame.functionName}`;
      return [id, parts.find(([, pattern]) => pattern.test(name))?.[0] ?? 'all else'];
    }),
  );
  const spent = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const part = partOf.get(id) ?? 'all else';
    spent.set(part, (spent.get(part) ?? 0) + (timeDeltas[index] ?? 0));
  }
  spent.delete('idle');
  return spent;
}
