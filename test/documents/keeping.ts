/** Vaults of both kinds on the test file's own database, with cases of people to keep documents for. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { KeptIn } from '../../src/documents/chunk-vault.js';
import { DocumentFiles } from '../../src/documents/document-files.js';
import { type MerchantId, newPublicId, type PublicId, type UserId, userId } from '../../src/ids.js';
import type { DocumentPlace, StoredDocument } from '../../src/kyc/documents/document.js';
import { DocumentVault } from '../../src/kyc/documents/document-vault.js';
import type { UserService } from '../../src/users/service.js';
import { bySystem } from '../harness/access.js';
import { ana } from '../harness/users.js';
import { type UsersRoom, useUsersRoom } from '../users/room.js';

export interface OpenCase {
  readonly merchantId: MerchantId;
  readonly caseId: PublicId<'kyc'>;
  readonly userId: UserId;
  readonly externalClientId: string;
  /** The user's retained key. */
  readonly key: Buffer;
}

export interface Keeping {
  readonly room: UsersRoom;
  readonly users: UserService;
  readonly folder: string;
  readonly files: DocumentFiles;
  vault(keptIn: KeptIn): DocumentVault;
  openCase(merchantId?: MerchantId): Promise<OpenCase>;
  keep(keptIn: KeptIn, open: OpenCase, bytes: Buffer): Promise<DocumentPlace & StoredDocument>;
}

export function useKeeping(): Keeping {
  const room = useUsersRoom();
  const folder = mkdtempSync(join(tmpdir(), 'remesa-documents-'));
  const files = new DocumentFiles(join(folder, 'documents'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const keeping: Keeping = {
    room,
    folder,
    files,
    get users() {
      return room.service();
    },
    vault: (keptIn) => new DocumentVault(files, keptIn),
    async openCase(merchantId = room.acme.merchant) {
      const user = await room.database.transaction((tx) => keeping.users.create(tx, bySystem, merchantId, ana));
      const id = userId(user.id);
      const caseId = newPublicId('kyc');
      await room.sql.query(
        `INSERT INTO kyc_cases (merchant_id, case_id, user_id, level, zone, created_at, updated_at)
         VALUES ($1, $2, $3, 'LEVEL_2', 'EEA', now(), now())`,
        [merchantId, caseId, id],
      );
      const key = await keeping.users.retainedKey(room.database, merchantId, id);
      if (!key) throw new Error('no key');
      return { merchantId, caseId, userId: id, externalClientId: user.externalClientId, key };
    },
    async keep(keptIn, open, bytes) {
      const vault = keeping.vault(keptIn);
      const document = { mediaType: 'application/pdf', bytes } as const;
      const stored = await room.database.transaction((tx) =>
        vault.store(tx, open, 'documentFront', open.key, document),
      );
      return { ...stored, merchantId: open.merchantId, caseId: open.caseId, userId: open.userId };
    },
  };
  return keeping;
}

export async function readAll(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

/** Bytes in which every chunk is different from every other. */
export function marked(marker: string, bytes: number): Buffer {
  const made = Buffer.alloc(bytes, marker);
  for (let at = 0; at + 4 <= bytes; at += 4096) made.writeUInt32BE(at, at);
  return made;
}
