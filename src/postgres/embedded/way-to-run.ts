/** What a way to run must cope with. */
export interface Surroundings {
  readonly postgres: string;
  readonly dataDirectory: string;
}

/** One way to run PostgreSQL's programs under a user that they accept. */
export interface WayToRun {
  readonly description: string;
  readonly identity: { readonly uid?: number; readonly gid?: number };
  command(program: string, args: readonly string[]): { file: string; args: readonly string[] };
  /** Why it does not work here, found out by trying; undefined when it works. */
  obstacle(surroundings: Surroundings): Promise<string | undefined>;
  /** Gives the user what lies at that path, so that PostgreSQL accepts it as its own. */
  handOver(path: string): Promise<void>;
}
