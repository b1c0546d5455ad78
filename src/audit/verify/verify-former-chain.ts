/** Checks the chain that covered all merchants before each of them had its own. It is empty in a newer database. */
import type { KeyObject } from 'node:crypto';
import type { Queryable } from '../../postgres/statement.js';
import { type ChainEnd, emptyChain } from '../chain/chain.js';
import { formerEntries } from '../chain/chain-store.js';
import { type FormerHead, isFormerHeadGenuine } from '../chain/head.js';
import { listFormerHeadsAfter } from '../chain/head-store.js';
import { ChainCheck } from './chain-check.js';
import { entriesAre, type Findings } from './findings.js';

const pageSize = 1000;

export interface FormerChainCheck {
  readonly entries: number;
  readonly heads: number;
  /** Where the chains of the merchants begin. */
  readonly end: ChainEnd;
  readonly findings: Pick<Findings, 'faults' | 'losses'>;
}

export async function checkFormerChain(
  database: Queryable,
  publicKey: KeyObject,
  fileHeads: readonly FormerHead[],
): Promise<FormerChainCheck> {
  const heads = await readHeads(database);
  const genuine = heads.filter((head) => isFormerHeadGenuine(publicKey, head));
  const hashes = new Map(genuine.map(({ sequence, hash }) => [sequence, hash]));
  const onlyInFile = fileHeads.filter(({ sequence, hash }) => !hashes.get(sequence)?.equals(hash));
  const signed = genuine.at(-1);
  const check = new ChainCheck(emptyChain, { signed, onlyInFile, agreedSequence: 0n });
  let entries = 0;
  for await (const entry of formerEntries(database, pageSize)) {
    check.check(entry);
    entries += 1;
  }
  const { faults, losses, unsigned } = check.finish();
  const forged = heads.filter((head) => !genuine.includes(head));
  const texts = [
    ...forged.map(({ sequence }) => `the signature of head ${sequence} is not valid`),
    ...faults,
    ...(unsigned ? [`${entriesAre(unsigned.from, unsigned.to)} not signed`] : []),
  ];
  const named = (text: string) => ({ chain: 'former', text }) as const;
  const findings = { faults: texts.map(named), losses: losses.map(named) };
  return { entries, heads: heads.length, end: heads.at(-1) ?? emptyChain, findings };
}

async function readHeads(database: Queryable): Promise<FormerHead[]> {
  const heads: FormerHead[] = [];
  for (;;) {
    const page = await listFormerHeadsAfter(database, heads.at(-1)?.sequence ?? 0n, pageSize);
    if (page.length === 0) return heads;
    heads.push(...page);
  }
}
