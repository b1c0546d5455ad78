/** Documents are kept sealed under their user's key, in chunks that open at their own place only. In both stores. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { DocumentFiles } from '../../src/documents/document-files.js';
import type { DocumentPlace } from '../../src/kyc/documents/document-vault.js';
import { SealedDocumentVault } from '../../src/kyc/documents/vault.js';
import { search, writingsOf } from '../users/raw-files.js';
import { marked, type OpenCase, readAll, useKeeping } from './keeping.js';

const keeping = useKeeping();
const chunk = 64 * 1024;
const sealedChunk = chunk + 28;
const marker = 'PASSPORT-OF-ANA-REYES';

let ours: OpenCase;
beforeEach(async () => {
  ours = await keeping.openCase();
});

describe.each(['database', 'files'] as const)('kept in %s', (keptIn) => {
  const read = (place: DocumentPlace, key = ours.key) =>
    readAll(keeping.vault(keptIn).read(keeping.room.database, place, key));
  const keep = (bytes: Buffer, open = ours) => keeping.keep(keptIn, open, bytes);

  it.each([1, chunk - 1, chunk, chunk + 1, 8 * chunk, 8 * chunk + 1, 10 * 1024 * 1024])(
    'a document of %i bytes comes back as it was',
    async (length) => {
      const bytes = marked(marker, length);
      const place = await keep(bytes);
      expect((await read(place)).equals(bytes)).toBe(true);
      expect(place).toMatchObject({ question: 'documentFront', mediaType: 'application/pdf', bytes: length });
    },
  );

  it('comes back piece by piece, each no larger than a chunk', async () => {
    const place = await keep(marked(marker, 3 * chunk + 5));
    const lengths: number[] = [];
    for await (const piece of keeping.vault(keptIn).read(keeping.room.database, place, ours.key))
      lengths.push(piece.length);
    expect(lengths).toEqual([chunk, chunk, chunk, 5]);
  });

  it('is found by the row whatever the setting says now', async () => {
    const bytes = marked(marker, 1000);
    const place = await keep(bytes);
    const other = keeping.vault(keptIn === 'files' ? 'database' : 'files');
    expect(await readAll(other.read(keeping.room.database, place, ours.key))).toEqual(bytes);
  });

  it('shows nothing of itself in the tables nor in the files', async () => {
    await keep(marked(marker, 2 * chunk));
    const { rows } = await keeping.room.sql.query<{ sealed_chunk: Buffer }>(
      'SELECT sealed_chunk FROM kyc_document_chunks',
    );
    expect(rows.filter((row) => row.sealed_chunk.includes(marker))).toEqual([]);
    const { rows: others } = await keeping.room.sql.query<{ row: string }>(
      'SELECT d::text AS row FROM kyc_documents AS d',
    );
    expect(others.filter(({ row }) => row.includes(marker))).toEqual([]);
    expect(search(keeping.folder, writingsOf(marker)).size).toBe(0);
  });

  it('two uploads of the same bytes have nothing in common', async () => {
    const bytes = marked(marker, 100);
    const [one, other] = [await keep(bytes), await keep(bytes)];
    expect(one.documentId).not.toBe(other.documentId);
    expect((await sealedOf(one)).equals(await sealedOf(other))).toBe(false);
  });

  it.each([
    ['a changed bit', (sealed) => flip(sealed, 500)],
    ['a changed bit in the last chunk', (sealed) => flip(sealed, sealed.length - 1)],
    ['two chunks swapped', (sealed) => Buffer.concat([part(sealed, 1), part(sealed, 0), part(sealed, 2)])],
    ['a chunk twice', (sealed) => Buffer.concat([part(sealed, 0), part(sealed, 0), part(sealed, 2)])],
    ['the last chunk missing', (sealed) => Buffer.concat([part(sealed, 0), part(sealed, 1)])],
    ['the middle chunk missing', (sealed) => Buffer.concat([part(sealed, 0), part(sealed, 2)])],
    ['nothing left', () => Buffer.alloc(0)],
  ] as [string, (sealed: Buffer) => Buffer][])('does not open with %s', async (_name, change) => {
    const place = await keep(marked(marker, 2 * chunk + 100));
    await replaceSealed(place, change(await sealedOf(place)));
    await expect(read(place)).rejects.toThrow();
  });

  it.each([
    ['the row says that it is shorter', (sealed: Buffer) => sealed],
    ['the row says so and the chunks agree', (sealed: Buffer) => sealed.subarray(0, 2 * sealedChunk)],
  ])('does not open when %s', async (_name, change) => {
    const place = await keep(marked(marker, 2 * chunk + 100));
    await replaceSealed(place, change(await sealedOf(place)));
    await keeping.room.sql.query('UPDATE kyc_documents SET bytes = $2, chunks = 2 WHERE document_id = $1', [
      place.documentId,
      2 * chunk,
    ]);
    await expect(read(place)).rejects.toThrow();
  });

  it('does not open in another case, even of the same user, nor with another user’s key', async () => {
    const bytes = marked(marker, 100);
    const place = await keep(bytes);
    const stranger = await keeping.openCase();
    await expect(read(place, stranger.key)).rejects.toThrow();
    const moved = await keep(marked('other', 100), stranger);
    await replaceSealed(moved, await sealedOf(place));
    await expect(read(moved, ours.key)).rejects.toThrow();
    await expect(read(moved, stranger.key)).rejects.toThrow();
  });

  it('is not found by another merchant', async () => {
    const place = await keep(marked(marker, 100));
    await expect(read({ ...place, merchantId: keeping.room.rival.merchant })).rejects.toThrow('no such document');
  });

  it('is gone when it is discarded', async () => {
    const place = await keep(marked(marker, 3 * chunk));
    await keeping.room.database.transaction((tx) => keeping.vault(keptIn).discard(tx, place));
    await expect(read(place)).rejects.toThrow('no such document');
    expect(await chunkRows(place)).toBe(0);
  });

  it('is not there when the transaction is rolled back', async () => {
    let place: DocumentPlace | undefined;
    const vault = keeping.vault(keptIn);
    const failed = keeping.room.database.transaction(async (tx) => {
      const document = { mediaType: 'image/png', bytes: marked(marker, chunk) } as const;
      place = { ...ours, ...(await vault.store(tx, ours, 'selfiePhoto', ours.key, document)) };
      throw new Error('the rest failed');
    });
    await expect(failed).rejects.toThrow('the rest failed');
    await expect(read(place as DocumentPlace)).rejects.toThrow('no such document');
  });

  /** All sealed chunks, one after the other. */
  async function sealedOf(place: DocumentPlace): Promise<Buffer> {
    if (keptIn === 'files') return readFileSync(join(keeping.files.folder, place.documentId));
    const { rows } = await keeping.room.sql.query<{ sealed_chunk: Buffer }>(
      'SELECT sealed_chunk FROM kyc_document_chunks WHERE document_id = $1 ORDER BY chunk_no',
      [place.documentId],
    );
    return Buffer.concat(rows.map((row) => row.sealed_chunk));
  }

  async function replaceSealed(place: DocumentPlace, sealed: Buffer): Promise<void> {
    if (keptIn === 'files') return writeFileSync(join(keeping.files.folder, place.documentId), sealed);
    await keeping.room.sql.query('DELETE FROM kyc_document_chunks WHERE document_id = $1', [place.documentId]);
    for (let number = 0; number * sealedChunk < sealed.length; number += 1) {
      await keeping.room.sql.query(
        `INSERT INTO kyc_document_chunks (merchant_id, case_id, document_id, chunk_no, sealed_chunk) VALUES ($1, $2, $3, $4, $5)`,
        [place.merchantId, place.caseId, place.documentId, number, part(sealed, number)],
      );
    }
  }
});

