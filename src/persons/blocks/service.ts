/** The verbs of the block list: block, lift, look, and what the gate and every exit ask. */
import type { ApprovalSubject } from '../../approval.js';
import { type By, operatorOf } from '../../caller.js';
import { findAltered, recordChange } from '../../changes/service.js';
import { invalidField, RemesaError, userNotFound } from '../../errors.js';
import { instanceTenant, newPublicId, publicId } from '../../ids.js';
import { deriveKey } from '../../keys/derive.js';
import { bindingOf, open, seal } from '../../keys/sealing.js';
import type { Queryable, SealedQueryable, Transaction } from '../../postgres/statement.js';
import { accountText, phoneText, userText } from '../identifier.js';
import type { Account, Mark, PersonIndex } from '../service.js';
import {
  type Block,
  type BlockDetails,
  type BlockId,
  type BlockKind,
  type BlockState,
  digestedBlock,
  markOf,
  recordOf,
} from './block.js';
import * as store from './store.js';

export type { FoundBlock } from './store.js';

/** The job that freezes what is there when somebody is blocked. */
export const applyBlocksJob = 'persons.apply-blocks';

export interface NewBlock extends BlockDetails {
  readonly kind: BlockKind;
  /** For a person. */
  readonly user: Account | undefined;
}

/** Who and what takes part in a movement of money. */
export interface Involved {
  readonly users: readonly Account[];
  /** The numbers that identify each account that money goes to, or came from. */
  readonly accounts: readonly (readonly string[])[];
}

export interface BlockFile {
  readonly block: Block;
  readonly details: BlockDetails;
}

export class BlockService {
  readonly #persons: PersonIndex;
  readonly #key: Buffer;

  constructor(persons: PersonIndex, rootKey: Buffer) {
    this.#persons = persons;
    this.#key = deriveKey(rootKey, 'blocks');
  }

  /**
   * Money stops at once: whatever leaves asks first. Throws `user_not_found`, and `invalid_fields` for a value that
   * says nothing.
   */
  async block(tx: Transaction, by: By, { kind, user, ...details }: NewBlock): Promise<Block> {
    const blockId = newPublicId('blk');
    const marks = await this.#marksOf(tx, kind, user, details);
    const sealedDetails = this.#seal(blockId, 'active', details);
    const block = await store.addBlock(tx, { blockId, kind, user, sealedDetails, marks, blockedBy: operatorOf(by) });
    await audit(tx, by, block, { action: 'block.created', before: undefined });
    tx.wake(applyBlocksJob);
    return block;
  }

  /** What a lift is about: it always needs two people. Throws `block_not_found`. */
  async reviewLift(tx: Transaction, id: string): Promise<ApprovalSubject> {
    const block = await lock(tx, id);
    return { subject: recordOf(block), version: String(block.version) };
  }

