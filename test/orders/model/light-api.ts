/** Sends requests over few connections. In long runs every hundredth answer is held against the OpenAPI document. */
import { Pool } from 'undici';
import { Api } from '../../harness/api.js';
import { rounds } from '../../harness/rounds.js';

/** Reading the schemas takes seconds. */
const observedEvery = rounds(Number.POSITIVE_INFINITY, 100);

export class LightApi extends Api {
  readonly #pool: Pool;

  constructor({ baseUrl, document }: Api) {
    const dispatcher = new Pool(baseUrl, { connections: 32, keepAliveTimeout: 60_000 });
    super(baseUrl, document, { dispatcher, observedEvery });
    this.#pool = dispatcher;
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}
