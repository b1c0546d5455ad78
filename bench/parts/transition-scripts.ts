/** What the worker sent for transitions, as scripts of pgbench. */
import { insertChange } from '../../src/changes/store.js';
import { insertJournal } from '../../src/ledger/store.js';
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
  /** How many orders a client has. Each run is one order. */
  readonly ofClient: number;
}

/** Ids are made of the number `:k` of the order. */
export function scriptFor(trips: readonly RoundTrip[], { step, ofClient }: ScriptOptions): string {
  const sent = trips.flatMap(({ statements }) => statements);
  const written = sent.filter(({ name }) => name === 'ledger.insert-journal');
  const place = insertJournal.names.indexOf('journalId');
  const journals = new Set(written.map(({ values }) => String(values[place])));
  const changes = sent.filter(({ name }) => name === 'changes.insert');
  const digests = new Set(changes.map(({ values }) => values[insertChange.names.indexOf('digestBefore')]));
  const replaced = (value: unknown) => {
    // No change remembers the copies of an order.
    if (value instanceof Buffer && digests.has(value)) return 'NULL::bytea';
    if (journals.has(String(value))) return `((:k)::bigint * 8 + ${step})`;
    const id = /^([a-z]{2,4}_|ORD|MSG)([0-9A-HJKMNP-TV-Z]{26})(\.[a-z]+)?$/.exec(String(value));
    if (!id) return undefined;
    const [, kind = '', , suffix = ''] = id;
    if (kind !== 'evt_') return `'${kind}' || lpad(:k::text, 26, '0') || '${suffix}'`;
    return `'evt_' || lpad((:k::bigint * 8 + ${step})::text, 26, '0')`;
  };
  const first = `:base + :client_id * ${ofClient} + :n - 1`;
  return `\\set n :n + 1\n\\set k ${first}\n${pipelinedScriptOf(trips, replaced)}`;
}
