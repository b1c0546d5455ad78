/** Makes the report of a case. It is filed by people: the service sends nothing to an authority. */
import type { By } from '../../caller.js';
import { userId } from '../../ids.js';
import type { Licensee } from '../../licensee/licensee.js';
import { clientIdsOf } from '../../merchants/service.js';
import { amountToLiteral } from '../../money/literal.js';
import { findOrderById } from '../../orders/order/finding.js';
import type { Order } from '../../orders/order/order.js';
import type { Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import type { CaseItem } from '../case/case.js';
import type { CaseFile, CaseService } from '../case/service.js';
import { fincenReport } from './fincen.js';
import { goamlReport } from './goaml.js';
import { printedReport } from './print.js';
import type { Report, ReportData, ReportedOrder, ReportedPerson } from './report.js';

export const reportFormats = { goaml: goamlReport, fincen: fincenReport, html: printedReport } as const;
export type ReportFormat = keyof typeof reportFormats;

export interface ReportOptions {
  readonly cases: CaseService;
  readonly users: Pick<UserService, 'list' | 'open'>;
  readonly licensee: () => Licensee | undefined;
  readonly now: () => Date;
}

export class ReportService {
  readonly #options: ReportOptions;

  constructor(options: ReportOptions) {
    this.#options = options;
  }

  /** Reading the case is audited. Throws `case_not_found`, and `order_not_found` for an order that is not kept. */
  async make(tx: Transaction, by: By, id: string, format: ReportFormat, reportedBy: string): Promise<Report> {
    const { cases, licensee, now } = this.#options;
    const file = await cases.look(tx, by, id);
    const orders: ReportedOrder[] = [];
    for (const reference of referencesOf(file, 'order')) orders.push(reported(await findOrderById(tx, reference)));
    const data: ReportData = {
      caseId: file.case.caseId,
      madeAt: now(),
      reporter: licensee(),
      reportedBy,
      title: file.title,
      narrative: file.items.findLast(({ kind }) => kind === 'narrative')?.text ?? '',
      indicators: [],
      persons: await this.#persons(tx, file.items),
      orders,
    };
    return reportFormats[format](data);
  }

  async #persons(tx: Transaction, items: readonly CaseItem[]): Promise<ReportedPerson[]> {
    const { users } = this.#options;
    const named = items.flatMap(({ kind, merchantId, reference }) =>
      kind === 'user' && merchantId && reference ? [{ merchantId, id: userId(Number(reference)) }] : [],
    );
    const clientIds = await clientIdsOf(
      tx,
      named.map(({ merchantId }) => merchantId),
    );
    const persons: ReportedPerson[] = [];
    for (const { merchantId, id } of named) {
      const sealed = (await users.list(tx, merchantId, [id])).get(id);
      const profile = sealed && users.open(sealed).profile;
      persons.push({ merchant: clientIds.get(merchantId) ?? '', userId: id, profile });
    }
    return persons;
  }
}

function referencesOf({ items }: CaseFile, wanted: CaseItem['kind']): string[] {
  return items.flatMap(({ kind, reference }) => (kind === wanted && reference ? [reference] : []));
}

function reported({ orderId, createdAt, amountIn, amountOut, payee, purpose, userId: id }: Order): ReportedOrder {
  return {
    orderId,
    createdAt,
    amountIn: amountToLiteral(amountIn),
    fiatIn: amountIn.currency,
    amountOut: amountToLiteral(amountOut),
    fiatOut: amountOut.currency,
    payoutCountry: payee.country,
    payoutMethod: payee.method,
    payoutAccount: payee.account,
    purpose,
    userId: id,
  };
}
