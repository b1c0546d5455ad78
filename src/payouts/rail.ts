/**
 * The interface to whoever carries money out: a bank, a mobile money operator, the operators of this instance. A rail
 * is asked outside of any transaction. Decision 24 walks an ISO 20022 file and the GSMA mobile money API through it.
 */
import { batchJob } from '../bank/batches/ports.js';
import type { Details } from '../beneficiaries/beneficiary.js';
import type { BeneficiaryMethod } from '../beneficiaries/destinations/destination.js';
import { maskedAccount } from '../beneficiaries/masking.js';
import type { PaymentOrder } from '../iso20022/payment-message.js';
import type { Amount } from '../money/amount.js';
import type { CurrencyCode } from '../money/currency.js';
import type { Originator } from '../orders/order/copies/originator.js';
import type { Direction } from './attempt.js';

/** The job that sends payments of rails one by one. */
export const sendJob = 'payouts.send';

export interface Capabilities {
  /** `any`: the settings alone decide. */
  readonly methods: readonly BeneficiaryMethod[] | 'any';
  readonly currencies: readonly CurrencyCode[] | 'any';
  readonly paymentsPerMessage: number;
  /** How many messages may be on their way at a time, from one process. */
  readonly messagesAtOnce: number;
  readonly canRecall: boolean;
  /**
   * What shows that the beneficiary has the money: the rail's word, the debit on a bank statement, or an operator's.
   */
  readonly proofOfPayment: 'report' | 'statement' | 'operator';
  /**
   * `by_hand`: operators carry it out and record what happened. `batched`: payments of all merchants leave together in
   * a file, which somebody else collects, sends and hears of (`batched/`). The worker asks neither of them.
   */
  readonly submission: 'automatic' | 'batched' | 'by_hand';
  /** Whether the rail must be asked about returns after it paid. Otherwise it sends a report. */
  readonly asksAfterPayment: boolean;
}

export interface PlanRequest {
  readonly direction: Direction;
  readonly amount: Amount;
  /** Undefined for money in suspense: nobody knows where its payer lives. */
  readonly country: string | undefined;
  readonly method: string;
}

export interface RailPlan {
  /** Until when a payment leaves on this value date; undefined when the rail never closes. */
  readonly cutOffAt: Date | undefined;
  /** As `2026-11-16`. */
  readonly valueDate: string;
  readonly arrivesAt: Date;
}

/**
 * What one payment says. Its JSON is the content of an attempt: the exact bytes are stored before the rail is asked.
 */
export interface Instruction {
  readonly reference: string;
  readonly direction: Direction;
  readonly currency: string;
  /** As a decimal, such as `1952.04`. */
  readonly amount: string;
  /** Null for money in suspense, which goes back to whoever paid it. The name is null after the user was deleted. */
  readonly sender: {
    readonly name: string | null;
    readonly country: string;
    /** For payouts: what the law asks whoever carries the money to know. */
    readonly originator?: Originator;
  } | null;
  /**
   * Null for a refund whose payer is not known, and without an account where only the name is: an operator must find
   * out.
   */
  readonly recipient: Details | PayerAccount | NamedPayer | null;
  readonly purpose: string;
}

/** The account that paid an order, as the bank wrote it. */
export interface PayerAccount {
  readonly name: string;
  readonly account: string;
}

/** Who paid from an account that the bank did not tell. */
export interface NamedPayer {
  readonly name: string;
  readonly account: null;
}

/** The end of the account number; undefined for cash, and where no account is known. */
export function endOfAccount(recipient: Details | PayerAccount | NamedPayer | undefined): string | undefined {
  if (!recipient || recipient.account === null) return undefined;
  if ('method' in recipient) return maskedAccount(recipient) ?? undefined;
  return `****${recipient.account.slice(-4)}`;
}

export interface Payment {
  readonly reference: string;
  /** An `Instruction` as JSON, the same bytes at every repetition. */
  readonly content: Buffer;
}

/** One message to the rail. What a rail sends is a pure function of it, so that a repetition has identical bytes. */
export interface Batch {
  readonly messageId: string;
  readonly createdAt: Date;
  readonly payments: readonly Payment[];
}

/** Undefined for a rail that was removed from the settings: operators then say what became of its payments. */
export function isByHand(rail: Pick<Rail, 'capabilities'> | undefined): boolean {
  return rail === undefined || rail.capabilities.submission === 'by_hand';
}

/** Whether a bank account of ours is debited, so that somebody must say which. */
export function isFromOurBank(rail: Pick<Rail, 'capabilities'> | undefined): boolean {
  return rail?.capabilities.submission !== 'automatic';
}

/** The job that goes on with a new payment of the rail. */
export function jobOf(rail: Pick<Rail, 'capabilities'>): string {
  return rail.capabilities.submission === 'batched' ? batchJob : sendJob;
}

/** Whether the worker sends its payments one by one, and asks what became of them. */
export function isAsked({ capabilities }: Pick<Rail, 'capabilities'>): boolean {
  return capabilities.submission === 'automatic';
}

export const reportKinds = ['accepted', 'available_for_pickup', 'paid', 'rejected', 'returned', 'recalled'] as const;
export type ReportKind = (typeof reportKinds)[number];

/** What a rail says about one payment. It may come twice, out of order, or for nothing we know. */
export interface Report {
  /** The rail's own id, or one made from what it sent, so that the same report has the same id. */
  readonly reportId: string;
  readonly reference: string;
  readonly kind: ReportKind;
  readonly amount?: Amount;
  /** What a bank kept. */
  readonly charge?: Amount;
  /** A code of ISO 20022, such as `AC01`, where the rail has one. */
  readonly reason?: string;
  /** A bearer secret: whoever has it gets the cash. */
  readonly pickupCode?: string;
  /** When it happened, by the rail's own account. */
  readonly occurredAt?: Date;
  /** What the rail sent. */
  readonly raw: string;
}

/**
 * `never_received` is final: the rail does not have the payment, so the same bytes are sent again. `unknown`: it cannot
 * tell, so it is asked again later.
 */
export type Finding = { readonly reports: readonly Report[] } | 'never_received' | 'unknown';

export interface Rail {
  readonly name: string;
  readonly capabilities: Capabilities;
  /** Pure: when a payment that is sent at `now` would arrive. */
  plan(request: PlanRequest, now: Date): RailPlan;
  /**
   * Hands the message over and returns what the rail says at once. May be called again with the same batch; the rail
   * pays each reference once. Throws when the outcome is not known: `find` then tells.
   */
  submit(batch: Batch, signal: AbortSignal): Promise<readonly Report[]>;
  /** Throws when the rail cannot be asked. */
  find(reference: string, signal: AbortSignal): Promise<Finding>;
  /** Of a batched rail: the payment as a bank is told of it. Pure. Undefined for one that no bank can make. */
  paymentOrder?(instruction: Instruction): PaymentOrder | undefined;
  /** Reads a file or a callback of the rail. Throws when it cannot be read. */
  read(document: Buffer): readonly Report[];
}
