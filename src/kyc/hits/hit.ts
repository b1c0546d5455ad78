/** A hit: a user who resembles an entry of a screening list. An operator dismisses or confirms it, once. */
import { createHash } from 'node:crypto';
import type { MerchantId, OperatorId, PublicId, UserId } from '../../ids.js';
import type { Match } from '../../screening/screening.js';

export const hitStates = ['open', 'dismissed', 'confirmed'] as const;
export type HitState = (typeof hitStates)[number];
export type HitId = PublicId<'hit'>;

export interface Hit {
  readonly merchantId: MerchantId;
  readonly hitId: HitId;
  readonly userId: UserId;
  readonly list: string;
  readonly listVersion: string;
  readonly entryId: string;
  readonly entryHash: string;
  readonly personHash: Buffer;
  readonly score: number;
  readonly isStrong: boolean;
  readonly state: HitState;
  readonly foundAt: Date;
  readonly decidedAt: Date | undefined;
  readonly decidedBy: OperatorId | undefined;
}

/** What the match says about the names. It contains the user's name, so it is stored sealed. */
export type Explanation = Pick<Match, 'entryName' | 'matchedName' | 'subjectName' | 'reasons'>;

export interface Reconciled {
  readonly added: readonly Match[];
  /** Hits that nobody has decided yet, and the match that replaces what they were found by. */
  readonly refreshed: readonly { readonly hit: Hit; readonly match: Match }[];
}

/**
 * Compares what is found now with what is known. A dismissed hit comes back as a new one when the entry or the person
 * has changed; a confirmed hit is never asked about again; an open hit follows the newest data.
 */
export function reconcile(known: readonly Hit[], matches: readonly Match[], personHash: Buffer): Reconciled {
  const added: Match[] = [];
  const refreshed: { hit: Hit; match: Match }[] = [];
  for (const match of matches) {
    const ofPair = known.filter(({ list, entryId }) => list === match.list && entryId === match.entryId);
    const isSame = (hit: Hit) => hit.entryHash === match.entryHash && hit.personHash.equals(personHash);
    const open = ofPair.find(({ state }) => state === 'open');
    if (open) {
      if (!isSame(open)) refreshed.push({ hit: open, match });
    } else if (!ofPair.some((hit) => hit.state === 'confirmed' || isSame(hit))) {
      added.push(match);
    }
  }
  return { added, refreshed };
}

/** Differs whenever the hit is decided, or follows newer data of the entry or the person. */
export function versionOf({ state, entryHash, personHash }: Hit): string {
  const content = JSON.stringify([state, entryHash, personHash.toString('hex')]);
  return createHash('sha256').update(content).digest('hex');
}

/** The name under which the audit log and approvals know a hit. */
export function recordOf({ hitId }: Pick<Hit, 'hitId'>): string {
  return `hit:${hitId}`;
}

/** No level is approved while one of these exists. */
export function isBlocking({ state }: Hit): boolean {
  return state !== 'dismissed';
}
