/** A client that sends exactly the given bytes, and returns everything that came back until the connection ended. */
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
  /** Everything, when there may be more than one answer in it. */
  readonly all: string;
}

export function openSocket(url: string): Socket {
  const { hostname, port } = new URL(url);
  return connect({ host: hostname, port: Number(port) }).on('error', () => {});
}

export async function sendRaw(url: string, bytes: string | Buffer): Promise<RawAnswer> {
  const socket = openSocket(url);
  socket.write(bytes);
  return readToEnd(socket);
}

export async function readToEnd(socket: Socket): Promise<RawAnswer> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  // After its last answer the server does not wait for us to close.
  socket.once('end', () => socket.end());
  // A reset ends the connection too. The bytes before it count.
  await new Promise((resolve) => socket.once('close', resolve));
  const all = Buffer.concat(chunks).toString('latin1');
  const [head = '', ...body] = all.split('\r\n\r\n');
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0),
    head,
    body: body.join('\r\n\r\n'),
    all,
  };
}