  /** What was frozen stays frozen until it is released, order by order. Throws `block_not_found`, `block_lifted`. */
  async lift(tx: Transaction, by: By, id: string, note: string): Promise<Block> {
    const block = await lock(tx, id);
    const details = { ...this.#open(block), liftedBecause: note };
    const lifted = await store.liftBlock(tx, block, this.#seal(block.blockId, 'lifted', details));
    if (!lifted) throw new RemesaError('conflict', 'block_lifted', 'This block was lifted already.');
    await audit(tx, by, lifted, { action: 'block.lifted', before: block });
    return lifted;
  }

  /** The oldest first. */
  list(
    database: Queryable,
    states: readonly BlockState[],
    page: { readonly after: string; readonly limit: number },
  ): Promise<readonly Block[]> {
    return store.listBlocks(database, states, page);
  }

  /** Each reading is audited. Throws `block_not_found`. */
  async look(tx: Transaction, by: By, id: string): Promise<BlockFile> {
    const blockId = publicId('blk', id);
    const block = blockId && (await store.findBlock(tx, blockId));
    if (!block) throw notFound();
    await recordChange(tx, by, { ...changeOf(block), action: 'block.looked_at' });
    return { block, details: this.#open(block) };
  }

  /**
   * The active blocks that concern each of these. A block that somebody has changed in the database, past the service,
   * is in force whatever its row says, and is reported.
   */
  async find(
    database: SealedQueryable,
    subjects: readonly Involved[],
  ): Promise<readonly (readonly store.FoundBlock[])[]> {
    const marked = subjects.map(({ users, accounts }) => ({
      users,
      digests: [
        ...users.map((user) => this.#persons.digestOf('user', userText(user))),
        ...accounts.flatMap((numbers) => this.#marksOfAccount(numbers)),
      ],
    }));
    const found = await store.findMarkedBlocks(database, marked);
    const ids = [...new Set(found.flat().map(({ blockId }) => blockId))];
    if (ids.length === 0) return found;
    const read = async () =>
      (await store.listBlocksByIds(database, ids)).map((block) => ({ block, ...digestedBlock(block) }));
    const rows = await read();
    const altered = await findAltered(database, instanceTenant, rows, { readAgain: read });
    const active = rows.filter(({ block }) => block.state === 'active');
    const inForce = new Set([...active, ...altered].map(({ block }) => block.blockId));
    const isAltered = new Set(altered.map(({ block }) => block.blockId));
    return found.map((ofSubject) =>
      ofSubject
        .filter(({ blockId }) => inForce.has(blockId))
        .map((block) => ({ ...block, isVerified: block.isVerified || isAltered.has(block.blockId) })),
    );
  }

  /**
   * Every account that a block concerns for certain, for the job that freezes what is there. Whoever only claims to be
   * the same person, or a number of it, is stopped at the exits instead.
   */
  async accountsOf(database: Queryable, block: Block): Promise<readonly Account[]> {
    const known = await store.listAccountsMarked(database, block);
    const all = [...(block.user ? [block.user] : []), ...known].map((account) => [userText(account), account] as const);
    return [...new Map(all).values()];
  }

  /** Why the person was blocked, for the note of what is frozen. */
  reasonOf(block: store.StoredBlock): string {
    return this.#open(block).reason;
  }

  async #marksOf(
    tx: Transaction,
    kind: BlockKind,
    user: Account | undefined,
    details: BlockDetails,
  ): Promise<readonly Mark[]> {
    if (kind === 'person') {
      if (!user) throw invalidField('userId', 'required', 'must be given, with merchant, to block a person');
      if (!(await this.#persons.isKnown(tx, user))) throw userNotFound();
      const own = await this.#persons.marksOf(tx, user);
      const others = await this.#persons.verifiedAccountsOf(tx, user);
      const marks = await Promise.all(others.map((account) => this.#persons.marksOf(tx, account)));
      return [...own, ...marks.flat().filter(({ isVerified }) => isVerified)];
    }
    const mark = markOf(kind, details);
    if (!mark) throw invalidField('value', 'required', 'must have letters or digits, and a country for a document');
    return [{ digest: this.#persons.digestOf(mark.kind, mark.text), isVerified: true }];
  }

  /** An account may be a phone: that of a wallet, or of whoever collects cash. */
  #marksOfAccount(numbers: readonly string[]): Buffer[] {
    const account = accountText(...numbers);
    const phones = numbers.map(phoneText).filter((phone) => phone !== '');
    return [
      ...(account === '' ? [] : [this.#persons.digestOf('account', account)]),
      ...phones.map((phone) => this.#persons.digestOf('phone', phone)),
    ];
  }

  #seal(blockId: BlockId, state: BlockState, details: BlockDetails): Buffer {
    return seal(this.#key, Buffer.from(JSON.stringify(details)), bindingOf('blocks', 'sealed_details', blockId, state));
  }

  #open({ blockId, state, sealedDetails }: store.StoredBlock): BlockDetails {
    const text = open(this.#key, sealedDetails, bindingOf('blocks', 'sealed_details', blockId, state)).toString();
    return JSON.parse(text) as BlockDetails;
  }
}

async function lock(tx: Transaction, id: string): Promise<store.StoredBlock> {
  const blockId = publicId('blk', id);
  const block = blockId && (await store.lockBlock(tx, blockId));
  if (!block) throw notFound();
  return block;
}

function notFound(): RemesaError {
  return new RemesaError('not_found', 'block_not_found', 'There is no such block.');
}

function audit(
  tx: Transaction,
  by: By,
  block: store.StoredBlock,
  { action, before }: { readonly action: string; readonly before: store.StoredBlock | undefined },
): Promise<void> {
  const { row } = digestedBlock(block);
  const rowBefore = before && digestedBlock(before).row;
  return recordChange(tx, by, { ...changeOf(block), action, version: block.version, row, rowBefore });
}

function changeOf(block: Block) {
  return { merchantId: instanceTenant, subject: recordOf(block), details: { kind: block.kind } };
}
