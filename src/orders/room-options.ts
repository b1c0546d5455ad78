/** What the orders room is given, and what it gives to others. */
import type { BeneficiaryService } from '../beneficiaries/service.js';
import type { Clock } from '../clock.js';
import type { CountryPolicies } from '../countries/service.js';
import type { KeptIn } from '../documents/chunk-vault.js';
import type { DocumentFiles } from '../documents/document-files.js';
import type { InspectUpload } from '../documents/inspect.js';
import type { FindPending } from '../http/four-eyes.js';
import type { RoomGauge } from '../http/monitoring/metrics.js';
import type { Route } from '../http/route.js';
import type { ExposureService } from '../kyc/exposure/service.js';
import type { HitService, ListsSnapshot } from '../kyc/hits/service.js';
import type { KycService } from '../kyc/service.js';
import type { LedgerService } from '../ledger/service.js';
import type { LicenseeWatch } from '../licensee/service.js';
import type { Log } from '../log.js';
import type { BlockService } from '../persons/blocks/service.js';
import type { PersonIndex } from '../persons/service.js';
import type { Database } from '../postgres/database.js';
import type { Board } from '../rates/board/board.js';
import type { QuoteProver } from '../rates/quote-proof.js';
import type { TaskSource } from '../tasks/task.js';
import type { UserService } from '../users/service.js';
import type { Agenda } from '../worker/agenda.js';
import type { Job } from '../worker/worker.js';
import type { OrderService } from './api/service.js';
import type { OrderPayoutProofs } from './corrections/payout-proofs.js';
import type { OrderRefundProofs } from './corrections/refund-proofs.js';
import type { OrderCorrections } from './corrections/service.js';
import type { Expiry } from './deadlines/expiry.js';
import type { DisclosureService } from './disclosure/service.js';
import type { OrderDocuments } from './documents/service.js';
import type { OrderErasure } from './erasure/erasure.js';
import type { PayoutOutcomes } from './flow/payout-outcomes.js';
import type { Recheck } from './flow/recheck.js';
import type { RetryService } from './flow/retry-service.js';
import type { GateRule } from './gate/facts.js';
import type { RefundExit } from './gate/refund-exit.js';
import type { InformationService } from './information/service.js';
import type { LimitTable } from './limits/limits.js';
import type { LimitService } from './limits/service.js';
import type { OrderDesk } from './operator/desk/service.js';
import type { RefundService } from './operator/refund-service.js';
import type { Payers, PayinAccounts, Payouts } from './order/ports.js';
import type { Receiving } from './payin/receiving.js';
import type { OrderCreation } from './placing/creation.js';
import type { ReceiptService } from './receipt/service.js';
import type { OrderRefundOutcomes } from './refunds/refund-outcomes.js';
import type { Requotes } from './requote/service.js';
import type { FreezeService } from './review/freeze-service.js';
import type { ReviewService } from './review/service.js';
import type { AccountIndex } from './rules/account-index.js';
import type { CloserLooks } from './rules/person-limit.js';
import type { TimelineService } from './timeline/service.js';

export interface OrderRoomOptions {
  readonly database: Database;
  readonly rootKey: Buffer;
  readonly mode: 'sandbox' | 'live';
  readonly users: { readonly service: UserService };
  readonly persons: { readonly service: PersonIndex; readonly blocks: BlockService };
  readonly beneficiaries: { readonly service: BeneficiaryService };
  readonly kyc: {
    readonly service: KycService;
    readonly hits: HitService;
    readonly exposures: Pick<ExposureService, 'listUnaccepted'>;
  };
  readonly documents: {
    readonly inspect: InspectUpload;
    readonly files: DocumentFiles;
    readonly keptIn: KeptIn;
  };
  readonly screening: { readonly service: { snapshot(): ListsSnapshot } };
  readonly ledger: { readonly service: LedgerService };
  readonly countries: { readonly policies: CountryPolicies };
  /** A live instance takes no orders before the operator has entered who holds the licence. */
  readonly licensee: { readonly watch: Pick<LicenseeWatch, 'require'> };
  readonly rates: { readonly board: Board; readonly prover: QuoteProver };
  /** The room that pays out is built after this one. */
  readonly payouts: () => Payouts;
  /** Who paid. */
  readonly payers: Payers;
  /** What the gate asks besides screening, KYC level, rails and the operators' rules. */
  readonly gateRules: readonly GateRule[];
  /** Whose orders are looked at more closely than their level asks for. */
  readonly looks: CloserLooks;
  readonly findPending: FindPending;
  readonly limits: LimitTable;
  readonly payinAccounts: PayinAccounts;
  readonly clock: Clock;
  readonly log: Log;
}

export interface OrderRoom {
  readonly service: OrderService;
  /** For the room of payments. */
  readonly receiving: Receiving;
  readonly requotes: Requotes;
  /** For the room of payouts. */
  readonly payoutOutcomes: PayoutOutcomes;
  readonly refundOutcomes: OrderRefundOutcomes;
  /** For the same room: asked before a refund is sent. */
  readonly refundExit: RefundExit;
  /** For the room of payments, whose records operators correct. */
  readonly corrections: OrderCorrections;
  /** For the room of payouts. */
  readonly payoutProofs: OrderPayoutProofs;
  readonly refundProofs: OrderRefundProofs;
  /** For the sandbox, which also plays the parts of operators and senders. */
  readonly creation: OrderCreation;
  readonly reviews: ReviewService;
  readonly freezes: FreezeService;
  readonly retries: RetryService;
  /** For the room of payouts: asked before a payout leaves. */
  readonly recheck: Recheck['check'];
  readonly expiry: Expiry;
  readonly refunds: RefundService;
  readonly information: InformationService;
  readonly documents: OrderDocuments;
  /** For the pages of senders. */
  readonly receipts: ReceiptService;
  /** For what users are told of their data. */
  readonly timelines: TimelineService;
  readonly disclosures: DisclosureService;
  /** For the room that pays out: a pause has ended. */
  wakeWaiting(): Promise<void>;
  /** For the room of users. */
  readonly erasure: OrderErasure;
  /** For the operators' desk. */
  readonly desk: OrderDesk;
  /** For what operators see of a user. */
  readonly limits: LimitService;
  readonly accounts: AccountIndex;
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
  readonly agenda: Agenda;
  readonly gauges: readonly RoomGauge[];
  readonly taskSources: readonly TaskSource[];
  readonly onWake: Readonly<Record<string, () => void>>;
  close(): Promise<void>;
}
