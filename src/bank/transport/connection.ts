/** How files get to a bank, and from it. `src/providers/bank/` has a folder and SFTP. */

export interface BankConnection {
  /** As BANK_CONNECTIONS names it: the id of a bank account, or `*` for all without an entry of their own. */
  readonly name: string;
  /**
   * Hands a file over. It appears whole, under its name, or not at all. The same file again replaces itself. Throws
   * when that is not known to have succeeded.
   */
  put(file: { readonly name: string; readonly content: Buffer }, signal: AbortSignal): Promise<void>;
  /** The files that the bank has put down for us, those that are still being written left out. */
  list(signal: AbortSignal): Promise<readonly OfferedFile[]>;
  /** Throws when the file has more bytes than that. */
  get(name: string, mostBytes: number, signal: AbortSignal): Promise<Buffer>;
  /** Puts a file that was stored aside, so that it is not offered again. It may be gone already. */
  archive(name: string, signal: AbortSignal): Promise<void>;
}

export interface OfferedFile {
  readonly name: string;
  readonly bytes: number;
}

/** The connection of an account: its own, or that of all others. */
export function connectionOf(connections: readonly BankConnection[], accountId: string): BankConnection | undefined {
  return connections.find(({ name }) => name === accountId) ?? connections.find(({ name }) => name === '*');
}

/** A bank names its own files: with another name, nothing is read or written. */
export function isSafeName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[/\\\0]/.test(name);
}
