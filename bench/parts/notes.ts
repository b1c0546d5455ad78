/** Requests that keep a note, each with a text (and a key) of its own. */
import { requestText } from './load.js';

let count = 0;

export function keyedNote(): string {
  count += 1;
  return note({ 'idempotency-key': `bench-${process.pid}-${count}` });
}

export function keylessNote(): string {
  count += 1;
  return note({});
}

function note(headers: Readonly<Record<string, string>>): string {
  const body = JSON.stringify({ text: `note ${count}` });
  return requestText('POST', '/notes', { authorization: 'Bearer merchant-1', ...headers }, body);
}
