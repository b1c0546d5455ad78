/**
 * The HTTP clients of the endpoints, one for each. A client is kept for a while after its last use, with its
 * connections.
 */
import { type EndpointRef, endpointKey } from '../endpoints/endpoint.js';
import type { AttemptClient } from './attempt.js';

const closeAfterIdleMs = 10_000;
const keptAtMost = 256;

interface Kept {
  readonly client: AttemptClient;
  users: number;
  timer: NodeJS.Timeout | undefined;
}

export class EndpointClients {
  readonly #kept = new Map<string, Kept>();

  constructor(readonly make: (url: string) => AttemptClient) {}

  /** Call `release` once for each `take`. */
  take(endpoint: EndpointRef, url: string): AttemptClient {
    const key = keyOf(endpoint, url);
    const kept = this.#kept.get(key) ?? { client: this.make(url), users: 0, timer: undefined };
    clearTimeout(kept.timer);
    kept.users += 1;
    this.#kept.set(key, kept);
    return kept.client;
  }

  release(endpoint: EndpointRef, url: string): void {
    const key = keyOf(endpoint, url);
    const kept = this.#kept.get(key);
    if (!kept) return;
    kept.users -= 1;
    if (kept.users > 0) return;
    if (this.#kept.size > keptAtMost) this.#close(key, kept);
    else kept.timer = setTimeout(() => this.#close(key, kept), closeAfterIdleMs).unref();
  }

  async closeAll(): Promise<void> {
    const all = [...this.#kept.values()];
    this.#kept.clear();
    for (const { timer } of all) clearTimeout(timer);
    await Promise.all(all.map(({ client }) => client.close()));
  }

  #close(key: string, { client }: Kept): void {
    this.#kept.delete(key);
    client.close().catch(() => {});
  }
}

function keyOf(endpoint: EndpointRef, url: string): string {
  return `${endpointKey(endpoint)} ${url}`;
}
