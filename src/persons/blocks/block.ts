/**
 * Owns the block list: a person, an account at a bank, a phone or a document of or to which no money moves. Merchants
 * and users see ordinary reviews. Does not own what is stopped: orders and payments ask before money leaves.
 */
import type { DigestedRow } from '../../changes/row.js';
import type { MerchantId, OperatorId, PublicId, UserId } from '../../ids.js';
import { accountText, type Identifier, numberText, phoneText } from '../identifier.js';

export type BlockId = PublicId<'blk'>;
export const blockKinds = ['person', 'account', 'phone', 'document'] as const;
export type BlockKind = (typeof blockKinds)[number];
export const blockStates = ['active', 'lifted'] as const;
export type BlockState = (typeof blockStates)[number];

export interface Block {
  readonly blockId: BlockId;
  readonly kind: BlockKind;
  /** The user behind whom the blocked person is. */
  readonly user: { readonly merchantId: MerchantId; readonly userId: UserId } | undefined;
  readonly state: BlockState;
  readonly version: number;
  readonly blockedAt: Date;
  readonly blockedBy: OperatorId;
  readonly liftedAt: Date | undefined;
}

/** Everything of a block that decides what it stops, with its marks as text. */
export type BlockRow = Block & { readonly sealedDetails: Buffer; readonly marks: readonly string[] };

export const blockPrefix = 'block:';

/** What identifies the content of a block. */
export function digestedBlock(block: BlockRow): DigestedRow {
  const { kind, user, state, version, blockedAt, blockedBy, liftedAt, sealedDetails, marks } = block;
  const details = sealedDetails.toString('base64');
  return {
    subject: recordOf(block),
    row: [kind, user?.merchantId, user?.userId, state, version, blockedAt, blockedBy, liftedAt, details, ...marks],
  };
}

/** What was entered. It is personal, so it is stored sealed. */
export interface BlockDetails {
  /** The account, the phone or the number of the document; absent for a person. */
  readonly value?: string;
  /** Of the document. */
  readonly country?: string;
  readonly reason: string;
  /** Why it was lifted. */
  readonly liftedBecause?: string;
}

/** What a block of a value is recognised by; undefined when nothing of the value is left to compare. */
export function markOf(
  kind: Exclude<BlockKind, 'person'>,
  { value = '', country }: BlockDetails,
): Identifier | undefined {
  const texts = {
    account: accountText(value),
    phone: phoneText(value),
    document: numberText(country, value),
  };
  return texts[kind] === '' ? undefined : { kind, text: texts[kind] };
}

/** The name under which the audit log and approvals know a block. */
export function recordOf({ blockId }: Pick<Block, 'blockId'>): string {
  return `${blockPrefix}${blockId}`;
}
