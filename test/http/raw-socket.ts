/** A client that sends exactly the bytes it is given, and answers all that came back until the connection ended. */
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
  // A server that has said all it will does not wait for us to hang up.
  socket.once('end', () => socket.end());
  // A reset ends the connection too; what came before it counts.
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