describe('a file', () => {
  it('is for its owner alone, under a name that says nothing', async () => {
    const place = await keeping.keep('files', ours, marked(marker, 100));
    const path = join(keeping.files.folder, place.documentId);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(keeping.files.folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(keeping.files.folder).every((name) => /^[0-9a-f]{32}$/.test(name))).toBe(true);
  });

  it('that is longer than it was does not open', async () => {
    const place = await keeping.keep('files', ours, marked(marker, 100));
    const path = join(keeping.files.folder, place.documentId);
    writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.alloc(1)]));
    const reading = readAll(keeping.vault('files').read(keeping.room.database, place, ours.key));
    await expect(reading).rejects.toThrow('longer than it was');
  });

  it('that has no disk to be written to is a refusal for now, and no row', async () => {
    writeFileSync(join(keeping.folder, 'no-folder'), '');
    const nowhere = new SealedDocumentVault(new DocumentFiles(join(keeping.folder, 'no-folder')), 'files');
    const document = { mediaType: 'image/png', bytes: marked(marker, 100) } as const;
    const kept = keeping.room.database.transaction((tx) => nowhere.store(tx, ours, 'selfiePhoto', ours.key, document));
    await expect(kept).rejects.toMatchObject({ kind: 'unavailable', code: 'documents_unavailable' });
    const { rows } = await keeping.room.sql.query('SELECT 1 FROM kyc_documents WHERE case_id = $1', [ours.caseId]);
    expect(rows).toEqual([]);
  });

  it('that could not be written leaves nothing of it behind', async () => {
    const broken = (function* () {
      yield Buffer.alloc(100);
      throw new Error('the disk is full');
    })();
    await expect(keeping.files.write('0'.repeat(32), broken)).rejects.toThrow('the disk is full');
    expect(readdirSync(keeping.files.folder).filter((name) => name.startsWith('0'.repeat(32)))).toEqual([]);
  });
});

function part(sealed: Buffer, number: number): Buffer {
  return sealed.subarray(number * sealedChunk, (number + 1) * sealedChunk);
}

function flip(sealed: Buffer, at: number): Buffer {
  const changed = Buffer.from(sealed);
  changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
  return changed;
}

async function chunkRows(place: DocumentPlace): Promise<number> {
  const { rows } = await keeping.room.sql.query('SELECT 1 FROM kyc_document_chunks WHERE document_id = $1', [
    place.documentId,
  ]);
  return rows.length;
}
