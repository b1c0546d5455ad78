/** A stop that no accepted request notices: what is under way is finished, and every connection is told to move on. */
import { Server as TcpServer } from 'node:net';
import type { HttpServer } from './server.js';

/** A busy connection is used again within this time, and hears with that answer that it should close. */
const lingerMs = 1_000;
const finishWithinMs = 20_000;

export async function stopServer(server: HttpServer, delaySeconds: number): Promise<void> {
  const { server: sockets } = server.fastify;
  // Time for a load balancer to see that this process is not ready, and to send its traffic elsewhere.
  if (delaySeconds > 0) await delay(delaySeconds * 1000);
  // Only the listening ends here. Node's own `close` would also cut connections that look idle, among them those
  // whose next request is on its way; so the listener goes first, and nobody is sent to a door that is about to close.
  TcpServer.prototype.close.call(sockets);
  server.drain();
  await Promise.race([server.connectionsGone(), delay(lingerMs)]);
  const sweep = setInterval(() => sockets.closeIdleConnections(), 50);
  const cut = setTimeout(() => sockets.closeAllConnections(), finishWithinMs);
  await server.connectionsGone();
  clearInterval(sweep);
  clearTimeout(cut);
  await server.fastify.close().catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_SERVER_NOT_RUNNING') throw error;
  });
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
