/** A stop that no accepted request notices: what is under way is finished, and every connection is told to move on. */
import { Server as TcpServer } from 'node:net';
import type { HttpServer } from './server.js';

/** A busy connection is used again within this time, and hears with that answer that it should close. */
const idleForMs = 1_000;
/** A request that has not arrived by then is not waited for. */
const arriveWithinMs = 2_000;
const finishWithinMs = 20_000;
const sweepEveryMs = 50;

export async function stopServer(server: HttpServer, delaySeconds: number): Promise<void> {
  const { server: sockets } = server.fastify;
  const { connections, arrivals } = server.traffic;
  // Time for a load balancer to see that this process is not ready, and to send its traffic elsewhere.
  if (delaySeconds > 0) await delay(delaySeconds * 1000);
  // Only the listening ends here. Node's own `close` would also cut connections that look idle, among them those
  // whose next request is on its way; so the listener goes first, and nobody is sent to a door that is about to close.
  TcpServer.prototype.close.call(sockets);
  server.drain();
  // Silent connections and half headers count as idle: they have no request that anybody waits for.
  connections.closeIdle(idleForMs);
  const sweep = setInterval(() => connections.closeIdle(idleForMs), sweepEveryMs);
  const giveUp = setTimeout(() => arrivals.dropAll(), arriveWithinMs);
  const cut = setTimeout(() => sockets.closeAllConnections(), finishWithinMs);
  await connections.gone();
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
