/** Routes for operators: corridors, rate sources and held rates. */
import Type from 'typebox';
import { type FindPending, pendingField } from '../../http/four-eyes.js';
import { command, type Route, read } from '../../http/route.js';
import { type CurrencyCode, currencyCode } from '../../money/currency.js';
import type { Board } from '../board/board.js';
import type { Pair } from '../board/guard.js';
import type { RatesContext } from '../board/rate-state.js';
import type { Corridor } from '../corridors/corridor.js';
import {
  CorridorPath,
  CorridorsBody,
  OpenFilter,
  OperatorCorridorShape,
  SaveCorridorBody,
} from './corridor-schemas.js';
import { listCorridors, recordOf, replacedCorridors, reviewCorridors, saveCorridors } from './corridor-service.js';
import { corridorLiterals, corridorsLiterals, operatorCorridor, readCorridor, readCorridors } from './corridor-wire.js';
import { acceptCorridorRate, acceptHeldRate, collectNow, refuseHeldRate } from './held-rates.js';
import { rateOverview } from './rate-overview.js';
import { RateBoardShape, SeenFigure, SeenRate } from './source-schemas.js';

const described = { tag: 'Rates for operators' } as const;
const forViewers = { ...described, access: { token: 'operator', role: 'viewer' } } as const;
const forAdmins = {
  ...described,
  access: { token: 'operator', role: 'admin' },
  // Corridors and rates belong to no merchant.
  subject: 'instance',
} as const;
const source = Type.String({ description: 'The name of the source.' });
const HeldPath = Type.Object({ source, currency: Type.String({ description: 'The currency of the rate.' }) });

export interface OperatorRateOptions {
  readonly context: RatesContext;
  readonly board: Board;
  readonly findPending: FindPending;
}

export function operatorRateRoutes({ context, board, findPending }: OperatorRateOptions): Route[] {
  // The change is committed. If this node cannot load it now, it does so within seconds.
  const afterCommit = () => board.refresh().catch(() => {});
  return [
    listCorridorsRoute(findPending),
    ...corridorRoutes(context, afterCommit),
    ...boardRoutes(context),
    ...heldRoutes(context, afterCommit),
  ];
}

function listCorridorsRoute(findPending: FindPending): Route {
  return read({
    ...forViewers,
    method: 'GET',
    path: '/operator/corridors',
    operationId: 'listCorridorsForOperators',
    summary: 'List all corridors with their prices',
    returns: 'Every corridor that matches, closed ones included.',
    query: OpenFilter,
    answer: Type.Array(OperatorCorridorShape),
    async run({ query: { isOpen } }, database) {
      const all = await listCorridors(database);
      const corridors = isOpen === undefined ? all : all.filter((corridor) => String(corridor.isOpen) === isOpen);
      const pending = await findPending(database, corridors.map(recordOf));
      return corridors.map((corridor) => ({
        ...operatorCorridor(corridor),
        ...pendingField(pending.get(recordOf(corridor))),
      }));
    },
  });
}

function corridorRoutes(context: RatesContext, afterCommit: () => Promise<void>): Route[] {
  return [
    command({
      ...forAdmins,
      method: 'PUT',
      path: '/operator/corridors',
      operationId: 'saveCorridors',
      returns: 'The corridors after the change.',
      summary: 'Open or change many corridors',
      description:
        'Saves all corridors or none. Send each as `GET /operator/corridors` returns it, with your changes. Corridors that are ' +
        'not in the list, and existing quotes, do not change. Closing never waits for a second operator: close in a request ' +
        'of its own.',
      fourEyes: {
        action: 'corridor.save',
        review: (call, tx) => reviewCorridors(tx, readCorridors(call.body, call.literal)),
        before: async (call, tx) =>
          (await replacedCorridors(tx, readCorridors(call.body, call.literal))).map(shownBefore),
      },
      body: CorridorsBody,
      literals: corridorsLiterals,
      bodyBounds: { bytes: 1_048_576, fields: 32_000 },
      answer: Type.Array(OperatorCorridorShape),
      refusals: ['version_conflict'],
      async run(call, tx) {
        const edits = readCorridors(call.body, call.literal);
        return (await saveCorridors(tx, context, call.by, edits)).map(operatorCorridor);
      },
      afterCommit,
    }),
    command({
      ...forAdmins,
      method: 'PUT',
      path: '/operator/corridors/{fiatIn}/{fiatOut}',
      operationId: 'saveCorridor',
      summary: 'Open or change a corridor',
      description:
        'Takes effect within 5 seconds on every node. Existing quotes do not change. You can send a corridor as ' +
        '`GET /operator/corridors` returns it; with its `version`, nothing is saved if someone else has changed it meanwhile. ' +
        'Closing a corridor never waits for a second operator.',
      fourEyes: {
        action: 'corridor.save',
        review: (call, tx) => reviewCorridors(tx, [readCorridor(pairOf(call.params), call.body, call.literal)]),
        before: async (call, tx) => (await replacedCorridors(tx, [pairOf(call.params)])).map(shownBefore)[0],
      },
      returns: 'The corridor after the change.',
      params: CorridorPath,
      body: SaveCorridorBody,
      literals: corridorLiterals,
      answer: OperatorCorridorShape,
      refusals: ['version_conflict'],
      async run(call, tx) {
        const edit = readCorridor(pairOf(call.params), call.body, call.literal);
        const [corridor] = await saveCorridors(tx, context, call.by, [edit]);
        if (!corridor) throw new Error('the corridor was not saved');
        return operatorCorridor(corridor);
      },
      afterCommit,
    }),
  ];
}

