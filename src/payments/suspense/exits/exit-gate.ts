/** The gate of money that leaves suspense: who paid it, whose account it goes to, and for whose order it came. */
import { type Hit, isFreezing } from '../../../kyc/hits/hit.js';
import type { HitService, ListsSnapshot } from '../../../kyc/hits/service.js';
import { screenPayers, unreadablePayers } from '../../../orders/gate/payer-screening.js';
import { findOrderById } from '../../../orders/order/finding.js';
import type { BlockId } from '../../../persons/blocks/block.js';
import type { BlockService, Involved } from '../../../persons/blocks/service.js';
import type { SealedQueryable } from '../../../postgres/statement.js';
import type { Match } from '../../../screening/screening.js';
import { isUnlike } from '../../applications/payer-name.js';
import type { SuspenseRecord } from '../suspense.js';

export interface ExitGateOptions {
  readonly hits: HitService;
  readonly blocks: Pick<BlockService, 'find'>;
  readonly snapshot: () => ListsSnapshot;
}

export interface ExitFindings {
  /** Hits of the user whose order the money seems to be for, open or confirmed. */
  readonly hits: readonly Hit[];
  /** Entries that the payer or the recipient resembles; or the user, of whom nothing was recorded yet. */
  readonly matches: readonly Match[];
  /** The name of the payer or of the recipient cannot be compared well: no match says nothing. */
  readonly isNameUnreadable: boolean;
  readonly isOrderFrozen: boolean;
  /** The block list names the user, or an account of the payer or the recipient. */
  readonly isBlocked: boolean;
  /** Blocks of somebody who has in common with the user what nobody has verified for both. */
  readonly likeBlocked: readonly BlockId[];
  readonly areListsUsable: boolean;
}

/** Somebody who paid the money, or is to get it. */
export interface ExitPerson {
  readonly name: string;
  readonly account?: string | undefined;
}

/** Why nobody may pay the money back now. */
export type ExitObstacle = 'open_hit' | 'order_frozen' | 'screening_lists' | 'blocked';

async function blocked(
  blocks: Pick<BlockService, 'find'>,
  database: SealedQueryable,
  involved: Involved,
): Promise<Pick<ExitFindings, 'isBlocked' | 'likeBlocked'>> {
  const [found = []] = await blocks.find(database, [involved]);
  const likeBlocked = found.filter(({ isVerified }) => !isVerified).map(({ blockId }) => blockId);
  return { isBlocked: found.length > likeBlocked.length, likeBlocked };
}

export class ExitGate {
  readonly #options: ExitGateOptions;

  constructor(options: ExitGateOptions) {
    this.#options = options;
  }

  /** `people`: the payer and the recipient, as far as they are known. Throws `BrokenSeal`. */
  async examine(
    database: SealedQueryable,
    { orderId }: SuspenseRecord,
    people: readonly ExitPerson[],
  ): Promise<ExitFindings> {
    const { hits, blocks, snapshot } = this.#options;
    const names = people.map(({ name }) => name);
    const accounts = people.flatMap(({ account }) => (account === undefined ? [] : [[account]]));
    const lists = snapshot();
    const areListsUsable = lists.usability.isUsable;
    const others = names.map((name) => ({ name, isAnother: true }));
    if (orderId === undefined)
      return {
        hits: [],
        matches: screenPayers(lists, others, undefined),
        isNameUnreadable: unreadablePayers(lists, others, false).length > 0,
        isOrderFrozen: false,
        ...(await blocked(blocks, database, { users: [], accounts })),
        areListsUsable,
      };
    const { merchantId, userId, state } = await findOrderById(database, orderId);
    const [gathered, known] = await Promise.all([
      hits.gather(database, merchantId, [userId]),
      hits.listOf(database, merchantId, userId),
    ]);
    const { person, profile } = gathered.open(userId);
    const payers = profile ? names.map((name) => ({ name, isAnother: isUnlike(name, profile) })) : others;
    return {
      hits: known.filter(isFreezing),
      matches: [
        ...(person ? hits.unrecorded(person, lists, known) : []),
        ...screenPayers(lists, payers, person && { subject: person.subject, hits: known }),
      ],
      isNameUnreadable: unreadablePayers(lists, payers, person !== undefined).length > 0,
      isOrderFrozen: state === 'FROZEN',
      ...(await blocked(blocks, database, { users: [{ merchantId, userId }], accounts })),
      areListsUsable,
    };
  }
}

export function obstacleOf({ hits, isOrderFrozen, isBlocked, areListsUsable }: ExitFindings): ExitObstacle | undefined {
  if (isBlocked) return 'blocked';
  if (hits.some(({ state }) => state === 'open')) return 'open_hit';
  if (isOrderFrozen) return 'order_frozen';
  return areListsUsable ? undefined : 'screening_lists';
}

/** Names what was found. Two operators let the money go back in spite of exactly these. */
export function cluesOf({ hits, matches, isNameUnreadable, likeBlocked }: ExitFindings): string[] {
  return [
    ...(isNameUnreadable ? ['unreadable_name'] : []),
    ...likeBlocked,
    ...hits.map(({ hitId }) => hitId),
    ...matches.map(({ list, entryId, entryHash }) => `${list}:${entryId}:${entryHash}`),
  ];
}
