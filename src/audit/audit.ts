/**
 * The audit log records who did what. An entry is written in the transaction of the change, then numbered and chained.
 * Entries contain ids, states and names of fields but no personal data, so erasing a user never breaks a chain.
 */
import type { Actor, By } from '../caller.js';

export interface AuditRecord {
  readonly actor: Actor;
  /** The action as `room.verb`, such as `merchant.suspended`. */
  readonly action: string;
  /** The object of the action as `kind:id`, such as `merchant:7`. */
  readonly subject: string;
  readonly fromState?: string;
  readonly toState?: string;
  readonly details?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  readonly requestId?: string;
  /** Adds the operator who asked for the change to the details; the actor is the one who approved it. */
  readonly approval?: By['approval'];
}

/** Identifies an actor or a subject. `operator:3` is the operator with the id 3. */
export interface Reference {
  readonly kind: string;
  readonly id: string;
}

/** Reads `kind:id`. The id may contain colons. */
export function referenceOf(text: string): Reference {
  const colon = text.indexOf(':');
  return colon < 0 ? { kind: text, id: '' } : { kind: text.slice(0, colon), id: text.slice(colon + 1) };
}

export function actorId(actor: Actor): string {
  switch (actor.kind) {
    case 'merchant':
      return String(actor.merchantId);
    case 'user':
      return String(actor.userId);
    case 'operator':
      return String(actor.operatorId);
    case 'system':
      return actor.name;
  }
}
