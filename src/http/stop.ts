/** A stop that no accepted request notices: what is under way is finished, and every connection is told to move on. */
import type { HttpServer } from './server.js';

/** Long enough for a busy connection to be used once more, and to hear with that answer that it should close. */
const drainMs = 300;
const finishWithinMs = 20_000;

export async function stopServer(server: HttpServer): Promise<void> {
  server.drain();
  await new Promise((resolve) => setTimeout(resolve, drainMs));
  const cut = setTimeout(() => server.fastify.server.closeAllConnections(), finishWithinMs);
  await server.fastify.close();
  clearTimeout(cut);
}
