/**
 * The simulated rail of a sandbox. It keeps what it was asked to pay in a table of its own, as a bank would: what it
 * says is the same on every node and after every restart. It never exists in live.
 */
import { createHmac } from 'node:crypto';
import { instanceTenant, merchantDigits, merchantOfDigits, type TenantId } from '../../ids.js';
import { digestOf } from '../../keys/sealing.js';
import { type Amount, amount } from '../../money/amount.js';
import { currencyCode, minorUnits } from '../../money/currency.js';
import { amountFromLiteral } from '../../money/literal.js';
import {
  type Batch,
  type Finding,
  type Instruction,
  type Payment,
  type Rail,
  type Report,
  reportKinds,
} from '../../payouts/rail.js';
import type { Database } from '../../postgres/database.js';
import { cashSteps, outcomeFor, type SandboxOutcome, sandboxOutcomes } from './sandbox-outcomes.js';
import { addPayout, findSandboxPayout, type SandboxPayout } from './sandbox-store.js';

export interface SandboxRailOptions {
  readonly database: Database;
  /** Makes pick-up codes that cannot be guessed and are always the same for a payment. */
  readonly codeKey: Buffer;
}

export function sandboxRail(options: SandboxRailOptions): Rail {
  return {
    name: 'sandbox',
    capabilities: {
      methods: 'any',
      currencies: 'any',
      paymentsPerMessage: 1,
      messagesAtOnce: 8,
      canRecall: false,
      proofOfPayment: 'report',
      submission: 'automatic',
      asksAfterPayment: true,
    },
    plan: (_request, now) => ({
      cutOffAt: undefined,
      valueDate: now.toISOString().slice(0, 10),
      arrivesAt: new Date(now.getTime() + 60_000),
    }),
    submit: (batch) => submit(options, batch),
    find: (reference) => find(options, reference),
    read: readDocument,
  };
}

async function submit(options: SandboxRailOptions, { payments }: Batch): Promise<Report[]> {
  const reports: Report[] = [];
  for (const payment of payments) {
    if (!(await isAnswered(options, payment))) throw new Error('the simulated rail does not answer');
    const finding = await find(options, payment.reference);
    if (typeof finding === 'object') reports.push(...finding.reports);
  }
  return reports;
}

/** Receives the payment. One that gets lost at first is kept under another name, so that the rail does not find it. */
async function isAnswered(options: SandboxRailOptions, payment: Payment): Promise<boolean> {
  const { reference } = payment;
  const payout = payoutOf(payment);
  const { submission }: SandboxOutcome = sandboxOutcomes[payout.outcome];
  if (submission === 'lost' && (await receive(options, `${reference}.lost`, payout))) return false;
  await receive(options, reference, payout);
  return submission !== 'unanswered';
}

/** Returns whether the payment is new. Throws when the reference was used for another payment. */
async function receive({ database }: SandboxRailOptions, reference: string, payout: SandboxPayout): Promise<boolean> {
  const merchantId = merchantOf(reference);
  if (await database.transaction((tx) => addPayout(tx, merchantId, reference, payout))) return true;
  const known = await findSandboxPayout(database, merchantId, reference);
  if (known?.contentHash !== payout.contentHash) throw new Error('the reference has another content');
  return false;
}

async function find(options: SandboxRailOptions, reference: string): Promise<Finding> {
  const payout = await findSandboxPayout(options.database, merchantOf(reference), reference);
  if (!payout) return 'never_received';
  const outcome: SandboxOutcome = sandboxOutcomes[payout.outcome];
  if (payout.ageSeconds < (outcome.unknownForSeconds ?? 0)) return 'unknown';
  const isCash = payout.method === 'cash_pickup' && payout.outcome === 'Paid';
  const steps = (isCash ? cashSteps : outcome.steps).filter((step) => step.afterSeconds <= payout.ageSeconds);
  const reports = steps.map(
    ({ kind, reason }): Report => ({
      reportId: `${reference}.${kind}`,
      reference,
      kind,
      amount: payout.amount,
      ...(kind === 'returned' ? { charge: chargeOn(payout.amount) } : {}),
      ...(reason === undefined ? {} : { reason }),
      ...(kind === 'available_for_pickup' ? { pickupCode: pickupCodeOf(options.codeKey, reference) } : {}),
      raw: JSON.stringify({ kind, reference, reason }),
    }),
  );
  const again = reports.map((report) => ({ ...report, reportId: `${report.reportId}.again` }));
  return { reports: outcome.isTwice ? [...reports, ...again] : reports };
}

function payoutOf({ content }: Payment): SandboxPayout {
  const instruction = JSON.parse(content.toString()) as Instruction;
  const { recipient, currency: code } = instruction;
  const currency = currencyCode(code);
  const money = currency && amountFromLiteral(currency, instruction.amount);
  if (!money || 'fault' in money) throw new Error('the simulated rail cannot read the amount');
  const details = recipient && 'method' in recipient ? recipient : undefined;
  return {
    outcome: outcomeFor(details?.lastName ?? details?.companyName ?? lastWord(recipient)),
    amount: money,
    method: details?.method ?? 'bank_account',
    contentHash: digestOf(content),
  };
}

/** A payer has one name: its last word decides. */
function lastWord(recipient: Instruction['recipient']): string {
  return recipient && 'name' in recipient ? (recipient.name.split(' ').at(-1) ?? '') : '';
}

/** Three groups of four digits. */
function pickupCodeOf(key: Buffer, reference: string): string {
  const number = createHmac('sha256', key).update(reference).digest().readBigUInt64BE() % 10n ** 12n;
  return String(number)
    .padStart(12, '0')
    .replace(/(\d{4})(\d{4})/, '$1-$2-');
}

/** What the rail keeps of a payment that it sends back: 1.00, in any currency. */
function chargeOn({ currency, minor }: Amount): Amount {
  const whole = 10n ** BigInt(minorUnits(currency));
  return amount(currency, minor < whole ? minor : whole);
}

/** Our references begin with `ORD` or `SUS` and the merchant's number in six characters; 0 is the instance. */
function merchantOf(reference: string): TenantId {
  const digits = reference.slice(3, 9);
  const tenant = digits === merchantDigits(instanceTenant) ? instanceTenant : merchantOfDigits(digits);
  if (tenant === undefined) throw new Error('the simulated rail does not know the merchant');
  return tenant;
}

/** A JSON list of reports. Throws when it is not. */
function readDocument(document: Buffer): Report[] {
  const list: unknown = JSON.parse(document.toString());
  if (!Array.isArray(list)) throw new Error('the document is not a list');
  return list.map((entry: Partial<Report> | null) => {
    const { reportId, reference, kind } = entry ?? {};
    const isKnown = reportKinds.some((known) => known === kind);
    if (typeof reportId !== 'string' || typeof reference !== 'string' || !kind || !isKnown)
      throw new Error('an entry of the document is not a report');
    return { reportId, reference, kind, raw: JSON.stringify({ reportId, reference, kind }) };
  });
}
