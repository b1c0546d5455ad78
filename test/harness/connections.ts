/** The connections that `fetch` keeps open in this process. */
interface Agent {
  close(): Promise<void>;
}

/** Where `fetch` looks for its agent. */
const place = Symbol.for('undici.globalDispatcher.1');

/** A service that stops gives the connections of its clients a second; the tests have nothing more to ask. */
export function closeConnections(): void {
  const shared = globalThis as { [place]?: Agent };
  const agent = shared[place];
  if (!agent) return;
  shared[place] = new (agent.constructor as new () => Agent)();
  // Ends when the last answer has come, which the service waits for by itself.
  agent.close().catch(() => {});
}
