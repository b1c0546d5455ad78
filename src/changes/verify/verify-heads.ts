/** Checks the signed heads in the database and in the file, and collects what they say about each chain. */
import type { KeyObject } from 'node:crypto';
import type { TenantId } from '../../ids.js';
import type { Queryable } from '../../postgres/statement.js';
import type { ChainEnd } from '../chain/chain.js';
import { type AuditHead, isHeadGenuine, noHead } from '../chain/head.js';
import type { HeadFile } from '../chain/head-file.js';
import { findHeadHashes, listHeadsAfter } from '../chain/head-store.js';
import type { Evidence } from './chain-check.js';

const pageSize = 200;

export interface FileCheck {
  readonly lines: number;
  readonly faults: readonly string[];
  /** Genuine heads that the database does not have. */
  readonly onlyInFile: readonly AuditHead[];
}

/** Read the file before the heads of the database: a head is committed before it is written to the file. */
export async function checkHeadFile(database: Queryable, publicKey: KeyObject, headFile: HeadFile): Promise<FileCheck> {
  const [faults, onlyInFile] = [[] as string[], [] as AuditHead[]];
  let lines = 0;
  for await (const page of headFile.pages(pageSize)) {
    const heads: AuditHead[] = [];
    for (const head of page) {
      lines += 1;
      if (!head) faults.push(`line ${lines} of the file of heads cannot be read`);
      else if (isHeadGenuine(publicKey, head)) heads.push(head);
      else faults.push(`the signature in line ${lines} of the file of heads is not valid`);
    }
    const numbers = heads.map(({ number }) => number);
    const hashes = await findHeadHashes(database, numbers);
    onlyInFile.push(...heads.filter(({ number, hash }) => !hashes.get(number)?.equals(hash)));
  }
  return { lines, faults, onlyInFile };
}

export interface HeadCheck {
  readonly count: number;
  readonly faults: readonly string[];
  readonly evidence: ReadonlyMap<TenantId, Evidence>;
}

/** Walks the heads of the database. Each must have the next number, follow the one before it and be signed. */
export async function checkHeads(
  database: Queryable,
  publicKey: KeyObject,
  onlyInFile: readonly AuditHead[],
  onHeads: (count: number) => void = () => {},
): Promise<HeadCheck> {
  const faults: string[] = [];
  const collected = new EvidenceCollection(onlyInFile);
  let previous: Pick<AuditHead, 'number' | 'hash'> = noHead;
  let count = 0;
  for (;;) {
    const page = await listHeadsAfter(database, previous.number, pageSize);
    if (page.length === 0) return { count, faults, evidence: collected.byMerchant() };
    for (const head of page) {
      faults.push(...linkFaults(previous, head));
      if (isHeadGenuine(publicKey, head)) collected.add(head);
      else faults.push(`head ${head.number} was changed: its signature is not valid`);
      previous = head;
    }
    count += page.length;
    onHeads(count);
  }
}

function linkFaults(previous: Pick<AuditHead, 'number' | 'hash'>, head: AuditHead): string[] {
  const expected = previous.number + 1n;
  if (head.number === expected)
    return head.previousHash.equals(previous.hash) ? [] : [`head ${head.number} does not follow the previous head`];
  const last = head.number - 1n;
  return [expected === last ? `head ${expected} is missing` : `heads ${expected} to ${last} are missing`];
}

class EvidenceCollection {
  readonly #signed = new Map<TenantId, ChainEnd>();
  readonly #agreed = new Map<TenantId, bigint>();
  readonly #onlyInFile: ReadonlyMap<TenantId, ChainEnd[]>;
  readonly #firstDisagreement: bigint | undefined;

  constructor(onlyInFile: readonly AuditHead[]) {
    const numbers = onlyInFile.map(({ number }) => number);
    this.#firstDisagreement = numbers.toSorted((left, right) => Number(left - right))[0];
    const ends = new Map<TenantId, ChainEnd[]>();
    for (const end of onlyInFile.flatMap((head) => head.ends))
      ends.set(end.merchantId, [...(ends.get(end.merchantId) ?? []), end]);
    this.#onlyInFile = ends;
  }

  add({ number, ends }: AuditHead): void {
    for (const end of ends) {
      const { merchantId } = end;
      if (end.number >= (this.#signed.get(merchantId)?.number ?? 0n)) this.#signed.set(merchantId, end);
      if (this.#firstDisagreement !== undefined && number < this.#firstDisagreement)
        this.#agreed.set(merchantId, end.number);
    }
  }

  byMerchant(): ReadonlyMap<TenantId, Evidence> {
    const merchants = new Set([...this.#signed.keys(), ...this.#onlyInFile.keys()]);
    return new Map(
      [...merchants].map((merchantId) => [
        merchantId,
        {
          signed: this.#signed.get(merchantId),
          onlyInFile: this.#onlyInFile.get(merchantId) ?? [],
          agreedNumber: this.#agreed.get(merchantId) ?? 0n,
        },
      ]),
    );
  }
}
