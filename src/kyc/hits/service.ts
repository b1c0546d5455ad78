/** Screens users and records what is found. Only operators see hits; merchants and users see at most COMPLIANCE. */
import type { By } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { type MerchantId, newMerchantPublicId, type UserId } from '../../ids.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { Match, Subject } from '../../screening/screening.js';
import type { UserService } from '../../users/service.js';
import { exposureRecordOf, type Hit, type HitKind, isBlocking, isExposed, reconcile, recordOf } from './hit.js';
import * as store from './hit-store.js';
import { type OpenIdentity, readIdentity } from './identity.js';
import { hashPerson, People, type Person } from './person.js';
import { deleteScreenedUser, saveScreened } from './screened-store.js';
import { sealExplanation } from './sealed.js';

/** The lists at one moment: all answers of a snapshot belong to one version of them. */
export interface ListsSnapshot {
  readonly version: string;
  readonly usability: { readonly isUsable: true } | { readonly isUsable: false; readonly reason: string };
  /** Who is under sanctions. */
  screen(subject: Subject): Match[];
  /** Who is politically exposed, and under no sanction. */
  exposures(subject: Subject): Match[];
  /** Whether a name cannot be compared well, so that no match clears nobody. */
  hasUnreadableName(subject: Subject): boolean;
}

export interface HitOptions {
  readonly users: UserService;
  readonly screening: { snapshot(): ListsSnapshot };
  /** Keys the hash of what is known of a person. */
  readonly personKey: Buffer;
  /** Ends what waits for approval about these records, and removes what operators wrote about it. */
  readonly forgetApprovals: (tx: Transaction, merchantId: MerchantId, records: readonly string[]) => Promise<void>;
}

/** What one snapshot of the lists says about a person. */
export interface Screened {
  readonly person: Person;
  readonly listsVersion: string;
  readonly usability: ListsSnapshot['usability'];
  readonly matches: readonly Match[];
  readonly exposures: readonly Match[];
  readonly hasUnreadableName: boolean;
}

export interface RecordedHits {
  /** The hits that stand in the way of an approval. */
  readonly blocking: readonly Hit[];
  /** Confirmed hits of somebody who is politically exposed. */
  readonly exposures: readonly Hit[];
  readonly addedCount: number;
}

const byScreening: By = { actor: { kind: 'system', name: 'screening' } };

export class HitService {
  readonly #options: HitOptions;

  constructor(options: HitOptions) {
    this.#options = options;
  }

  /**
   * Reads what is known of the user and asks the lists, outside any transaction. The caller passes the snapshot when
   * several users are screened against the same lists. Returns undefined for a deleted user.
   */
  async screen(
    database: Queryable,
    merchantId: MerchantId,
    userId: UserId,
    snapshot: ListsSnapshot = this.#options.screening.snapshot(),
  ): Promise<Screened | undefined> {
    const { person } = (await this.gather(database, merchantId, [userId])).open(userId);
    return person && screenPerson(person, snapshot);
  }

  /** What the user said of the own identity, to tell it with a payment. */
  identity(database: Queryable, merchantId: MerchantId, userId: UserId): Promise<OpenIdentity> {
    return readIdentity(database, merchantId, userId);
  }

