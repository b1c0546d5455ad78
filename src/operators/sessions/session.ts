/** A browser in which an operator is signed in: how long it lasts. Pure. */
import type { OperatorRole } from '../../caller.js';
import type { OperatorId } from '../../ids.js';

/** A session ends after so long without a request. */
export const idleMinutes = 15;
/** A session ends after so long, whatever happens in it. */
export const longestHours = 12;
/** How long a right password waits for its code. */
export const codeWithinMinutes = 5;

export interface Session {
  readonly sessionId: bigint;
  readonly operatorId: OperatorId;
  readonly login: string;
  readonly role: OperatorRole;
  readonly hasSecondFactor: boolean;
  readonly startedAt: Date;
  readonly expiresAt: Date;
}

/** What is shown of a session in the list of them. */
export interface ListedSession {
  readonly sessionId: bigint;
  readonly address: string;
  readonly browser: string;
  readonly startedAt: Date;
  readonly lastSeenAt: Date;
}

/** Where a session begins. */
export interface Browser {
  readonly address: string;
  /** What the browser calls itself. */
  readonly name: string;
}
