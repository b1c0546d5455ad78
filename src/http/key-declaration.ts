/** What a command declares about its idempotency keys, and about the second person that it can need. */
import type { TenantId } from '../ids.js';
import type { Queryable } from '../postgres/statement.js';
import type { Access, OperatorAccess } from './access.js';
import type { FourEyes } from './four-eyes.js';

/** How long the answer of a command is stored for retries with the same key. */
export interface Idempotency {
  readonly keepForHours: number;
  /** The answer contains a secret or personal data, so it is stored encrypted. */
  readonly isSecret?: boolean;
  /** A request without a key is refused: for commands that move money. */
  readonly isRequired?: boolean;
}

/**
 * The merchant whose data an operator's command changes; `instance` when it changes no merchant's. Operators' keys are
 * stored with that merchant, so that a transaction writes rows of one merchant only.
 */
export type Subject<OperatorCall> = 'instance' | ((call: OperatorCall, database: Queryable) => Promise<TenantId>);

interface TakesKeys {
  /** Absent: answers are stored for 24 hours; DELETE takes no key. `false`: the route takes no key. */
  readonly idempotency?: Idempotency | false;
}

interface TakesNoKey {
  readonly idempotency: false;
  readonly subject?: never;
  readonly fourEyes?: never;
}

interface OfOperator<OperatorCall, Answer> {
  readonly subject: Subject<OperatorCall>;
  /** Declared when the command can need a second person. */
  readonly fourEyes?: FourEyes<OperatorCall, Answer>;
}

/** An operator's command declares its subject, or that it takes no key. A merchant's is about that merchant. */
export type KeyDeclaration<A extends Access, OperatorCall, Answer> = A extends OperatorAccess
  ? (TakesKeys & OfOperator<OperatorCall, Answer>) | TakesNoKey
  : TakesKeys & { readonly subject?: never; readonly fourEyes?: never };
