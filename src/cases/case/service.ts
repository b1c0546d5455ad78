/** The verbs of cases: open, add, change, look, record a filing. Each reading of a case is audited. */
import { type By, operatorOf } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { invalidField, RemesaError } from '../../errors.js';
import { instanceTenant, type MerchantId, newPublicId, type OperatorId, publicId } from '../../ids.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import { decideAlert } from '../monitoring/alert-store.js';
import { decided, lockAlert } from '../monitoring/service.js';
import type { CaseSealer } from '../sealed.js';
import {
  type CaseId,
  type CaseItem,
  type ComplianceCase,
  type ComplianceCaseState,
  daysToReport,
  type ItemKind,
  mayFollow,
  type ReferenceKind,
  recordOf,
} from './case.js';
import * as store from './store.js';

export interface NewCase {
  readonly title: string;
  /** The alerts with which it begins. Their users and orders belong to it. */
  readonly alertIds: readonly string[];
}

export interface NewItem {
  readonly kind: Exclude<ItemKind, 'filing' | 'alert'>;
  /** Of a user. */
  readonly merchantId?: MerchantId | undefined;
  readonly reference?: string | undefined;
  readonly text?: string | undefined;
}

export interface CaseChange {
  readonly state: ComplianceCaseState;
  /** Undefined: as before. */
  readonly owner: OperatorId | undefined;
  readonly dueAt: Date | undefined;
  readonly note: string;
  readonly version: number;
}

export interface Filing {
  readonly format: string;
  readonly authority: string;
  readonly reference: string;
}

export interface CaseFile {
  readonly case: ComplianceCase;
  readonly title: string;
  readonly items: readonly CaseItem[];
}

/** An id that nobody has is refused where it is read; this only keeps references short and plain. */
const referenceForm = /^[A-Za-z0-9_-]{1,64}$/;
const texts: readonly ItemKind[] = ['note', 'decision', 'narrative', 'filing'];

export class CaseService {
  readonly #sealer: CaseSealer;

  constructor(sealer: CaseSealer) {
    this.#sealer = sealer;
  }

  /** The opener owns it. Throws `alert_not_found` and `alert_decided`. */
  async open(tx: Transaction, by: By, { title, alertIds }: NewCase): Promise<CaseFile> {
    const caseId = newPublicId('cas');
    const openedBy = operatorOf(by);
    const sealedTitle = this.#sealer.seal(['compliance_cases', 'sealed_title', caseId], title);
    const opened = await store.addCase(tx, { caseId, sealedTitle, owner: openedBy, dueInDays: daysToReport, openedBy });
    for (const id of [...new Set(alertIds)]) await this.#take(tx, by, caseId, id);
    await audit(tx, by, opened, 'compliance_case.opened', { toState: 'open' });
    return this.#file(tx, opened);
  }

  /** Contains no title: that is in the file, whose reading is audited. */
  list(
    database: Queryable,
    states: readonly ComplianceCaseState[],
    page: { readonly after: string; readonly limit: number },
  ): Promise<readonly ComplianceCase[]> {
    return store.listCases(database, states, page);
  }

  /** Throws `case_not_found`. */
  async look(tx: Transaction, by: By, id: string): Promise<CaseFile> {
    const found = await lock(tx, id);
    await audit(tx, by, found, 'compliance_case.looked_at', {});
    return this.#file(tx, found);
  }

  /** An alert that belongs to a case is not open any more. Throws as `open` does, and `case_not_found`. */
  async addAlert(tx: Transaction, by: By, id: string, alertId: string): Promise<CaseFile> {
    const found = await lock(tx, id);
    await this.#take(tx, by, found.caseId, alertId);
    await audit(tx, by, found, 'compliance_case.extended', { kind: 'alert' });
    return this.#file(tx, found);
  }

  /** What is added stays. Throws `case_not_found` and `invalid_fields`. */
  async add(tx: Transaction, by: By, id: string, item: NewItem): Promise<CaseFile> {
    const found = await lock(tx, id);
    const isText = texts.includes(item.kind);
    if (isText && item.text === undefined) throw invalidField('text', 'required', 'must be given for this kind');
    if (!isText && !referenceForm.test(item.reference ?? ''))
      throw invalidField('reference', 'required', 'must be the id of what the case is about');
    if (item.kind === 'user' && item.merchantId === undefined)
      throw invalidField('merchant', 'required', 'must be given for a user');
    await this.#add(tx, by, found.caseId, item);
    await audit(tx, by, found, 'compliance_case.extended', { kind: item.kind });
    return this.#file(tx, found);
  }

