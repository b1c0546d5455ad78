/** The connections of the setting BANK_CONNECTIONS. */
import type { BankConnection } from '../../bank/transport/connection.js';
import { folderConnection } from './folder.js';
import { type SftpServer, sftpConnection } from './sftp.js';

export type ConnectionEntry =
  | { readonly kind: 'folder'; readonly name: string; readonly path: string }
  | ({ readonly kind: 'sftp'; readonly name: string } & SftpServer);

export function bankConnectionsOf(entries: readonly ConnectionEntry[]): BankConnection[] {
  return entries.map((entry) =>
    entry.kind === 'folder' ? folderConnection(entry.name, entry.path) : sftpConnection(entry.name, entry),
  );
}
