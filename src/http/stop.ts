/**
 * Stops the server without failing an accepted request: it finishes them and asks every client to close its connection.
 */
import { Server as TcpServer } from 'node:net';
import type { HttpServer } from './server.js';

/** A busy connection is used again within this time, and that answer asks it to close. */
const idleForMs = 1_000;
/** A request that has not arrived by then is dropped. */
const arriveWithinMs = 2_000;
const finishWithinMs = 20_000;
const sweepEveryMs = 50;

export async function stopServer(server: HttpServer, delaySeconds: number): Promise<void> {
  const { server: sockets } = server.fastify;
  const { connections, arrivals } = server.traffic;
  // A load balancer needs this time to see that the process is not ready and to send its traffic elsewhere.
  if (delaySeconds > 0) await delay(delaySeconds * 1000);
  // Only stops listening. Node's own `close` would also cut connections that look idle, although their next request
  // may be on its way. The listener closes first, so that a client that reconnects reaches another process.
  TcpServer.prototype.close.call(sockets);
  server.drain();
  // Connections that sent nothing or half a header count as idle: no client waits for an answer on them.
  connections.closeIdle(idleForMs);
  const sweep = setInterval(() => connections.closeIdle(idleForMs), sweepEveryMs);
  const giveUp = setTimeout(() => arrivals.dropAll(), arriveWithinMs);
  const cut = setTimeout(() => sockets.closeAllConnections(), finishWithinMs);
  await connections.allClosed();
  clearInterval(sweep);
  clearTimeout(giveUp);
  clearTimeout(cut);
  await server.fastify.close().catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_SERVER_NOT_RUNNING') throw error;
  });
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
