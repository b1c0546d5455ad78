/** A hit: a user who resembles an entry of a screening list. An operator dismisses or confirms it, once. */
import { createHash } from 'node:crypto';
import type { MerchantId, OperatorId, PublicId, UserId } from '../../ids.js';
import type { Match } from '../../screening/screening.js';

/** `exposure`: politically exposed, or close to somebody who is. It never freezes anything. */
export const hitKinds = ['sanction', 'exposure'] as const;
export type HitKind = (typeof hitKinds)[number];

export const hitStates = ['open', 'dismissed', 'confirmed'] as const;
export type HitState = (typeof hitStates)[number];
export type HitId = PublicId<'hit'>;

export interface Hit {
  readonly merchantId: MerchantId;
  readonly hitId: HitId;
  readonly userId: UserId;
  readonly kind: HitKind;
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

/** What the lists say about a person: who is under sanctions, and who is politically exposed. */
export type MatchesByKind = Readonly<Record<HitKind, readonly Match[]>>;

export interface Reconciled {
  readonly added: readonly { readonly kind: HitKind; readonly match: Match }[];
  /** Hits that nobody has decided yet, and the match that replaces what they were found by. */
  readonly refreshed: readonly { readonly hit: Hit; readonly match: Match }[];
}

/**
 * Compares what is found now with what is known. A dismissed hit comes back as a new one when the entry or the person
 * has changed; a confirmed hit is never asked about again; an open hit follows the newest data.
 */
export function reconcile(known: readonly Hit[], matches: MatchesByKind, personHash: Buffer): Reconciled {
  const added: { kind: HitKind; match: Match }[] = [];
  const refreshed: { hit: Hit; match: Match }[] = [];
  for (const { kind, match } of hitKinds.flatMap((each) =>
    matches[each].map((found) => ({ kind: each, match: found })),
  )) {
    // Who was politically exposed, and is under sanctions now, is asked about anew.
    const ofPair = known.filter((hit) => hit.kind === kind && hit.list === match.list && hit.entryId === match.entryId);
    const isSame = (hit: Hit) => hit.entryHash === match.entryHash && hit.personHash.equals(personHash);
    const open = ofPair.find(({ state }) => state === 'open');
    if (open) {
      if (!isSame(open)) refreshed.push({ hit: open, match });
    } else if (!ofPair.some((hit) => hit.state === 'confirmed' || isSame(hit))) {
      added.push({ kind, match });
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

/** The name under which they know that management accepts a politically exposed user. */
export function exposureRecordOf({ userId }: Pick<Hit, 'userId'>): string {
  return `exposure:${userId}`;
}

/** No level is approved while one of these exists, and no order of the user goes on without a person. */
export function isBlocking({ kind, state }: Hit): boolean {
  return kind === 'sanction' ? state !== 'dismissed' : state === 'open';
}

/** An operator has found that the user is this politically exposed person. */
export function isExposed({ kind, state }: Hit): boolean {
  return kind === 'exposure' && state === 'confirmed';
}

/** Nothing of the user's money leaves, in whatever direction, while one of these exists. */
export function isFreezing({ kind, state }: Hit): boolean {
  return kind === 'sanction' && state !== 'dismissed';
}
