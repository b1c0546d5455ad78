/** The verbs of tokens: make the first signing key, rotate keys, revoke a token. */
import type { Actor } from '../caller.js';
import { recordChange } from '../changes/service.js';
import { instanceTenant } from '../ids.js';
import type { Database } from '../postgres/database.js';
import { lockInstance } from '../postgres/instance.js';
import type { Transaction } from '../postgres/statement.js';
import type { Job } from '../worker/worker.js';
import { makeSigningKey } from './signing-key.js';
import * as store from './store.js';

/** Wakes every node to read its keys, revocations and callers again at once. */
export const callerStatusChanged = 'tokens.standing';

export { listSigningKeys } from './store.js';

export const merchantTokenSeconds = 3600;

/** Clients may keep a key set for ten minutes; a new key is published for twice that before it signs. */
const publishAheadSeconds = 20 * 60;
/** An old key stays valid until the last token that it signed has expired. */
const graceSeconds = merchantTokenSeconds + 60;
const rotateAfterDays = 90;

/** Makes the first signing key when there is none. Nodes that start or rotate at the same time take turns. */
export async function ensureSigningKey(tx: Transaction, sealingKey: Buffer): Promise<void> {
  await lockInstance(tx);
  const keys = await store.listSigningKeys(tx);
  if (keys.length === 0) await store.addSigningKey(tx, makeSigningKey(sealingKey), 0);
}

export interface Rotation {
  readonly keyId: string;
  readonly activatesInSeconds: number;
  readonly othersExpireInSeconds: number;
}

/** A planned rotation interrupts no one. An emergency rotation expires the old keys, and so all tokens, at once. */
export async function rotateSigningKeys(
  tx: Transaction,
  options: {
    sealingKey: Buffer;
    actor: Actor;
    emergency: boolean;
    publishAheadSeconds?: number;
    graceSeconds?: number;
  },
): Promise<Rotation> {
  const { sealingKey, actor, emergency } = options;
  await lockInstance(tx);
  const key = makeSigningKey(sealingKey);
  // The first key of an instance signs at once: no other key could sign until it is active.
  const isFirst = (await store.listSigningKeys(tx)).length === 0;
  const activatesInSeconds = emergency || isFirst ? 0 : (options.publishAheadSeconds ?? publishAheadSeconds);
  const othersExpireInSeconds = emergency ? 0 : activatesInSeconds + (options.graceSeconds ?? graceSeconds);
  await store.addSigningKey(tx, key, activatesInSeconds);
  await store.expireOtherKeys(tx, key.keyId, othersExpireInSeconds);
  const details = { emergency, activatesInSeconds, othersExpireInSeconds };
  await recordChange(
    tx,
    { actor },
    { merchantId: instanceTenant, action: 'keys.rotated', subject: `signing_key:${key.keyId}`, details },
  );
  tx.wake(callerStatusChanged);
  return { keyId: key.keyId, activatesInSeconds, othersExpireInSeconds };
}

interface TokenToEnd {
  readonly tokenId: string;
  readonly expiresAt: number;
}

/** Ends the token and records it in the audit log. */
export async function revokeToken(tx: Transaction, token: TokenToEnd, actor: Actor): Promise<void> {
  await endToken(tx, token);
  const tenant = 'merchantId' in actor ? actor.merchantId : instanceTenant;
  await recordChange(tx, { actor }, { merchantId: tenant, action: 'token.revoked', subject: `token:${token.tokenId}` });
}

/** Makes every node refuse the token. The caller records the reason in the audit log. */
export async function endToken(tx: Transaction, { tokenId, expiresAt }: TokenToEnd): Promise<void> {
  await store.addRevocation(tx, tokenId, new Date(expiresAt * 1000));
  tx.wake(callerStatusChanged);
}

export function tokenUpkeepJob(database: Database, sealingKey: Buffer): Job {
  return {
    name: 'tokens.upkeep',
    everySeconds: 600,
    async run() {
      await database.transaction((tx) => rotateWhenOld(tx, sealingKey));
      return database.transaction(store.sweepTokens);
    },
  };
}

async function rotateWhenOld(tx: Transaction, sealingKey: Buffer): Promise<void> {
  await lockInstance(tx);
  const isOld = await store.isNewestKeyOlderThan(tx, rotateAfterDays);
  const actor: Actor = { kind: 'system', name: 'key upkeep' };
  if (isOld) await rotateSigningKeys(tx, { sealingKey, actor, emergency: false });
}
