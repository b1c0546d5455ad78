/**
 * Receivers of the worst kinds, in a process of their own so that their memory is not the sender's. Prints their ports.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

const head200 = 'HTTP/1.1 200 OK\r\n';
const piece = Buffer.alloc(65_536, 'x');

function pour(socket: Socket, first: string): void {
  socket.write(first);
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
    if (!socket.destroyed) socket.once('drain', more);
  };
  more();
}

function drip(socket: Socket, first: string): void {
  socket.write(first);
  const timer = setInterval(() => socket.write('x'), 20);
  socket.once('close', () => clearInterval(timer));
}

const kinds: Readonly<Record<string, (socket: Socket) => void>> = {
  'never answers': () => {},
  'endless body': (socket) => pour(socket, `${head200}\r\n`),
  'lying length': (socket) => pour(socket, `${head200}content-length: 10000000000\r\n\r\n`),
  'endless header': (socket) => pour(socket, `${head200}a: `),
  'endless extension': (socket) => pour(socket, `${head200}transfer-encoding: chunked\r\n\r\n1;a=`),
  'dripping head': (socket) => drip(socket, head200),
  'dripping body': (socket) => drip(socket, `${head200}\r\n`),
  good: (socket) => socket.write(`${head200}content-length: 2\r\n\r\nok`),
};

const ports: Record<string, number> = {};
for (const [kind, serve] of Object.entries(kinds)) {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => data.includes('{}') && serve(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ports[kind] = (server.address() as AddressInfo).port;
}
console.log(JSON.stringify(ports));
