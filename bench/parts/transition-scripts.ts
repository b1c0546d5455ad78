/** What the worker sent for transitions, as scripts of pgbench. */
import { median } from './figures.js';
import { pipelinedScriptOf, type RoundTrip } from './recorded.js';

/** The shortest sample, because now and then something else happens meanwhile, with the median times of all. */
export function typical(samples: readonly RoundTrip[][]): RoundTrip[] {
  const [shortest = []] = [...samples].sort((left, right) => left.length - right.length);
  const keyOf = ({ statements }: RoundTrip) => statements.map(({ name }) => name).join(', ');
  return shortest
    .filter(({ statements: [first] }) => !first?.name.startsWith('wake-up.'))
    .map((trip) => {
      const same = samples.flatMap((sample) => sample.filter((each) => keyOf(each) === keyOf(trip)));
      return { ...trip, ms: median(same.map(({ ms }) => ms)) };
    });
}

export const namesOf = (trips: readonly RoundTrip[]) =>
  trips.flatMap(({ statements }) => statements.map(({ name }) => name));

/** The transactions among the trips, each from its BEGIN to its COMMIT. */
function transactionsOf(trips: readonly RoundTrip[]): RoundTrip[][] {
  const found: RoundTrip[][] = [];
  for (const trip of trips) {
    if (trip.statements[0]?.name === 'BEGIN') found.push([]);
    if (found.at(-1)?.at(-1)?.statements[0]?.name !== 'COMMIT') found.at(-1)?.push(trip);
  }
  return found;
}

export function transitionsOf(trips: readonly RoundTrip[]): RoundTrip[][] {
  return transactionsOf(trips).filter((transaction) => namesOf(transaction).includes('orders.update'));
}

export interface ScriptOptions {
  /** Events and journals of an order have a number for each step. */
  readonly step: number;
  /** The orders of a run, and all of a client. */
  readonly ordersPerRun: number;
  readonly ofClient: number;
}

/**
 * Ids are made of the number of the order, which is the number `:k` of the run and the place of the order in it. The first id
 * of a kind that appears belongs to the first order, and so on.
 */
export function scriptFor(
  trips: readonly RoundTrip[],
  { step, ordersPerRun, ofClient }: ScriptOptions,
): string {
  const sent = trips.flatMap(({ statements }) => statements);
  const written = sent.filter(({ name }) => name === 'ledger.insert-journal');
  const journals = new Set(written.flatMap(({ values }) => values[1] as unknown[]).map(String));
  const places = new Map<string, string[]>();
  const numberOfOrder = (kind: string, id: string) => {
    const known = places.get(kind) ?? [];
    if (!known.includes(id)) places.set(kind, [...known, id]);
    const place = (places.get(kind) ?? []).indexOf(id);
    return place < ordersPerRun ? `(:k)::bigint + ${place}` : undefined;
  };
  const replaced = (value: unknown) => {
    if (journals.has(String(value))) return `((${numberOfOrder('journal', String(value))}) * 8 + ${step})`;
    const id = /^([a-z]{2,4}_|ORD|MSG)([0-9A-HJKMNP-TV-Z]{26})(\.[a-z]+)?$/.exec(String(value));
    if (!id) return undefined;
    const [, kind = '', text = '', suffix = ''] = id;
    if (kind !== 'evt_')
      return `'${kind}' || lpad((${numberOfOrder(kind, text)})::text, 26, '0') || '${suffix}'`;
    return `'evt_' || lpad(((${numberOfOrder(kind, text)}) * 8 + ${step})::text, 26, '0')`;
  };
  const first = `:base + :client_id * ${ofClient} + (:n - 1) * ${ordersPerRun}`;
  return `\\set n :n + 1\n\\set k ${first}\n${pipelinedScriptOf(trips, replaced)}`;
}
