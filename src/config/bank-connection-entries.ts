/**
 * Reads the setting BANK_CONNECTIONS: where the files of each bank account go. `main-eur=folder:/srv/bank` is a folder;
 * `*=sftp://remesa@sftp.bank.example/?key=/run/secrets/bank-key&hostKey=SHA256:…` is a server, for all other accounts.
 */
export type BankConnectionEntry =
  | { readonly kind: 'folder'; readonly name: string; readonly path: string }
  | {
      readonly kind: 'sftp';
      readonly name: string;
      readonly host: string;
      readonly port: number;
      readonly user: string;
      /** The file of the private key. */
      readonly keyFile: string;
      /** The fingerprint of the server, as `ssh-keygen -lf` prints it. */
      readonly hostKey: string;
      readonly outFolder: string;
      readonly inFolder: string;
    };

export interface BankConnectionEntries {
  readonly entries: readonly BankConnectionEntry[];
  readonly faults: readonly string[];
}

export function readBankConnectionEntries(text: string): BankConnectionEntries {
  const written = text.trim() === '' ? [] : text.split(',').map((entry) => entry.trim());
  const read = written.map(readEntry);
  const faults = read.flatMap((entry, index) => (typeof entry === 'string' ? [`entry ${index + 1} ${entry}`] : []));
  const entries = read.filter((entry) => typeof entry !== 'string');
  const names = entries.map(({ name }) => name);
  const isTwice = names.some((name, index) => names.indexOf(name) !== index);
  return { entries, faults: isTwice ? [...faults, 'must name each account once'] : faults };
}

function readEntry(text: string): BankConnectionEntry | string {
  const equals = text.indexOf('=');
  const [name, address] = [text.slice(0, Math.max(equals, 0)), text.slice(equals + 1)];
  if (!/^(\*|[a-z0-9][a-z0-9._-]{0,39})$/.test(name)) return 'must begin with the id of a bank account, or *, and =';
  if (address.startsWith('folder:')) {
    const path = address.slice('folder:'.length);
    return path.startsWith('/') ? { kind: 'folder', name, path } : 'must have the whole path of the folder';
  }
  return address.startsWith('sftp://') ? readServer(name, address) : 'must be folder:/path or sftp://user@host/';
}

function readServer(name: string, address: string): BankConnectionEntry | string {
  if (!URL.canParse(address)) return 'has an address that is none';
  const { hostname: host, port, username, password, searchParams } = new URL(address);
  if (password !== '') return 'must not have a password: keys are files';
  if (username === '' || host === '') return 'must be like sftp://user@host/';
  const keyFile = searchParams.get('key');
  // A plus is a blank in the query of an address, and fingerprints have pluses.
  const hostKey = searchParams.get('hostKey')?.replaceAll(' ', '+');
  if (!keyFile?.startsWith('/')) return 'must name the file of the private key: key=/run/secrets/bank-key';
  if (!hostKey || !/^SHA256:[A-Za-z0-9+/]{43}$/.test(hostKey))
    return 'must name the fingerprint of the server: hostKey=SHA256:… (ssh-keygen -lf)';
  const [outFolder, inFolder] = [searchParams.get('out') ?? 'out', searchParams.get('in') ?? 'in'];
  const user = decodeURIComponent(username);
  return { kind: 'sftp', name, host, port: Number(port || 22), user, keyFile, hostKey, outFolder, inFolder };
}
