/** A file that a bank has put down for us. Pure. */

export const incomingStates = ['RECEIVED', 'READ', 'FAULTY'] as const;
export type IncomingState = (typeof incomingStates)[number];

export interface FileFault {
  readonly message: string;
  readonly line: number | null;
  /** The XPath of the element. */
  readonly path: string | null;
}

export interface IncomingFile {
  readonly digest: string;
  readonly connection: string;
  readonly name: string;
  readonly state: IncomingState;
  readonly format: string | undefined;
  readonly faults: readonly FileFault[];
  readonly receivedAt: Date;
  readonly isSettled: boolean;
}