function boardRoutes(context: RatesContext): Route[] {
  return [
    read({
      ...forViewers,
      method: 'GET',
      path: '/operator/rates',
      operationId: 'getRateBoard',
      summary: 'Get the rate sources and held rates',
      returns: 'Every source with its rates and their age, and the rates that are held.',
      answer: RateBoardShape,
      run: (_call, database) => rateOverview(database, context),
    }),
    command({
      ...forAdmins,
      method: 'POST',
      path: '/operator/rates/sources/{source}/collect',
      operationId: 'collectRates',
      summary: 'Ask a source now',
      description:
        'The source is asked within seconds instead of when it is due. `checkedAt` in `GET /operator/rates` shows when that ' +
        'has happened.',
      params: Type.Object({ source }),
      returns: 'The source is asked within seconds.',
      refusals: ['rate_source_not_found'],
      run: (call, tx) => collectNow(tx, context, call.by, call.params.source),
    }),
  ];
}

function heldRoutes(context: RatesContext, afterCommit: () => Promise<void>): Route[] {
  return [
    command({
      ...forAdmins,
      method: 'POST',
      path: '/operator/rates/{source}/{currency}/accept',
      operationId: 'acceptRate',
      summary: 'Accept a held rate',
      description:
        'Send the `rate` and the `base` that you saw in `GET /operator/rates`; its `corridors` show what accepting it ' +
        'changes. A corridor among the `heldCorridors` jumped for another reason and is accepted separately.',
      fourEyes: {
        action: 'rate.accept',
        // The version is the figure that was seen: the verb refuses any other.
        review: async ({ params, body }) => ({
          subject: `rate:${params.source}:${params.currency}`,
          version: `${body.rate} ${body.base ?? ''}`,
        }),
      },
      returns: 'The rate is in use.',
      params: HeldPath,
      body: SeenFigure,
      refusals: ['rate_not_held', 'held_rate_changed'],
      run: (call, tx) => acceptHeldRate(tx, context, call.by, { ...call.params, ...call.body }),
      afterCommit,
    }),
    command({
      ...forAdmins,
      method: 'POST',
      path: '/operator/rates/{source}/{currency}/refuse',
      operationId: 'refuseRate',
      summary: 'Reject a held rate',
      description: 'The rate is discarded. If the source publishes it again, it is held again.',
      returns: 'The rate is discarded.',
      params: HeldPath,
      refusals: ['rate_not_held'],
      run: (call, tx) => refuseHeldRate(tx, call.by, call.params.source, call.params.currency),
      afterCommit,
    }),
    command({
      ...forAdmins,
      method: 'POST',
      path: '/operator/corridors/{fiatIn}/{fiatOut}/accept-rate',
      operationId: 'acceptCorridorRate',
      summary: 'Accept the held rate of a corridor',
      description: 'Send as `rate` the `newRate` that you saw among the `heldCorridors` of `GET /operator/rates`.',
      fourEyes: {
        action: 'rate.accept',
        review: async ({ params, body }) => ({
          subject: `corridor_rate:${params.fiatIn}-${params.fiatOut}`,
          version: body.rate,
        }),
      },
      returns: 'The corridor is quoted at the rate.',
      params: CorridorPath,
      body: SeenRate,
      refusals: ['rate_not_held', 'held_rate_changed', 'rate_sources_differ'],
      run: (call, tx) => acceptCorridorRate(tx, call.by, pairOf(call.params), call.body.rate),
      afterCommit,
    }),
  ];
}

/** The schema accepts nothing but currency codes. */
function pairOf({ fiatIn, fiatOut }: { fiatIn: string; fiatOut: string }): Pair {
  return { fiatIn: currencyCode(fiatIn) as CurrencyCode, fiatOut: currencyCode(fiatOut) as CurrencyCode };
}

/** A corridor in the form of the body that replaces it; empty for a new one. */
function shownBefore(corridor: Corridor | undefined): object {
  return corridor ? operatorCorridor(corridor) : {};
}
