/**
 * Statements that are sent in the same moment leave in one packet. Without it each is written to the socket by itself, which
 * costs both sides a system call: the driver flushes after every statement. Measured in decision 53.
 */
import type { Writable } from 'node:stream';
import type { ClientBase } from 'pg';

const held = new WeakSet<Writable>();

/** Call it before a statement is sent: what is written is held back until the end of this turn of the event loop. */
export function holdUntilEndOfTurn(client: ClientBase): void {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Writable } }).connection;
  if (held.has(stream)) return;
  held.add(stream);
  stream.cork();
  process.nextTick(() => {
    held.delete(stream);
    stream.uncork();
  });
}
