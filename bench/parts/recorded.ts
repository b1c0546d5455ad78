/** Records the statements that a service in this process sends, with the round trips that they take. */
import pg from 'pg';

export interface RecordedStatement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Statements that were sent together. */
export interface RoundTrip {
  readonly statements: RecordedStatement[];
  ms: number;
}

interface Sent {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}

/** The round trips of everything that happens during the work, on all connections, in the order in which they began. */
export async function recordTrips(work: () => Promise<unknown>): Promise<RoundTrip[]> {
  const trips: RoundTrip[] = [];
  const open = new Map<pg.Client, { trip: RoundTrip; inFlight: number; began: number }>();
  const original = pg.Client.prototype.query;
  const recording = function (this: pg.Client, ...args: unknown[]) {
    const result = Reflect.apply(original, this, args);
    const [sent] = args as [string | Sent];
    const { name = '', text, values = [] } = typeof sent === 'string' ? { text: sent } : sent;
    const current = open.get(this) ?? {
      trip: { statements: [], ms: 0 },
      inFlight: 0,
      began: performance.now(),
    };
    if (!open.has(this)) trips.push(current.trip);
    open.set(this, current);
    current.trip.statements.push({ name: name || text, text, values });
    current.inFlight += 1;
    const done = () => {
      current.inFlight -= 1;
      if (current.inFlight > 0) return;
      current.trip.ms = performance.now() - current.began;
      open.delete(this);
    };
    Promise.resolve(result).then(done, done);
    return result;
  };
  pg.Client.prototype.query = recording as typeof original;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = original;
  }
  return trips;
}

/** Returns what stands in a script instead of a value; undefined for a value that stays. */
export type Replaced = (value: unknown) => string | undefined;

/** The first part of a subject (`order:ord_…`). pgbench takes a colon before a letter for a variable. */
export const subjectIs = (kind: string | undefined) => (kind ? `'${kind}' || chr(58) || ` : '');

/**
 * The statements as a script of pgbench, one after the other. Each run has its own number `:k`, which all ids are made
 * of, and a user `:u`. `replaced` says which values stand for them.
 */
export function scriptOf(trips: readonly RoundTrip[], replaced: Replaced): string {
  return trips.flatMap((trip) => linesOf(trip, replaced)).join('');
}

function linesOf({ statements }: RoundTrip, replaced: Replaced): string[] {
  return statements.map(({ text, values }) => {
    const line = text.replaceAll(/\$(\d+)/g, (_, index: string) => {
      const value = values[Number(index) - 1];
      return Array.isArray(value) ? arrayOf(value, replaced) : (replaced(value) ?? literal(value));
    });
    return `${line};\n`;
  });
}

function arrayOf(values: readonly unknown[], replaced: Replaced): string {
  if (values.length === 0) return `'{}'`;
  return `ARRAY[${values.map((value) => replaced(value) ?? element(value)).join(', ')}]`;
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'::bytea`;
  if (value instanceof Date) return `to_timestamp(${value.getTime()} / 1000.0)`;
  if (typeof value === 'bigint') return String(value);
  // pgbench takes a colon with letters after it for a variable, also within quotes. JSON can stay exact.
  const text = /^[[{]/.test(String(value)) ? quoted(value).replaceAll(/(?<!"):(?=\w)/g, '\\u003a') : quoted(value);
  return `'${text.replaceAll(/:(?=\w)/g, ': ')}'`;
}

/** Exact, unlike a literal, because accounts of the ledger have colons. */
function element(value: unknown): string {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? `'${quoted(value).replaceAll(/:(?=\w)/g, ":' || '")}'` : literal(value);
}

function quoted(value: unknown): string {
  return String(value).replaceAll("'", "''");
}
