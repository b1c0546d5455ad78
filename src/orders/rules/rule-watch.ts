/** Knows the rules from memory, so that the gate asks nobody for them. A change is announced to all processes. */
import type { Queryable } from '../../postgres/statement.js';
import { Refresher } from '../../worker/refresher.js';
import type { ReviewRule } from './rule.js';
import { listRules } from './rule-store.js';

export const rulesChanged = 'orders.rules-changed';
const refreshEveryMs = 5_000;

export class RuleWatch extends Refresher {
  #rules: readonly ReviewRule[] = [];

  constructor(database: Queryable) {
    super(async () => {
      this.#rules = await listRules(database);
    }, refreshEveryMs);
  }

  get rules(): readonly ReviewRule[] {
    return this.#rules;
  }
}
