/** Makes the report of a case. It is filed by people: the service sends nothing to an authority. */
import { identifyingValues } from '../../beneficiaries/requirements.js';
import type { By } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { RemesaError } from '../../errors.js';
import { instanceTenant, type MerchantId, type TenantId, type UserId, userId } from '../../ids.js';
import { declaredAnswers } from '../../kyc/submissions/declared.js';
import type { Licensee } from '../../licensee/licensee.js';
import { clientIdsOf } from '../../merchants/service.js';
import { amountToLiteral } from '../../money/literal.js';
import { beneficiaryOf } from '../../orders/order/copies/copies.js';
import { findOrderById } from '../../orders/order/finding.js';
import type { Order } from '../../orders/order/order.js';
import type { Transaction } from '../../postgres/statement.js';
import { knownProfile } from '../../users/known-profile.js';
import type { UserService } from '../../users/service.js';
import { type CaseItem, type ItemKind, recordOf } from '../case/case.js';
import type { CaseService } from '../case/service.js';
import { kindsOfAlerts } from '../monitoring/alert-store.js';
import { fincenReport } from './fincen.js';
import { goamlReport } from './goaml.js';
import { printedReport } from './print.js';
import type { Report, ReportData, ReportedOrder, ReportedPerson } from './report.js';

export const reportFormats = { goaml: goamlReport, fincen: fincenReport, html: printedReport } as const;
export type ReportFormat = keyof typeof reportFormats;

export interface ReportOptions {
  readonly cases: CaseService;
  readonly users: UserService;
  readonly licensee: () => Licensee | undefined;
  readonly now: () => Date;
}

type ClientIds = ReadonlyMap<TenantId, string>;
interface Named {
  readonly merchantId: MerchantId;
  readonly id: UserId;
}

export class ReportService {
  readonly #options: ReportOptions;

  constructor(options: ReportOptions) {
    this.#options = options;
  }

  /** That personal data was read is audited. What cannot be read is named as missing. Throws `case_not_found`. */
  async make(tx: Transaction, by: By, id: string, format: ReportFormat, reportedBy: string): Promise<Report> {
    const { cases, licensee, now } = this.#options;
    const file = await cases.look(tx, by, id);
    const items = file.items.filter(({ removed }) => !removed);
    const clientIds = await clientIdsOf(
      tx,
      items.flatMap(({ merchantId }) => merchantId ?? []),
    );
    const [orders, unreadable] = await this.#orders(tx, referencesOf(items, 'order'), clientIds);
    const persons = await this.#persons(tx, usersOf(items), clientIds);
    const data: ReportData = {
      caseId: file.case.caseId,
      madeAt: now(),
      reporter: licensee(),
      reportedBy,
      title: file.title,
      narrative: items.findLast(({ kind }) => kind === 'narrative')?.text ?? '',
      indicators: await kindsOfAlerts(tx, referencesOf(items, 'alert')),
      persons,
      orders,
      unreadable,
    };
    const details = { format, users: persons.length, orders: orders.length };
    const change = { merchantId: instanceTenant, action: 'compliance_case.report_made', subject: recordOf(file.case) };
    await recordChange(tx, by, { ...change, details });
    return reportFormats[format](data);
  }

  async #orders(
    tx: Transaction,
    ids: readonly string[],
    clientIds: ClientIds,
  ): Promise<readonly [ReportedOrder[], string[]]> {
    const [orders, unreadable]: [ReportedOrder[], string[]] = [[], []];
    for (const id of ids) {
      const order = await findOrderById(tx, id).catch((error: unknown) => {
        if (error instanceof RemesaError && error.code === 'order_not_found') return undefined;
        throw error;
      });
      if (order) orders.push(await this.#reported(tx, order, clientIds));
      else unreadable.push(`order ${id}`);
    }
    return [orders, unreadable];
  }

  async #reported(tx: Transaction, order: Order, clientIds: ClientIds): Promise<ReportedOrder> {
    const { amountIn, amountOut, payee } = order;
    const details = await beneficiaryOf(this.#options.users, tx, order);
    const name = details && (details.companyName ?? [details.firstName, details.lastName].filter(Boolean).join(' '));
    return {
      merchant: clientIds.get(order.merchantId) ?? '',
      orderId: order.orderId,
      createdAt: order.createdAt,
      amountIn: amountToLiteral(amountIn),
      fiatIn: amountIn.currency,
      amountOut: amountToLiteral(amountOut),
      fiatOut: amountOut.currency,
      payoutCountry: payee.country,
      payoutMethod: payee.method,
      payeeName: name,
      payeeAccount: details && (identifyingValues(details).join(' ') || undefined),
      purpose: order.purpose,
      userId: order.userId,
    };
  }

  async #persons(tx: Transaction, named: readonly Named[], clientIds: ClientIds): Promise<ReportedPerson[]> {
    const { users } = this.#options;
    const persons: ReportedPerson[] = [];
    for (const { merchantId, id } of named) {
      const profile = await knownProfile(users, tx, merchantId, id);
      const key = await users.retainedKey(tx, merchantId, id);
      const answers = key ? await declaredAnswers(tx, key, merchantId, id) : {};
      persons.push({ merchant: clientIds.get(merchantId) ?? '', userId: id, profile, answers });
    }
    return persons;
  }
}

function usersOf(items: readonly CaseItem[]): Named[] {
  return items.flatMap(({ kind, merchantId, reference }) =>
    kind === 'user' && merchantId && reference ? [{ merchantId, id: userId(Number(reference)) }] : [],
  );
}

function referencesOf(items: readonly CaseItem[], wanted: ItemKind): string[] {
  return items.flatMap(({ kind, reference }) => (kind === wanted && reference ? [reference] : []));
}
