/**
 * A merchant's receiver in a process of its own. It notes when each notification arrived and answers 200 at once; at
 * `/never`, `/endless` and `/drip` it is as hostile as their names say. `/seen` tells and forgets what it noted.
 */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { microseconds } from '../parts/arrivals.js';
import { report } from '../parts/child.js';

const arrivals: [string, number][] = [];
const chunk = Buffer.alloc(65_536, 'x');

const server = createServer((request, response) => {
  const at = microseconds();
  const path = request.url ?? '';
  if (path === '/seen') return void response.end(JSON.stringify(arrivals.splice(0)));
  if (path === '/count') return void response.end(String(arrivals.length));
  request.resume();
  request.once('end', () => {
    arrivals.push([String(request.headers['webhook-id']), at]);
    answer(path, response);
  });
});

function answer(path: string, response: ServerResponse): void {
  if (path === '/never') return;
  response.writeHead(200);
  if (path === '/endless') pour(response);
  else if (path === '/drip') drip(response);
  else response.end();
}

function pour(response: ServerResponse): void {
  while (!response.destroyed && response.write(chunk));
  if (!response.destroyed) response.once('drain', () => pour(response));
}

function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write('x'), 1000);
  response.once('close', () => clearInterval(timer));
}

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1');
await once(server, 'listening');
report(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
