/**
 * Takes the ended requests of merchants into memory, and writes them a little later, in one statement for each
 * merchant. So no request waits for it. What is in memory when the process is killed is lost.
 */
import type { Clock } from '../clock.js';
import type { MerchantRequest, RequestRecorder } from '../http/monitoring/merchant-request.js';
import type { MerchantId } from '../ids.js';
import type { Log } from '../log.js';
import type { Database } from '../postgres/database.js';
import { isDatabaseUnavailable } from '../postgres/failure.js';
import type { Queryable } from '../postgres/statement.js';
import { type EndedRequest, isWorthKeeping, type LoggedRequest } from './logged-request.js';
import { addRequests, listRequests, type RequestFilter } from './store.js';

export interface RequestLogOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
}

const writeAfterMs = 2000;
/** Of a merchant with more, a batch has the newest. */
export const batchAtMost = 250;
/** So many merchants can wait to be written. Requests of others are left out meanwhile. */
const merchantsAtMost = 1000;

interface Batch {
  readonly requests: EndedRequest[];
  /** How many came. Beyond `batchAtMost`, each takes the place of the oldest. */
  count: number;
}

export class RequestLog implements RequestRecorder {
  readonly #options: RequestLogOptions;
  #batches = new Map<MerchantId, Batch>();
  /** Set until its write has ended: meanwhile requests stay in `#batches`, so that a slow database fills no memory. */
  #timer: NodeJS.Timeout | undefined;
  /** Batches are written one after the other, so that at most one connection is taken. */
  #writing: Promise<void> = Promise.resolve();

  constructor(options: RequestLogOptions) {
    this.#options = options;
  }

  add(requests: readonly MerchantRequest[]): void {
    const endedAtMs = this.#options.clock.now().getTime();
    for (const request of requests) if (isWorthKeeping(request)) this.#keep(request, endedAtMs);
    this.#writeLater();
  }

  /** Returns once everything that was added before is stored, or lost. */
  write(): Promise<void> {
    clearTimeout(this.#timer);
    const written = this.#writeNext(() => {
      const batches = this.#batches;
      this.#batches = new Map();
      return batches;
    });
    return written.finally(() => {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#writeLater();
    });
  }

  /** The newest first, also those that this process has in memory. */
  async list(
    database: Queryable,
    merchantId: MerchantId,
    filter: RequestFilter,
    limit: number,
  ): Promise<LoggedRequest[]> {
    await this.#writeNext(() => {
      const batch = this.#batches.get(merchantId);
      this.#batches.delete(merchantId);
      return new Map(batch && [[merchantId, batch]]);
    });
    return listRequests(database, merchantId, filter, limit);
  }

  #writeLater(): void {
    if (this.#batches.size > 0) this.#timer ??= setTimeout(() => void this.write(), writeAfterMs).unref();
  }

  /** Takes what is to be written when its turn comes. */
  #writeNext(take: () => ReadonlyMap<MerchantId, Batch>): Promise<void> {
    this.#writing = this.#writing.then(() => this.#writeAll(take()));
    return this.#writing;
  }

  #keep(request: MerchantRequest, endedAtMs: number): void {
    const { merchantId, ms } = request;
    const batch = this.#batches.get(merchantId) ?? { requests: [], count: 0 };
    if (batch.count === 0) {
      if (this.#batches.size >= merchantsAtMost) return;
      this.#batches.set(merchantId, batch);
    }
    batch.requests[batch.count % batchAtMost] = Object.assign(request, { receivedAt: new Date(endedAtMs - ms) });
    batch.count += 1;
  }

  async #writeAll(batches: ReadonlyMap<MerchantId, Batch>): Promise<void> {
    const { database, log } = this.#options;
    let lost = 0;
    let reason: unknown;
    for (const [merchantId, { requests, count }] of batches) {
      // The others would wait for the database in vain, one after the other.
      if (isDatabaseUnavailable(reason)) {
        lost += requests.length;
        continue;
      }
      const oldest = count > batchAtMost ? count % batchAtMost : 0;
      const inOrder = [...requests.slice(oldest), ...requests.slice(0, oldest)];
      await addRequests(database, merchantId, inOrder).catch((error) => {
        lost += requests.length;
        reason = error;
      });
    }
    if (reason) log.warn({ lost, err: reason }, 'requests of merchants were not recorded');
  }
}
