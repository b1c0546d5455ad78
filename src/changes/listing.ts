/** Lists audit entries for operators, with client ids and logins instead of internal numbers. */
import { type MerchantId, merchantId, type OperatorId, operatorId } from '../ids.js';
import type { Queryable } from '../postgres/statement.js';
import { type Reference, referenceOf } from './change.js';
import { type EntryFilter, listEntries, type StoredEntry } from './listing-store.js';

/** The names that the audit log needs from the rooms above it. `startup/audit-names.ts` implements it. */
export interface AuditNames {
  /** Throws `merchant_not_found` when no merchant has this client id. */
  merchantIdOf(database: Queryable, clientId: string): Promise<MerchantId>;
  clientIdsOf(database: Queryable, merchants: readonly MerchantId[]): Promise<ReadonlyMap<MerchantId, string>>;
  /** The logins of all operators, of which there are few. */
  logins(database: Queryable): Promise<ReadonlyMap<OperatorId, string>>;
}

export interface AuditQuery {
  /** A client id. */
  readonly merchant?: string | undefined;
  /** As entries show it, for example `operator:ana`, `merchant:acme`, `user:241958564297829`, `system:retention`. */
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  /** As entries show it, for example `merchant:acme`, `kyc:kyc_…`. */
  readonly subject?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** The id of the last entry of the previous page. */
  readonly after?: number | undefined;
  readonly limit: number;
}

/** An entry whose merchant, actor and subject are names. */
export interface NamedEntry extends Omit<StoredEntry, 'merchantId' | 'actor'> {
  readonly merchant: string | undefined;
  readonly actor: string;
}

export interface AuditPage {
  readonly entries: readonly NamedEntry[];
  readonly isLast: boolean;
}

/** Lists the newest entries first. Throws `merchant_not_found` when the query names a merchant that does not exist. */
export async function listAudit(database: Queryable, names: AuditNames, query: AuditQuery): Promise<AuditPage> {
  const logins = await names.logins(database);
  const filter = await filterOf(database, names, logins, query);
  const pageAndNext = await listEntries(database, filter, query.after, query.limit + 1);
  const page = pageAndNext.slice(0, query.limit);
  const clientIds = await names.clientIdsOf(database, merchantsIn(page));
  const nameOf = (reference: Reference) => nameReference(reference, logins, clientIds);
  const entries = page.map(({ merchantId: merchant, ...entry }) => ({
    ...entry,
    merchant: merchant && (clientIds.get(merchant) ?? String(merchant)),
    actor: nameOf(entry.actor),
    subject: nameOf(referenceOf(entry.subject)),
    details: nameOperators(entry.details, nameOf),
  }));
  return { entries, isLast: pageAndNext.length <= query.limit };
}

async function filterOf(
  database: Queryable,
  names: AuditNames,
  logins: ReadonlyMap<OperatorId, string>,
  { merchant, actor, action, subject, from, to }: AuditQuery,
): Promise<EntryFilter> {
  const storedReference = async (text: string): Promise<Reference> => {
    const { kind, id } = referenceOf(text);
    if (kind === 'merchant') return { kind, id: String(await names.merchantIdOf(database, id)) };
    // A failed login with an unknown name has the subject `operator:unknown`, which is not a login.
    const operator = kind === 'operator' && [...logins].find(([, login]) => login === id);
    return { kind, id: operator ? String(operator[0]) : id };
  };
  return {
    merchantId: merchant === undefined ? undefined : await names.merchantIdOf(database, merchant),
    actor: actor === undefined ? undefined : await storedReference(actor),
    action,
    subject: subject === undefined ? undefined : textOf(await storedReference(subject)),
    from,
    to,
  };
}

function merchantsIn(entries: readonly StoredEntry[]): MerchantId[] {
  const ids = entries.flatMap(({ merchantId: merchant, actor, subject }) => {
    const mentioned = [actor, referenceOf(subject)].filter(isNumbered('merchant'));
    return [...(merchant ? [merchant] : []), ...mentioned.map(({ id }) => merchantId(Number(id)))];
  });
  return [...new Set(ids)];
}

/** Names the operators of what needed two of them. */
function nameOperators(
  details: StoredEntry['details'],
  nameOf: (reference: Reference) => string,
): StoredEntry['details'] {
  const named = ['requestedBy', 'approvedBy'].flatMap((role) => {
    const operator = details[role];
    return typeof operator === 'string' ? [[role, nameOf(referenceOf(operator))]] : [];
  });
  return { ...details, ...Object.fromEntries(named) };
}

function nameReference(
  reference: Reference,
  logins: ReadonlyMap<OperatorId, string>,
  clientIds: ReadonlyMap<MerchantId, string>,
): string {
  const { kind, id } = reference;
  const name = isNumbered('operator')(reference)
    ? logins.get(operatorId(Number(id)))
    : isNumbered('merchant')(reference)
      ? clientIds.get(merchantId(Number(id)))
      : undefined;
  return textOf({ kind, id: name ?? id });
}

function isNumbered(kind: string): (reference: Reference) => boolean {
  return (reference) => reference.kind === kind && /^[1-9]\d{0,14}$/.test(reference.id);
}

function textOf({ kind, id }: Reference): string {
  return id === '' ? kind : `${kind}:${id}`;
}
