/** What `remesa doctor` found: one line for each check, with what to do where something is wrong. */
export type Verdict = 'ok' | 'warning' | 'fault';

export interface Finding {
  readonly check: string;
  readonly verdict: Verdict;
  /** What is so, in one sentence. */
  readonly reason: string;
  /** What to do; absent when nothing is wrong. */
  readonly fix?: string;
}

/** What a check says; the examination adds its name. */
export type Result = Omit<Finding, 'check'>;

export function ok(reason: string): Result {
  return { verdict: 'ok', reason };
}

export function warning(reason: string, fix: string): Result {
  return { verdict: 'warning', reason, fix };
}

export function fault(reason: string, fix: string): Result {
  return { verdict: 'fault', reason, fix };
}

/** 0: all is well. 1: at least one fault. 2: warnings only. */
export function exitCodeOf(findings: readonly Finding[]): number {
  if (findings.some(({ verdict }) => verdict === 'fault')) return 1;
  return findings.some(({ verdict }) => verdict === 'warning') ? 2 : 0;
}

export function lineOf({ check, verdict, reason, fix }: Finding): string {
  const line = `${verdict.padEnd(8)} ${check.padEnd(15)} ${reason}`;
  return fix === undefined ? line : `${line}\n${' '.repeat(25)}→ ${fix}`;
}
