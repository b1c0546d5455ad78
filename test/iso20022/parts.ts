/** Reads messages in tests. */
import { type MessagePart, readMessages } from '../../src/iso20022/read/messages.js';
import type { ReportedEntry, ReportedStatement } from '../../src/iso20022/statement.js';

export async function partsOf(content: string | Uint8Array, chunkBytes = 1000): Promise<MessagePart[]> {
  const bytes = Buffer.from(content);
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, index) =>
    bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes),
  );
  const parts: MessagePart[] = [];
  for await (const part of readMessages(chunks)) parts.push(part);
  return parts;
}

export function entriesOf(parts: readonly MessagePart[]): ReportedEntry[] {
  return parts.flatMap((part) => (part.part === 'entry' ? [part.entry] : []));
}

export function statementsOf(parts: readonly MessagePart[]): ReportedStatement[] {
  return parts.flatMap((part) => (part.part === 'statement' ? [part.statement] : []));
}

/** `line path: message`. */
export function faultsOf(parts: readonly MessagePart[]): string[] {
  return parts.flatMap((part) =>
    part.part === 'fault' ? [`${part.position.line} ${part.position.path}: ${part.message}`] : [],
  );
}
