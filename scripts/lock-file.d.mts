interface LockEntry {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

interface LockFile {
  readonly packages: Readonly<Record<string, LockEntry>>;
}

export function missingEntries(lock: LockFile): Map<string, LockEntry>;
export function complete(lock: LockFile): LockFile;
