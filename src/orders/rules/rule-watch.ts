/** Knows the rules from memory, so that the gate asks nobody for them. A change is announced to all processes. */
import type { Queryable } from '../../postgres/statement.js';
import { Refresher } from '../../worker/refresher.js';
import type { ReviewRule } from './rule.js';
import { listRules } from './rule-store.js';

export const rulesChanged = 'orders.rules-changed';
const refreshEveryMs = 5_000;

export class RuleWatch {
  #rules: readonly ReviewRule[] = [];
  readonly #refresher: Refresher;

  constructor(database: Queryable) {
    this.#refresher = new Refresher(async () => {
      this.#rules = await listRules(database);
    }, refreshEveryMs);
  }

  get rules(): readonly ReviewRule[] {
    return this.#rules;
  }

  /** Throws `database_unavailable`. */
  async start(): Promise<void> {
    await this.#refresher.start();
  }

  /** Resolves once this process knows everything that was committed before the call. */
  refresh(): Promise<void> {
    return this.#refresher.refresh();
  }

  stop(): void {
    this.#refresher.stop();
  }
}
