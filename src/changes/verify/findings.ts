/** What a verification of the audit log found, by merchant. */
import { instanceTenant, type MerchantId, type TenantId } from '../../ids.js';
import type { Queryable } from '../../postgres/statement.js';
import type { AuditNames } from '../listing.js';

export interface Finding {
  /** The merchant whose chain it concerns, or the instance. Undefined when it concerns the heads or the whole log. */
  readonly chain?: TenantId;
  readonly text: string;
}

export interface Findings<Entry = Finding> {
  /** The log was changed. */
  readonly faults: readonly Entry[];
  /** The newest part is missing and the rest is intact, as after a failover or a restored backup. */
  readonly losses: readonly Entry[];
  /** What could not be checked. */
  readonly unchecked: readonly Entry[];
}

/** The beginning of a sentence: `entry 5 is` or `entries 5 to 8 are`. */
export function entriesAre(from: bigint, to: bigint): string {
  return from === to ? `entry ${from} is` : `entries ${from} to ${to} are`;
}

/** Writes each finding as a sentence that begins with the client id of its merchant. */
export async function describeFindings(
  database: Queryable,
  names: AuditNames,
  { faults, losses, unchecked }: Findings,
): Promise<Findings<string>> {
  const merchants = [...faults, ...losses, ...unchecked].flatMap(({ chain }) => (isMerchant(chain) ? [chain] : []));
  const clientIds = await names.clientIdsOf(database, [...new Set(merchants)]);
  const describe = ({ chain, text }: Finding) => (chain === undefined ? text : `${nameOf(chain, clientIds)}: ${text}`);
  return {
    faults: faults.map(describe),
    losses: losses.map(describe),
    unchecked: unchecked.map(describe),
  };
}

function nameOf(chain: TenantId, clientIds: ReadonlyMap<MerchantId, string>): string {
  return isMerchant(chain) ? `merchant ${clientIds.get(chain) ?? chain}` : 'the instance';
}

function isMerchant(chain: TenantId | undefined): chain is MerchantId {
  return chain !== undefined && chain !== instanceTenant;
}
