/** What a scenario is: steps, each one transaction, and what a merchant sees of them. Types only. */
import type { BeneficiaryService } from '../../beneficiaries/service.js';
import type { By } from '../../caller.js';
import type { MerchantId, PublicId } from '../../ids.js';
import type { ReviewService as KycReviewService } from '../../kyc/review/service.js';
import type { KycService } from '../../kyc/service.js';
import type { OrderService } from '../../orders/api/service.js';
import type { InformationService } from '../../orders/information/service.js';
import type { Order } from '../../orders/order/order.js';
import type { PublicState } from '../../orders/order/transitions.js';
import type { OrderCreation } from '../../orders/placing/creation.js';
import type { SimulationService } from '../../payments/simulation-service.js';
import type { SuspenseService } from '../../payments/suspense/operator/service.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { Board } from '../../rates/board/board.js';
import type { UserService } from '../../users/service.js';
import type { OrderEventService, PreparedEvent } from '../order-events/service.js';

/** The services that a scenario uses: those behind the routes. */
export interface ScenarioServices {
  readonly users: UserService;
  readonly kyc: KycService;
  readonly kycReviews: KycReviewService;
  readonly board: Board;
  readonly beneficiaries: BeneficiaryService;
  readonly creation: OrderCreation;
  readonly orders: OrderService;
  readonly information: InformationService;
  readonly payments: SimulationService;
  readonly suspense: SuspenseService;
  readonly events: OrderEventService;
  readonly pickupCode: (database: Queryable, order: Order) => Promise<string | undefined>;
}

/** What later steps need of earlier ones: ids only. */
export interface Facts {
  readonly userId?: number;
  readonly externalClientId?: string;
  readonly caseId?: string;
  readonly orderId?: string;
  /** A payment that no order took. */
  readonly paymentId?: string;
}

/** Where a step is played: one run, on behalf of its merchant. */
export interface StepContext {
  readonly services: ScenarioServices;
  readonly by: By;
  readonly merchantId: MerchantId;
  readonly facts: Facts;
}

export interface Step {
  /** What happens, for people. */
  readonly title: string;
  /** What must be asked outside of the transaction. */
  readonly prepare?: (database: Queryable, context: StepContext) => Promise<PreparedEvent>;
  /** Returns new facts, or `not_yet` when it is to be tried again in a moment. Throws what the services throw. */
  readonly play: (tx: Transaction, context: StepContext, prepared: PreparedEvent) => Promise<Facts | 'not_yet'>;
}

export interface Scenario {
  readonly name: string;
  /** What happens. */
  readonly description: string;
  /** What a developer learns from it. */
  readonly teaches: string;
  /** The types of the events about the order and about the KYC case, in order. */
  readonly events: { readonly kyc: readonly string[]; readonly order: readonly string[] };
  /** The last status of the order. */
  readonly endsAs: PublicState;
  /** Must not be played beside other runs of the merchant. */
  readonly isExclusive?: true;
  readonly steps: readonly Step[];
}

export type RunId = PublicId<'run'>;
export type RunState = 'RUNNING' | 'FINISHED' | 'FAILED';

export interface Run {
  readonly merchantId: MerchantId;
  readonly runId: RunId;
  readonly scenario: string;
  readonly state: RunState;
  /** How many steps are done. */
  readonly step: number;
  readonly facts: Facts;
  readonly failure: string | undefined;
  /** How often the next step could not be done yet. */
  readonly tries: number;
  readonly startedAt: Date;
}
