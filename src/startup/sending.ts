/**
 * Keeps a copy of a database from sending anything. A live instance remembers the place from which it sends: database
 * server, database and public address. Elsewhere, jobs that send wait until a person allows it.
 */
import type { By } from '../caller.js';
import { recordChange } from '../changes/service.js';
import { instanceTenant } from '../ids.js';
import type { Log } from '../log.js';
import type { Database } from '../postgres/database.js';
import type { Queryable, Transaction } from '../postgres/statement.js';
import { findSending, saveFirstPlace, saveSending } from './sending-store.js';

/** `other_place`: this is a copy, or the instance has moved. */
export type Held = 'other_place' | 'by_hand';

interface Sending {
  readonly place: string;
  readonly isNew: boolean;
  readonly held: Held | undefined;
}

async function sendingOf(database: Queryable, baseUrl: string | undefined): Promise<Sending> {
  const [row] = await database.query(findSending);
  const place = `${row?.server} ${baseUrl ?? ''}`;
  const { mode, sends_from: from, sending_is_held: isHeld } = row ?? {};
  // Nothing of a sandbox is real, and its copies are tried freely.
  const isElsewhere = mode === 'live' && from !== undefined && from !== null && from !== place;
  return { place, isNew: from === null, held: isHeld ? 'by_hand' : isElsewhere ? 'other_place' : undefined };
}

export async function heldSending(database: Queryable, baseUrl: string | undefined): Promise<Held | undefined> {
  return (await sendingOf(database, baseUrl)).held;
}

/** From now on this place sends, or nobody does. */
export async function changeSending(
  tx: Transaction,
  by: By,
  { isHeld, baseUrl }: { readonly isHeld: boolean; readonly baseUrl: string | undefined },
): Promise<void> {
  const { place } = await sendingOf(tx, baseUrl);
  await tx.query(saveSending, { place, isHeld });
  await recordChange(tx, by, {
    merchantId: instanceTenant,
    action: isHeld ? 'sending.held' : 'sending.allowed',
    subject: 'instance',
    details: {},
  });
}

const knownForMs = 2_000;

export interface SendingPermit {
  /** As it was at most two seconds ago. Whatever sends asks before. */
  readonly isHeld: () => Promise<boolean>;
  readonly wasHeld: () => boolean;
}

/** Remembers the place of a new instance. */
export async function startSendingPermit(
  database: Database,
  { baseUrl }: { readonly baseUrl: string | undefined },
  log: Log,
): Promise<SendingPermit> {
  const { isNew, place } = await sendingOf(database, baseUrl);
  if (isNew) await database.write(saveFirstPlace, { place });
  let held: Held | undefined;
  let readAtMs = Number.NEGATIVE_INFINITY;
  const isHeld = async () => {
    if (performance.now() - readAtMs < knownForMs) return held !== undefined;
    const now = await heldSending(database, baseUrl);
    readAtMs = performance.now();
    if (now !== held) log.warn({ reason: now }, now ? 'sending is held' : 'sending is allowed');
    held = now;
    return held !== undefined;
  };
  await isHeld();
  return { isHeld, wasHeld: () => held !== undefined };
}
