/** Implements enough of PostgreSQL's protocol to send messages that a real server cannot be made to send. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface FakeServer {
  readonly url: string;
  readonly connections: () => number;
}

/** Sends the greeting once per connection, in one packet, and the same answer to every further message. */
export async function fakeServer(script: { greeting: Buffer[]; answer?: Buffer[] }): Promise<FakeServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write(Buffer.concat(script.greeting));
      socket.on('data', () => script.answer && socket.write(Buffer.concat(script.answer)));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  return { url: `postgres://nobody@127.0.0.1:${port}/nothing`, connections: () => connections };
}

const authenticated = message('R', Buffer.alloc(4));
const readyForQuery = message('Z', Buffer.from('I'));

export const greeting = [authenticated, readyForQuery];

export function fatalError(sqlState: string, text: string): Buffer {
  return message('E', Buffer.from(`SFATAL\0VFATAL\0C${sqlState}\0M${text}\0\0`));
}

export function answerOfOneRow(row: Readonly<Record<string, string>>): Buffer[] {
  const names = Object.keys(row);
  const fields = names.map((name) => Buffer.concat([Buffer.from(`${name}\0`), textColumn]));
  const values = Object.values(row).map((value) =>
    Buffer.concat([int32(Buffer.byteLength(value)), Buffer.from(value)]),
  );
  return [
    message('T', Buffer.concat([int16(names.length), ...fields])),
    message('D', Buffer.concat([int16(names.length), ...values])),
    message('C', Buffer.from('SELECT 1\0')),
    readyForQuery,
  ];
}

/** The description of a column without a table, of type text, of any length, in text format. */
const textColumn = Buffer.concat([int32(0), int16(0), int32(25), int16(-1), int32(-1), int16(0)]);

function message(type: string, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from(type), int32(content.length + 4), content]);
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}