  /** Throws `case_not_found`, `version_conflict` and `case_transition_not_allowed`. */
  async change(
    tx: Transaction,
    by: By,
    id: string,
    { note, version, state, owner, dueAt }: CaseChange,
  ): Promise<CaseFile> {
    const found = await lock(tx, id);
    if (!mayFollow(found.state, state)) throw notAllowed(found);
    if (found.version !== version) throw conflict(found, version);
    await this.#add(tx, by, found.caseId, { kind: state === found.state ? 'note' : 'decision', text: note });
    return this.#save(tx, by, found, { state, owner: owner ?? found.owner, dueAt: dueAt ?? found.dueAt });
  }

  /** A report was filed with an authority. Throws `case_not_found` and `case_transition_not_allowed`. */
  async file(tx: Transaction, by: By, id: string, filing: Filing): Promise<CaseFile> {
    const found = await lock(tx, id);
    if (!mayFollow(found.state, 'reported')) throw notAllowed(found);
    await this.#add(tx, by, found.caseId, { kind: 'filing', text: JSON.stringify(filing) });
    return this.#save(tx, by, found, { ...found, state: 'reported' });
  }

  /** The cases that name a user. */
  casesOf(database: Queryable, merchantId: MerchantId, userId: number): Promise<readonly CaseId[]> {
    return store.listCasesHolding(database, { kind: 'user', merchantId, reference: String(userId) });
  }

  async #save(
    tx: Transaction,
    by: By,
    found: store.StoredCase,
    change: Pick<ComplianceCase, 'state' | 'owner' | 'dueAt'>,
  ): Promise<CaseFile> {
    const saved = await store.saveCase(tx, found, change);
    if (!saved) throw conflict(found, found.version);
    await audit(tx, by, saved, 'compliance_case.changed', { fromState: found.state, toState: saved.state });
    return this.#file(tx, saved);
  }

  async #take(tx: Transaction, by: By, caseId: CaseId, id: string): Promise<void> {
    const alert = await lockAlert(tx, id);
    const isTaken = await decideAlert(tx, alert.alertId, { state: 'in_case', caseId, decidedBy: operatorOf(by) });
    if (!isTaken) throw decided(alert);
    await this.#add(tx, by, caseId, { kind: 'alert', reference: alert.alertId });
    const { merchantId, userId } = alert;
    await this.#add(tx, by, caseId, { kind: 'user', merchantId, reference: String(userId) });
    for (const reference of alert.orderIds) await this.#add(tx, by, caseId, { kind: 'order', reference });
  }

  async #add(
    tx: Transaction,
    by: By,
    caseId: CaseId,
    item: Pick<NewItem, 'merchantId' | 'reference' | 'text'> & { readonly kind: ItemKind | ReferenceKind },
  ): Promise<void> {
    const number = (await store.lastItemNumber(tx, caseId)) + 1;
    const { kind, merchantId, reference, text } = item;
    const sealedText = text === undefined ? undefined : this.#sealer.seal(placeOf(caseId, number), text);
    await store.addItem(tx, caseId, { number, kind, merchantId, reference, sealedText, addedBy: operatorOf(by) });
  }

  async #file(database: Queryable, found: store.StoredCase): Promise<CaseFile> {
    const { caseId, sealedTitle } = found;
    const items = await store.listStoredItems(database, caseId);
    return {
      case: found,
      title: this.#sealer.open(['compliance_cases', 'sealed_title', caseId], sealedTitle),
      items: items.map(({ sealedText, ...item }) => ({
        ...item,
        text: sealedText && this.#sealer.open(placeOf(caseId, item.number), sealedText),
      })),
    };
  }
}

function placeOf(caseId: CaseId, number: number) {
  return ['compliance_case_items', 'sealed_text', caseId, number] as const;
}

async function lock(tx: Transaction, id: string): Promise<store.StoredCase> {
  const caseId = publicId('cas', id);
  const found = caseId && (await store.lockCase(tx, caseId));
  if (!found) throw new RemesaError('not_found', 'case_not_found', 'There is no such case.');
  return found;
}

function notAllowed({ state }: ComplianceCase): RemesaError {
  return new RemesaError('conflict', 'case_transition_not_allowed', 'The state of the case does not allow this.', {
    members: { caseState: state },
  });
}

function conflict({ version: currentVersion }: ComplianceCase, version: number): RemesaError {
  const members = { version, currentVersion };
  return new RemesaError('conflict', 'version_conflict', 'The case has changed since you read it.', { members });
}

function audit(
  tx: Transaction,
  by: By,
  found: ComplianceCase,
  action: string,
  { fromState, toState, kind }: { readonly fromState?: string; readonly toState?: string; readonly kind?: string },
): Promise<void> {
  const details = kind === undefined ? {} : { kind };
  const change = { merchantId: instanceTenant, action, subject: recordOf(found), details };
  return recordChange(tx, by, { ...change, fromState, toState });
}
