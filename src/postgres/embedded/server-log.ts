/** Reads the end of the server log, for error messages. */
import { open, stat } from 'node:fs/promises';

const tailBytes = 4_000;

export async function logSize(file: string): Promise<number> {
  return await stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

/** Returns the last lines that the server wrote after the position `since`. */
export async function logTail(file: string, since = 0): Promise<string> {
  const size = await logSize(file);
  const from = Math.max(since, size - tailBytes);
  if (size <= from) return '';
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - from), 0, size - from, from);
    return buffer.toString('utf8', 0, bytesRead).trim();
  } finally {
    await handle.close();
  }
}
