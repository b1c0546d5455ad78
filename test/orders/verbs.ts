/**
 * The verbs of orders on a database, without a service. Programs use them too, so nothing here belongs to a test run.
 */
import { systemClock } from '../../src/clock.js';
import { KeyVault } from '../../src/keys/vault.js';
import type { HitService } from '../../src/kyc/hits/service.js';
import { LedgerSealer } from '../../src/ledger/sealing/seal.js';
import { LedgerService } from '../../src/ledger/service.js';
import { Expiry } from '../../src/orders/deadlines/expiry.js';
import { PayoutOutcomes } from '../../src/orders/flow/payout-outcomes.js';
import type { Payers, Payouts } from '../../src/orders/order/ports.js';
import { OrderTransitions } from '../../src/orders/order/transition.js';
import { Receiving } from '../../src/orders/payin/receiving.js';
import type { RefundGuard } from '../../src/orders/refunds/guard.js';
import { OrderRefundOutcomes } from '../../src/orders/refunds/refund-outcomes.js';
import { Refunds } from '../../src/orders/refunds/refunds.js';
import { Requotes } from '../../src/orders/requote/service.js';
import { ReviewService } from '../../src/orders/review/service.js';
import type { ExitGate } from '../../src/payments/suspense/exits/exit-gate.js';
import type { Database } from '../../src/postgres/database.js';
import { UserService } from '../../src/users/service.js';
import { testMasterKey } from '../harness/master-key.js';

export interface OrderVerbs {
  readonly expiry: Expiry;
  readonly transitions: OrderTransitions;
  readonly receiving: Receiving;
  readonly requotes: Requotes;
  readonly payoutOutcomes: PayoutOutcomes;
  readonly refundOutcomes: OrderRefundOutcomes;
  readonly users: UserService;
  readonly ledger: LedgerService;
  readonly vault: KeyVault;
}

/** No rail is open, so nothing is paid out. */
const noPayouts: Payouts = {
  plan: () => ({ obstacle: 'no_rail' }),
  countAttempts: async () => new Map(),
  openPayout: () => Promise.reject(new Error('there is no rail to pay out by')),
  openRefund: async () => {},
};

/** Everybody may have money in suspense back. */
export const openExit: Pick<ExitGate, 'examine'> = {
  examine: async () => ({
    ...{ hits: [], matches: [], isNameUnreadable: false },
    ...{ isOrderFrozen: false, isBlocked: false, likeBlocked: [], areListsUsable: true },
  }),
};

/** Nobody is known to have paid: all goes back in one refund. */
const noPayers: Payers = { listOf: async () => new Map(), partsOf: async () => [], namesOf: async () => [] };

/** Nothing can be priced. */
const noRates = { openCorridor: () => undefined, isHeld: () => false, quoteRate: () => undefined };

export async function orderVerbs(database: Database, payouts: Payouts = noPayouts): Promise<OrderVerbs> {
  const current = Buffer.from(testMasterKey, 'base64');
  const vault = await KeyVault.open(database, { current, previous: undefined });
  const users = new UserService({
    vault,
    clock: systemClock,
    retentionYears: 5,
  });
  const ledger = new LedgerService(new LedgerSealer(vault.rootKey), systemClock);
  const transitions = new OrderTransitions(ledger, () => 'no lists');
  // Jobs decide no reviews.
  const none = {
    hits: undefined as unknown as HitService,
    levels: { missing: async () => undefined },
    blocks: { find: async () => [] },
    exposures: { listUnaccepted: async () => new Set<never>() },
  };
  const requotes = new Requotes({ board: noRates, transitions });
  // Whoever drives orders without a service has no lists: everybody passes.
  const guard: RefundGuard = {
    examine: async () => undefined,
    refer: (...referred) => reviews.refer(...referred),
  };
  const refunds = new Refunds({ ledger, transitions, payouts: () => payouts, payers: noPayers, guard });
  const reviews = new ReviewService({
    ...{ users, ledger, transitions, refunds, payouts: () => payouts, ...none },
  });
  return {
    ...{ users, ledger, vault, transitions },
    expiry: new Expiry({ users, transitions, refunds, reviews, findPending: async () => new Map() }),
    requotes,
    receiving: new Receiving({ users, transitions, requotes, payouts: () => payouts }),
    payoutOutcomes: new PayoutOutcomes(transitions),
    refundOutcomes: new OrderRefundOutcomes(transitions),
  };
}
