/** The texts that explain error codes to callers. Each room writes its own; `/docs/errors` publishes all of them. */
import type { ErrorKind } from '../../errors.js';

/** `internal` is an unexpected error, which the business never raises. */
export type ProblemKind = ErrorKind | 'internal';

export interface Explanation {
  /** Decides the status. A test compares it with each `new RemesaError` of this code. */
  readonly kind: ProblemKind;
  readonly title: string;
  readonly remedy: string;
  /** Examples of the additional members of the problem document. */
  readonly exampleMembers?: Readonly<Record<string, unknown>>;
}

export type ProblemCatalogue = Readonly<Record<string, Explanation>>;

/** Throws when two of the catalogues explain the same code. */
export function composeProblems(catalogues: readonly ProblemCatalogue[]): ProblemCatalogue {
  const composed = new Map<string, Explanation>();
  for (const [code, explanation] of catalogues.flatMap((catalogue) => Object.entries(catalogue))) {
    if (composed.has(code)) throw new Error(`The error code ${code} is explained twice.`);
    composed.set(code, explanation);
  }
  return Object.fromEntries(composed);
}
