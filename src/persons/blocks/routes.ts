/** Routes for operators: the block list. */
import Type, { type Static } from 'typebox';
import { ListPage, nextPage } from '../../http/answers/answer.js';
import { type FindPending, pendingField } from '../../http/four-eyes.js';
import { auditedRead, command, type Route, read } from '../../http/route.js';
import { namesIn } from '../../http/shapes.js';
import { userId } from '../../ids.js';
import { clientIdsOf, merchantIdOf } from '../../merchants/service.js';
import { loginsOf } from '../../operators/service.js';
import type { Queryable } from '../../postgres/statement.js';
import { type Block, blockStates, recordOf } from './block.js';
import { BlockFileShape, BlockPath, BlockQueryShape, BlockShape, LiftShape, NewBlockShape } from './schemas.js';
import type { BlockService } from './service.js';

const described = { tag: 'Block list' } as const;
const forViewers = { ...described, access: { token: 'operator', role: 'viewer' } } as const;
const forReviewers = { ...described, access: { token: 'operator', role: 'reviewer' } } as const;

export interface BlockRouteOptions {
  readonly blocks: BlockService;
  readonly findPending: FindPending;
}

export function blockRoutes({ blocks, findPending }: BlockRouteOptions): Route[] {
  return [listRoute(blocks, findPending), createRoute(blocks), fileRoute(blocks, findPending), liftRoute(blocks)];
}

function listRoute(blocks: BlockService, findPending: FindPending): Route {
  return read({
    ...forViewers,
    method: 'GET',
    path: '/operator/blocks',
    operationId: 'listBlocks',
    summary: 'List who and what is blocked',
    description: 'Contains nothing personal. The header `Link` names the next page.',
    returns: 'A page of blocks, by id.',
    query: BlockQueryShape,
    answer: Type.Array(BlockShape),
    async run({ query }, database) {
      const { state = 'active', after = '', limit = 50 } = query;
      const states = namesIn(blockStates, state) ?? [];
      const found = await blocks.list(database, states, { after, limit });
      const pending = await findPending(database, found.map(recordOf));
      const encoded = await encodeAll(database, found);
      const items = encoded.map((block) => ({ ...block, ...pendingField(pending.get(recordOf(block))) }));
      const last = found.length === limit ? found.at(-1) : undefined;
      return new ListPage(items, last && nextPage('/operator/blocks', query, last.blockId));
    },
  });
}

function createRoute(blocks: BlockService): Route {
  return command({
    ...forReviewers,
    method: 'POST',
    path: '/operator/blocks',
    operationId: 'block',
    summary: 'Block a person, an account, a phone or a document',
    description:
      'Money stops at once: payouts, refunds and returns that nobody was instructed to make do not leave, and what we hold of a blocked user, and of users of whom an approved form shows that they are the same person or have the document, is frozen. Whoever only claims so goes to a review. Merchants and users see ordinary reviews. One person is enough, because a block only stops money.',
    subject: 'instance',
    returns: 'The block.',
    body: NewBlockShape,
    answer: BlockShape,
    refusals: ['merchant_not_found', 'user_not_found'],
    async run({ body, by }, tx) {
      const { merchant, userId: id, ...rest } = body;
      const user =
        merchant === undefined || id === undefined
          ? undefined
          : { merchantId: await merchantIdOf(tx, merchant), userId: userId(id) };
      const block = await blocks.block(tx, by, { ...rest, user: rest.kind === 'person' ? user : undefined });
      return encodeOne(tx, block);
    },
  });
}

function fileRoute(blocks: BlockService, findPending: FindPending): Route {
  return auditedRead({
    ...forReviewers,
    method: 'GET',
    path: '/operator/blocks/{blockId}',
    operationId: 'getBlock',
    summary: 'Get a block with its reason',
    returns: 'The block, what was entered, and why.',
    params: BlockPath,
    answer: BlockFileShape,
    refusals: ['block_not_found'],
    async run({ params, by }, tx) {
      const { block, details } = await blocks.look(tx, by, params.blockId);
      const pending = await findPending(tx, [recordOf(block)]);
      const { value = null, country = null, reason, liftedBecause = null } = details;
      const shown = { ...(await encodeOne(tx, block)), value, country, reason, liftedBecause };
      return { ...shown, ...pendingField(pending.get(recordOf(block))) };
    },
  });
}

function liftRoute(blocks: BlockService): Route {
  return command({
    ...forReviewers,
    method: 'POST',
    path: '/operator/blocks/{blockId}/lift',
    operationId: 'liftBlock',
    summary: 'Lift a block',
    description:
      'Always needs a second operator. What was frozen stays frozen until it is released, order by order; what is under review is decided there.',
    subject: 'instance',
    fourEyes: {
      action: 'block.lift',
      review: (call, tx) => blocks.reviewLift(tx, call.params.blockId),
    },
    returns: 'The lifted block.',
    params: BlockPath,
    body: LiftShape,
    answer: BlockShape,
    refusals: ['block_not_found', 'block_lifted'],
    run: async (call, tx) => encodeOne(tx, await blocks.lift(tx, call.by, call.params.blockId, call.body.note)),
  });
}

async function encodeOne(database: Queryable, block: Block): Promise<Static<typeof BlockShape>> {
  const [encoded] = await encodeAll(database, [block]);
  if (!encoded) throw new Error('a block was not encoded');
  return encoded;
}

async function encodeAll(database: Queryable, blocks: readonly Block[]) {
  const merchants = blocks.flatMap(({ user }) => (user ? [user.merchantId] : []));
  const [clientIds, logins] = [await clientIdsOf(database, merchants), await loginsOf(database)];
  return blocks.map(({ blockId, kind, user, state, version, blockedBy, blockedAt, liftedAt }) => ({
    blockId,
    kind,
    merchant: (user && clientIds.get(user.merchantId)) ?? null,
    userId: user?.userId ?? null,
    state,
    version,
    blockedBy: logins.get(blockedBy) ?? String(blockedBy),
    blockedAt: blockedAt.toISOString(),
    liftedAt: liftedAt?.toISOString() ?? null,
  }));
}
