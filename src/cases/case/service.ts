/** The verbs of cases: open, add, change, look, record a filing. Each reading of a case is audited. */
import type { ApprovalSubject } from '../../approval.js';
import { type By, operatorOf } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { invalidField, RemesaError } from '../../errors.js';
import {
  instanceTenant,
  type MerchantId,
  merchantOfPublicId,
  newPublicId,
  type OperatorId,
  publicId,
  storedPublicId,
} from '../../ids.js';
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
  longestDays,
  mayBeReported,
  mayFollow,
  type ReferenceKind,
  recordOf,
} from './case.js';
import type { References } from './references.js';
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

const dayMs = 86_400_000;

export class CaseService {
  readonly #sealer: CaseSealer;
  readonly #references: References;
  readonly #now: () => Date;

  constructor(sealer: CaseSealer, references: References, now: () => Date) {
    this.#sealer = sealer;
    this.#references = references;
    this.#now = now;
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

  /** Throws `case_not_found`, and `invalid_fields` for something that does not exist. */
  async add(tx: Transaction, by: By, id: string, item: NewItem): Promise<CaseFile> {
    const found = await lock(tx, id);
    const { kind, merchantId, reference, text } = item;
    if (kind === 'note' || kind === 'decision' || kind === 'narrative') {
      if (text === undefined) throw invalidField('text', 'required', 'must be given for this kind');
      await this.#add(tx, by, found.caseId, { kind, text });
    } else {
      if (reference === undefined)
        throw invalidField('reference', 'required', 'must be the id of what the case is about');
      await this.#add(tx, by, found.caseId, {
        kind,
        ...(await this.#references.resolve(tx, by, kind, { merchantId, reference })),
      });
    }
    await audit(tx, by, found, 'compliance_case.extended', { kind });
    return this.#file(tx, found);
  }

  /** A reference that was added by mistake. It stays to be seen. Throws `case_not_found`, `case_item_not_removable`. */
  async remove(tx: Transaction, by: By, id: string, number: number, why: string): Promise<CaseFile> {
    const found = await lock(tx, id);
    const sealedWhy = this.#sealer.seal(['compliance_case_items', 'sealed_why', found.caseId, number], why);
    const isRemoved = await store.removeItem(tx, found.caseId, { number, removedBy: operatorOf(by), sealedWhy });
    if (!isRemoved)
      throw new RemesaError('conflict', 'case_item_not_removable', 'Only a reference can be removed, and only once.');
    await audit(tx, by, found, 'compliance_case.reduced', { kind: String(number) });
    return this.#file(tx, found);
  }

  /** A case is closed by two; for other changes one is enough. Throws `case_not_found`. */
  async reviewChange(tx: Transaction, id: string, { state }: CaseChange): Promise<ApprovalSubject | undefined> {
    const found = await lock(tx, id);
    const isClosed = state === 'closed' && found.state !== 'closed';
    return isClosed ? { subject: recordOf(found), version: String(found.version) } : undefined;
  }

  /** Throws `case_not_found`, `version_conflict`, `case_transition_not_allowed` and `invalid_fields`. */
  async change(
    tx: Transaction,
    by: By,
    id: string,
    { note, version, state, owner, dueAt }: CaseChange,
  ): Promise<CaseFile> {
    const found = await lock(tx, id);
    if (!mayFollow(found.state, state)) throw notAllowed(found);
    if (found.version !== version) throw conflict(found, version);
    const now = this.#now().getTime();
    if (dueAt && (dueAt.getTime() <= now || dueAt.getTime() > now + longestDays * dayMs))
      throw invalidField('dueAt', 'not_allowed', `must be within ${longestDays} days from now`);
    await this.#add(tx, by, found.caseId, { kind: state === found.state ? 'note' : 'decision', text: note });
    return this.#save(tx, by, found, { state, owner: owner ?? found.owner, dueAt: dueAt ?? found.dueAt });
  }

  /** A report was filed with an authority. Throws `case_not_found` and `case_transition_not_allowed`. */
  async file(tx: Transaction, by: By, id: string, filing: Filing): Promise<CaseFile> {
    const found = await lock(tx, id);
    if (!mayBeReported(found)) throw notAllowed(found);
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
    for (const reference of alert.orderIds) {
      const ofMerchant = merchantOfPublicId(storedPublicId('ord', reference));
      await this.#add(tx, by, caseId, { kind: 'order', merchantId: ofMerchant, reference });
    }
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
      items: items.map(({ sealedText, removed, ...item }) => ({
        ...item,
        text: sealedText && this.#sealer.open(placeOf(caseId, item.number), sealedText),
        removed: removed && {
          by: removed.by,
          at: removed.at,
          why: this.#sealer.open(['compliance_case_items', 'sealed_why', caseId, item.number], removed.sealedWhy),
        },
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
