/** Checks one chain, entry by entry, against the heads that cover it. Pure: it reads nothing. */
import { type ChainEnd, type ChainedEntry, emptyChain, entryHash } from '../chain/chain.js';
import { entriesAre } from './findings.js';

/** What the signed heads say about a chain. Only genuine heads count. */
export interface Evidence {
  /** The newest end that a head in the database covers. */
  readonly signed: ChainEnd | undefined;
  /** The ends that are covered by heads in the file only: the database lost these heads, or they were removed. */
  readonly onlyInFile: readonly ChainEnd[];
  /** The last number that was signed before the database and the file disagree. */
  readonly agreedSequence: bigint;
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
    for (const { sequence, hash } of evidence.onlyInFile)
      this.#onlyInFile.set(sequence, [...(this.#onlyInFile.get(sequence) ?? []), hash]);
    this.#firstUnsigned = (evidence.signed ?? emptyChain).sequence + 1n;
  }

  check(entry: ChainedEntry): void {
    const { sequence, previousHash, hash, content } = entry;
    const { signed } = this.evidence;
    const expected = this.#end.sequence + 1n;
    if (sequence > expected) this.#faults.push(`${entriesAre(expected, sequence - 1n)} missing`);
    else if (sequence < expected) this.#faults.push(`entry ${sequence} is not at its place in the chain`);
    else if (!previousHash.equals(this.#end.hash))
      this.#faults.push(`entry ${sequence} does not follow the previous entry`);
    if (!hash.equals(entryHash(previousHash, sequence, content))) this.#faults.push(`entry ${sequence} was changed`);
    if (sequence === signed?.sequence && !hash.equals(signed.hash))
      this.#faults.push(`entry ${sequence} is not the one that was signed`);
    if (this.#onlyInFile.get(sequence)?.some((signedHash) => !signedHash.equals(hash)))
      this.#contradicted.push(sequence);
    if (sequence === this.#firstUnsigned) this.#unsignedSince = content.at(-1) ?? '';
    this.#end = entry;
  }

  finish(): ChainResult {
    const { sequence } = this.#end;
    const { signed } = this.evidence;
    const faults = [...this.#faults];
    if (signed && signed.sequence > sequence)
      faults.push(
        `${entriesAre(sequence + 1n, signed.sequence)} missing, but a signed head in the database covers entry ${signed.sequence}`,
      );
    const isUncovered = (number: bigint) => number > (signed?.sequence ?? 0n);
    const forged = this.#contradicted.filter(isUncovered);
    faults.push(...forged.map((number) => `entry ${number} is not the one that was signed`));
    const unsigned =
      sequence < this.#firstUnsigned
        ? undefined
        : { from: this.#firstUnsigned, to: sequence, since: this.#unsignedSince };
    return { faults, losses: forged.length > 0 ? [] : this.#losses(), unsigned };
  }

  /** The entries that a head in the file covers and that are not here. */
  #losses(): string[] {
    const { sequence } = this.#end;
    const missing = this.evidence.onlyInFile.filter((end) => end.sequence > sequence);
    const to = [...missing.map((end) => end.sequence), ...this.#contradicted].reduce(
      (left, right) => (left > right ? left : right),
      0n,
    );
    if (to === 0n) return [];
    if (this.#contradicted.length === 0) return [`${entriesAre(sequence + 1n, to)} lost (${to - sequence} in all)`];
    const from = this.evidence.agreedSequence + 1n;
    return [`${entriesAre(from, to)} lost (at most ${to - from + 1n} in all), and later entries have these numbers`];
  }
}