  /** Reads what is known of several users, to screen them one by one. */
  gather(database: Queryable, merchantId: MerchantId, userIds: readonly UserId[]): Promise<People> {
    return People.gather(this.#options.users, database, merchantId, userIds);
  }

  /**
   * Records new and changed hits. The caller holds the user and the locks of all the user's cases, so that no case is
   * approved between the moment a hit is found and the moment it is recorded.
   */
  async record(tx: Transaction, { person, ...screened }: Screened): Promise<RecordedHits> {
    const { merchantId, userId } = person;
    const known = await store.lockHitsOfUser(tx, merchantId, userId);
    const personHash = hashPerson(this.#options.personKey, person);
    const found = { sanction: screened.matches, exposure: screened.exposures };
    const { added, refreshed } = reconcile(known, found, personHash);
    if (added.length + refreshed.length > 0) {
      const key = await this.#options.users.retainedKey(tx, merchantId, userId);
      if (!key) throw new Error('a user with hits has no key');
      for (const { kind, match } of added) await addHit(tx, { merchantId, userId, personHash, key, kind }, match);
      for (const { hit, match } of refreshed) await refreshHit(tx, { personHash, key }, hit, match);
    }
    if (screened.usability.isUsable) await saveScreened(tx, merchantId, [userId], screened.listsVersion);
    const hits = added.length > 0 ? await store.listHitsOfUser(tx, merchantId, userId) : known;
    return {
      blocking: hits.filter(isBlocking),
      exposures: hits.filter(isExposed),
      addedCount: added.length,
    };
  }

  /** In whatever state, the oldest first. */
  listOf(database: Queryable, merchantId: MerchantId, userId: UserId): Promise<Hit[]> {
    return store.listHitsOfUser(database, merchantId, userId);
  }

  /** Whom the sanctions lists say a person may be now, and nobody has recorded yet. */
  unrecorded(person: Person, lists: ListsSnapshot, known: readonly Hit[]): readonly Match[] {
    const found = { sanction: screenPerson(person, lists).matches, exposure: [] };
    return reconcile(known, found, hashPerson(this.#options.personKey, person)).added.map(({ match }) => match);
  }

  async listBlocking(database: Queryable, merchantId: MerchantId, userId: UserId): Promise<Hit[]> {
    return (await store.listHitsOfUser(database, merchantId, userId)).filter(isBlocking);
  }

  /** As `listOf`, for several users. Those without hits are left out. */
  async listOfAll(
    database: Queryable,
    merchantId: MerchantId,
    userIds: readonly UserId[],
  ): Promise<ReadonlyMap<UserId, readonly Hit[]>> {
    const found = new Map<UserId, Hit[]>();
    const hits = await store.listHitsOfUsers(database, merchantId, userIds);
    for (const hit of hits) found.set(hit.userId, [...(found.get(hit.userId) ?? []), hit]);
    return found;
  }

  /** The law wants a deleted user with hits to be kept: somebody still decides about them. */
  async has(database: Queryable, merchantId: MerchantId, userId: UserId): Promise<boolean> {
    return (await store.listHitsOfUser(database, merchantId, userId)).length > 0;
  }

  /** The retention period is over, or there was nothing to retain. */
  async forget(tx: Transaction, merchantId: MerchantId, userId: UserId): Promise<void> {
    const hits = await store.listHitsOfUser(tx, merchantId, userId);
    await this.#options.forgetApprovals(tx, merchantId, [...hits.map(recordOf), exposureRecordOf({ userId })]);
    await store.deleteHitsOfUser(tx, merchantId, userId);
    await deleteScreenedUser(tx, merchantId, userId);
  }
}

/** What the lists say about a person. Asks nobody else. */
export function screenPerson(person: Person, snapshot: ListsSnapshot): Screened {
  const { version: listsVersion, usability } = snapshot;
  const { subject } = person;
  const hasUnreadableName = snapshot.hasUnreadableName(subject);
  const [matches, exposures] = [snapshot.screen(subject), snapshot.exposures(subject)];
  return { person, listsVersion, usability, matches, exposures, hasUnreadableName };
}

interface HitOwner {
  readonly merchantId: MerchantId;
  readonly userId: UserId;
  readonly personHash: Buffer;
  readonly key: Buffer;
  readonly kind: HitKind;
}

async function addHit(tx: Transaction, { key, ...owner }: HitOwner, match: Match): Promise<void> {
  const { list, entryId } = match;
  const hitId = newMerchantPublicId('hit', owner.merchantId);
  const hit = { ...owner, ...contentOf(match), hitId, list, entryId };
  const added = await store.addHit(tx, { ...hit, sealedExplanation: sealExplanation(key, hit, match) });
  await auditHit(tx, added, 'screening.hit_found', { toState: 'open' });
}

async function refreshHit(
  tx: Transaction,
  { personHash, key }: Pick<HitOwner, 'personHash' | 'key'>,
  hit: Hit,
  match: Match,
): Promise<void> {
  const content = { ...contentOf(match), personHash };
  const sealedExplanation = sealExplanation(key, { ...hit, ...content }, match);
  const refreshed = await store.refreshHit(tx, hit, { ...content, sealedExplanation });
  if (refreshed) await auditHit(tx, refreshed, 'screening.hit_changed', {});
}

function contentOf({ listVersion, entryHash, score, isStrong }: Match) {
  return { listVersion, entryHash, score, isStrong };
}

/** The entry names a person, so it is not in the audit log, which is kept for ever. */
function auditHit(
  tx: Transaction,
  { merchantId, hitId, kind, list, listVersion, score }: Hit,
  action: string,
  states: { readonly toState?: string },
): Promise<void> {
  const details = { kind, list, listVersion, score };
  return recordChange(tx, byScreening, { merchantId, action, subject: `hit:${hitId}`, ...states, details });
}
