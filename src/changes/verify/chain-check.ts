/** Checks one chain, entry by entry, against the heads that cover it. Pure: it reads nothing. */
import { type ChainEnd, changeHash, emptyChain } from '../chain/chain.js';
import type { ChainedChange } from '../chain/chain-store.js';
import { objectDigest } from '../seal.js';
import { entriesAre } from './findings.js';

/** What the signed heads say about a chain. Only genuine heads count. */
export interface Evidence {
  /** The newest end that a head in the database covers. */
  readonly signed: ChainEnd | undefined;
  /** The ends that are covered by heads in the file only: the database lost these heads, or they were removed. */
  readonly onlyInFile: readonly ChainEnd[];
  /** The last number that was signed before the database and the file disagree. */
  readonly agreedNumber: bigint;
}

export interface ChainResult {
  readonly faults: readonly string[];
  readonly losses: readonly string[];
  /** Entries that no head in the database covers yet. */
  readonly unsigned: { readonly from: bigint; readonly to: bigint; readonly since: string } | undefined;
}

export class ChainCheck {
  readonly #faults: string[] = [];
  readonly #contradicted: bigint[] = [];
  readonly #onlyInFile = new Map<bigint, Buffer[]>();
  readonly #firstUnsigned: bigint;
  #unsignedSince = '';
  #end: ChainEnd = emptyChain;

  constructor(readonly evidence: Evidence) {
    for (const { number, hash } of evidence.onlyInFile)
      this.#onlyInFile.set(number, [...(this.#onlyInFile.get(number) ?? []), hash]);
    this.#firstUnsigned = (evidence.signed ?? emptyChain).number + 1n;
  }

  /** `isGenuine`: the seal of the entry is the one that the service would give it. */
  check(entry: ChainedChange, isGenuine: boolean): void {
    const { number, hash } = entry;
    const { signed } = this.evidence;
    const expected = this.#end.number + 1n;
    if (number > expected) this.#faults.push(`${entriesAre(expected, number - 1n)} missing`);
    else if (number < expected) this.#faults.push(`entry ${number} is not at its place in the chain`);
    else if (isGenuine && !hash.equals(changeHash(this.#end.hash, number, entry)))
      this.#faults.push(`entry ${number} or its place in the chain was changed`);
    if (!isGenuine) this.#faults.push(`entry ${number} was changed`);
    else if (hasOtherObject(entry)) this.#faults.push(`the object of entry ${number} was changed`);
    if (number === signed?.number && !hash.equals(signed.hash))
      this.#faults.push(`entry ${number} is not the one that was signed`);
    if (this.#onlyInFile.get(number)?.some((signedHash) => !signedHash.equals(hash))) this.#contradicted.push(number);
    if (number === this.#firstUnsigned) this.#unsignedSince = entry.recordedAt;
    this.#end = entry;
  }

  finish(): ChainResult {
    const { number: last } = this.#end;
    const { signed } = this.evidence;
    const faults = [...this.#faults];
    if (signed && signed.number > last)
      faults.push(
        `${entriesAre(last + 1n, signed.number)} missing, but a signed head in the database covers entry ${signed.number}`,
      );
    const isUncovered = (number: bigint) => number > (signed?.number ?? 0n);
    const forged = this.#contradicted.filter(isUncovered);
    faults.push(...forged.map((number) => `entry ${number} is not the one that was signed`));
    const unsigned =
      last < this.#firstUnsigned ? undefined : { from: this.#firstUnsigned, to: last, since: this.#unsignedSince };
    return { faults, losses: forged.length > 0 ? [] : this.#losses(), unsigned };
  }

  /** The entries that a head in the file covers and that are not here. */
  #losses(): string[] {
    const { number: last } = this.#end;
    const missing = this.evidence.onlyInFile.filter((end) => end.number > last);
    const to = [...missing.map((end) => end.number), ...this.#contradicted].reduce(
      (left, right) => (left > right ? left : right),
      0n,
    );
    if (to === 0n) return [];
    if (this.#contradicted.length === 0) return [`${entriesAre(last + 1n, to)} lost (${to - last} in all)`];
    const from = this.evidence.agreedNumber + 1n;
    return [`${entriesAre(from, to)} lost (at most ${to - from + 1n} in all), and later entries have these numbers`];
  }
}

/** After its retention an object is gone, which is no fault. */
function hasOtherObject({ object, objectDigest: digest }: ChainedChange): boolean {
  return object !== null && !(digest && objectDigest(object).equals(digest));
}
