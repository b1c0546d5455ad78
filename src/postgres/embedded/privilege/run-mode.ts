/** The program and the folder that a mode must be able to use. */
export interface RunTarget {
  readonly postgres: string;
  readonly dataDirectory: string;
}

/** A way to run PostgreSQL's programs under a user that they accept. */
export interface RunMode {
  readonly description: string;
  readonly identity: { readonly uid?: number; readonly gid?: number };
  command(program: string, args: readonly string[]): { file: string; args: readonly string[] };
  /** Tries the mode and returns why it does not work here, or undefined when it does. */
  obstacle(target: RunTarget): Promise<string | undefined>;
  /** Changes the owner of the path, because PostgreSQL accepts only files of its own user. */
  giveOwnership(path: string): Promise<void>;
}
