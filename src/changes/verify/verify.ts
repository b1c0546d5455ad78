/**
 * Checks every chain against the signed heads, both those in the database and those in the file. Tells a log that was
 * changed from one whose newest part is missing.
 */
import { createPublicKey } from 'node:crypto';
import type { TenantId } from '../../ids.js';
import type { Sealer } from '../../keys/sealer.js';
import type { Queryable } from '../../postgres/statement.js';
import { chainedChanges, countChained, findLogExistence, unnumberedChanges } from '../chain/chain-store.js';
import type { AuditHead } from '../chain/head.js';
import { findLastHead } from '../chain/head-store.js';
import type { SealedChange } from '../chain/sealed-change.js';
import type { SigningContext } from '../chain/signing.js';
import { sealedContent } from '../seal.js';
import { ChainCheck, type ChainResult, type Evidence } from './chain-check.js';
import { entriesAre, type Finding, type Findings } from './findings.js';
import { checkHeadFile, checkHeads } from './verify-heads.js';

/** Told as the verification goes on: what it checks, how much of it is done, and of how much. */
export type OnVerified = (part: 'heads' | 'entries' | 'rows', done: number, total: number) => void;

export interface VerifyContext extends SigningContext {
  readonly seal: Sealer;
  readonly onVerified?: OnVerified | undefined;
}

export interface LogReport extends Findings {
  readonly entries: number;
  /** The chains that have entries of their own. */
  readonly chains: number;
  /** The merchants with such a chain, or the instance. */
  readonly merchants: readonly TenantId[];
  readonly heads: number;
}

const pageSize = 1000;
/** A worker signs within seconds. Entries that wait longer are reported. */
const signedWithinMs = 60_000;

/** Reports what it finds and does not throw when the log was changed. */
export async function verifyLog(context: VerifyContext): Promise<LogReport> {
  const { database, signingKey, headFile, clock, seal, onVerified } = context;
  const publicKey = createPublicKey(signingKey);
  const file = await checkHeadFile(database, publicKey, headFile);
  const lastHead = Number((await findLastHead(database))?.number ?? 0);
  const heads = await checkHeads(database, publicKey, file.onlyInFile, (count) =>
    onVerified?.('heads', count, lastHead),
  );
  const total = await countChained(database);
  const chains = await checkChains(database, seal, heads.evidence, (count) => onVerified?.('entries', count, total));
  const findings = findingsOf(chains.results, clock.now());
  const isUncovered = heads.count > 0 && file.lines === 0;
  return {
    entries: chains.entries,
    chains: chains.merchants.length,
    merchants: chains.merchants,
    heads: heads.count + file.lines,
    faults: [
      ...[...file.faults, ...heads.faults].map((text) => ({ text })),
      ...findings.faults,
      ...(await forgedFaults(database, seal)),
      ...(await emptyLogFaults(database)),
    ],
    losses: [...headLosses(file.onlyInFile), ...findings.losses],
    unchecked: [...findings.unchecked, ...(isUncovered ? [{ text: missingHeadFile(headFile.path) }] : [])],
  };
}

async function checkChains(
  database: Queryable,
  seal: Sealer,
  evidence: ReadonlyMap<TenantId, Evidence>,
  onEntries: (count: number) => void,
): Promise<{ entries: number; merchants: TenantId[]; results: [TenantId, ChainResult][] }> {
  const results: [TenantId, ChainResult][] = [];
  const unseen = new Set(evidence.keys());
  const checkOf = (merchantId: TenantId) =>
    new ChainCheck(evidence.get(merchantId) ?? { signed: undefined, onlyInFile: [], agreedNumber: 0n });
  let current: { merchantId: TenantId; check: ChainCheck } | undefined;
  const merchants: TenantId[] = [];
  let entries = 0;
  const finish = () => current && results.push([current.merchantId, current.check.finish()]);
  for await (const entry of chainedChanges(database, pageSize)) {
    const { merchantId } = entry;
    if (current?.merchantId !== merchantId) {
      finish();
      current = { merchantId, check: checkOf(merchantId) };
      unseen.delete(merchantId);
      merchants.push(merchantId);
    }
    current.check.check(entry, isGenuine(seal, entry));
    entries += 1;
    if (entries % pageSize === 0) onEntries(entries);
  }
  finish();
  onEntries(entries);
  for (const merchantId of unseen) results.push([merchantId, checkOf(merchantId).finish()]);
  return { entries, merchants, results };
}

function findingsOf(results: readonly [TenantId, ChainResult][], now: Date): Findings {
  const collect = (textsOf: (result: ChainResult) => readonly string[]): Finding[] =>
    results.flatMap(([chain, result]) => textsOf(result).map((text) => ({ chain, text })));
  return {
    faults: collect(({ faults }) => faults),
    losses: collect(({ losses }) => losses),
    unchecked: collect(({ unsigned }) => {
      if (!unsigned || now.getTime() - Date.parse(unsigned.since) < signedWithinMs) return [];
      return [`${entriesAre(unsigned.from, unsigned.to)} not signed yet: is a worker running?`];
    }),
  };
}

/** What the service did not write never gets a number. */
async function forgedFaults(database: Queryable, seal: Sealer): Promise<Finding[]> {
  const faults: Finding[] = [];
  for await (const change of unnumberedChanges(database, pageSize))
    if (!isGenuine(seal, change))
      faults.push({
        chain: change.merchantId,
        text: `the entry with the id ${change.id} was not written by the service`,
      });
  return faults;
}

function isGenuine(seal: Sealer, change: SealedChange): boolean {
  return seal(change.merchantId, sealedContent(change)).equals(change.seal);
}

/** The creation of merchants and operators is recorded, so if any exist, an empty log was emptied. */
async function emptyLogFaults(database: Queryable): Promise<Finding[]> {
  const { hasEntries, hasAccounts } = await findLogExistence(database);
  if (hasEntries || !hasAccounts) return [];
  return [{ text: 'the log is empty, but there are merchants or operators whose creation it must contain' }];
}

function headLosses(onlyInFile: readonly AuditHead[]): Finding[] {
  const [first] = onlyInFile;
  const last = onlyInFile.at(-1);
  if (!first || !last) return [];
  const [from, to] = [first, last].map((head) => `head ${head.number} of ${head.signedAt.toISOString()}`);
  const heads = first === last ? `1 signed head, ${from}` : `${onlyInFile.length} signed heads, ${from} to ${to}`;
  return [{ text: `the database is behind its file of heads by ${heads}` }];
}

function missingHeadFile(path: string): string {
  return `there are no heads outside the database: ${path} is missing or empty, so a log that was rebuilt as a whole would not be noticed`;
}
