/**
 * OpenSanctions' entities as lines of JSON (`entities.ftm.json`, `targets.nested.json`), which say by their topics why
 * somebody is listed: politically exposed people are no sanctioned ones.
 */
import { readBirthDate } from './birth-date.js';
import { countryOfCode } from './countries.js';
import type { ListEntry } from './entry.js';
import { ListFault } from './list-fault.js';
import { entryKindOf } from './opensanctions.js';
import { chunksOf, paced } from './paced.js';

/** Who is listed for these alone is politically exposed, or close to somebody who is. */
const exposureTopics: ReadonlySet<string> = new Set(['role.pep', 'role.rca', 'role.pol', 'role.judge', 'poi']);
const longestLine = 4 * 1024 * 1024;

/**
 * Throws `ListFault` when the file is damaged or is something else. Entities without a name or a topic are left out.
 */
export async function readOpenSanctionsEntities(
  bytes: Uint8Array,
  file: string,
  signal?: AbortSignal,
): Promise<ListEntry[]> {
  const entries: ListEntry[] = [];
  let number = 0;
  for await (const line of paced(linesOf(bytes, file), signal)) {
    number += 1;
    if (line.trim() === '') continue;
    const entry = entryOf(entityOf(line, `${file} has a wrong line ${number}`));
    if (entry) entries.push(entry);
  }
  if (entries.length === 0) throw new ListFault(`${file} has no entries.`);
  return entries;
}

function* linesOf(bytes: Uint8Array, file: string): Generator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for (const chunk of chunksOf(bytes)) {
    const lines = (rest + decoded(decoder, chunk, file)).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > longestLine) throw new ListFault(`${file} has a line that is too long.`);
    yield* lines;
  }
  yield rest + decoded(decoder, undefined, file);
}

function decoded(decoder: TextDecoder, chunk: Uint8Array | undefined, file: string): string {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
  } catch {
    throw new ListFault(`${file} is not UTF-8. Download it again without converting it.`);
  }
}

interface Entity {
  readonly id: string;
  readonly schema: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

function entityOf(line: string, fault: string): Entity {
  let read: unknown;
  try {
    read = JSON.parse(line);
  } catch {
    throw new ListFault(`${fault}: it is no JSON, so the file is probably incomplete.`);
  }
  const { id, schema, properties } = (read ?? {}) as Partial<Entity>;
  if (typeof id !== 'string' || typeof schema !== 'string' || typeof properties !== 'object' || properties === null) {
    throw new ListFault(`${fault}: it is no entity with id, schema and properties.`);
  }
  return { id, schema, properties };
}

/** A file of all entities also has addresses, sanctions and relations, which are nobody. */
function entryOf({ id, schema, properties }: Entity): ListEntry | undefined {
  const of = (...names: readonly string[]) => names.flatMap((name) => textsOf(properties[name]));
  const topics = of('topics');
  const names = of('name', 'alias', 'weakAlias', 'previousName');
  if (topics.length === 0 || names.length === 0) return undefined;
  return {
    id,
    kind: entryKindOf(schema),
    names,
    birthDates: of('birthDate').flatMap((date) => readBirthDate(date.slice(0, 10)) ?? []),
    countries: [...new Set(of('nationality', 'citizenship', 'country').flatMap((code) => countryOfCode(code) ?? []))],
    isExposure: topics.every((topic) => exposureTopics.has(topic) || topic.startsWith('gov.')),
  };
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((text): text is string => typeof text === 'string' && text !== '') : [];
}
