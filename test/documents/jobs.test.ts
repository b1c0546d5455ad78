/** What is left behind goes: files that nobody knows, and the documents of people who were erased. */
import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Scope } from '../../src/caller.js';
import { systemClock } from '../../src/clock.js';
import { DocumentFiles } from '../../src/documents/document-files.js';
import { type IsKeyGone, removeErasedJob, sweepFilesJob } from '../../src/kyc/documents/jobs.js';
import { silentLog } from '../harness/silent-log.js';
import { marked, type OpenCase, readAll, useKeeping } from './keeping.js';

const keeping = useKeeping();
const signal = new AbortController().signal;
const pathOf = (name: string) => join(keeping.files.folder, name);

/** As if it had been written two hours ago. */
function age(name: string): void {
  const then = new Date(Date.now() - 2 * 3600 * 1000);
  utimesSync(pathOf(name), then, then);
}

describe('the sweep of files', () => {
  const sweep = () => sweepFilesJob(keeping.room.database, keeping.files, systemClock, silentLog).run(signal);

  it('removes what no document names, finished or not, and nothing that one names', async () => {
    const open = await keeping.openCase();
    const known = await keeping.keep('files', open, marked('known', 1000));
    const discarded = await keeping.keep('files', open, marked('discarded', 1000));
    await keeping.room.database.transaction((tx) => keeping.vault('files').discard(tx, discarded));
    writeFileSync(pathOf(`${'a'.repeat(32)}.part`), 'half of it');
    for (const name of [known.documentId, discarded.documentId, `${'a'.repeat(32)}.part`]) age(name);

    await sweep();
    expect(readdirSync(keeping.files.folder)).toEqual([known.documentId]);
    expect(await readAll(keeping.vault('files').read(keeping.room.database, known, open.key))).toEqual(
      marked('known', 1000),
    );
  });

  it('that cannot remove one file removes the others', async () => {
    const [stuck, loose] = ['e'.repeat(32), 'f'.repeat(32)];
    for (const name of [stuck, loose]) {
      writeFileSync(pathOf(name), 'sealed');
      age(name);
    }
    const files = new DocumentFiles(keeping.files.folder);
    const remove = files.remove.bind(files);
    files.remove = async (name) => {
      if (name === stuck) throw new Error('broken');
      await remove(name);
    };
    await sweepFilesJob(keeping.room.database, files, systemClock, silentLog).run(signal);
    expect([stuck, loose].map((name) => existsSync(pathOf(name)))).toEqual([true, false]);
    await sweep();
  });

  it('leaves alone what was just written: its row may still be on its way', async () => {
    const fresh = 'b'.repeat(32);
    writeFileSync(pathOf(fresh), 'sealed');
    await sweep();
    expect(existsSync(pathOf(fresh))).toBe(true);
  });

  it('goes through many, a few at a time', async () => {
    const names = Array.from({ length: 450 }, (_, index) => index.toString(16).padStart(32, 'c'));
    for (const name of names) {
      writeFileSync(pathOf(name), '');
      age(name);
    }
    await sweep();
    expect(readdirSync(keeping.files.folder).filter((name) => names.includes(name))).toEqual([]);
  });

  it('never reaches the files of another instance in the same data directory', async () => {
    const [ours, theirs] = [1, 2].map((fill) => DocumentFiles.ofInstance(keeping.folder, Buffer.alloc(32, fill)));
    await theirs?.write('d'.repeat(32), [Buffer.from('sealed')]);
    const inTwoHours = { now: () => new Date(Date.now() + 2 * 3600 * 1000) };
    await sweepFilesJob(keeping.room.database, ours as DocumentFiles, inTwoHours, silentLog).run(signal);
    expect(readdirSync(theirs?.folder ?? '')).toEqual(['d'.repeat(32)]);
    await sweepFilesJob(keeping.room.database, theirs as DocumentFiles, inTwoHours, silentLog).run(signal);
    expect(readdirSync(theirs?.folder ?? '')).toEqual([]);
  });

  it('has nothing to do where there never was a file', async () => {
    const nowhere = new DocumentFiles(join(keeping.folder, 'nowhere'));
    expect(await sweepFilesJob(keeping.room.database, nowhere, systemClock, silentLog).run(signal)).toBe(0);
  });
});

describe('the documents of erased users', () => {
  const remove = () =>
    removeErasedJob(
      keeping.room.database,
      async (database, merchantId, userId) =>
        (await keeping.users.retainedKey(database, merchantId, userId)) === undefined,
      silentLog,
    ).run(signal);

  async function erase(open: OpenCase, mustRetain: boolean): Promise<void> {
    const { room } = keeping;
    const users = room.service({ erasureGuard: async () => ({ hasOpenOrders: false, mustRetain }) });
    const by = {
      actor: { kind: 'merchant', merchantId: open.merchantId, scopes: new Set<Scope>(['users']) } as const,
      requestId: 'test',
    };
    const user = { id: open.userId, externalClientId: open.externalClientId };
    await room.database.transaction((tx) => users.erase(tx, by, open.merchantId, user));
    await room.sql.query('UPDATE kyc_cases SET closed_at = now() WHERE case_id = $1', [open.caseId]);
  }

  async function documentsOf({ caseId }: OpenCase): Promise<{ rows: number; chunks: number }> {
    const count = async (table: string) =>
      (await keeping.room.sql.query(`SELECT 1 FROM ${table} WHERE case_id = $1`, [caseId])).rows.length;
    return { rows: await count('kyc_documents'), chunks: await count('kyc_document_chunks') };
  }

  it('go once their key is gone, with what they were attached to; others stay', async () => {
    const [erased, retained, active] = [await keeping.openCase(), await keeping.openCase(), await keeping.openCase()];
    for (const open of [erased, retained, active]) {
      const { documentId } = await keeping.keep('database', open, marked('document', 70_000));
      await keeping.room.sql.query(
        `INSERT INTO kyc_attachments (merchant_id, case_id, question, document_id, case_version) VALUES ($1, $2, 'documentFront', $3, 1)`,
        [open.merchantId, open.caseId, documentId],
      );
    }
    await erase(erased, false);
    await erase(retained, true);
    expect(await keeping.users.retainedKey(keeping.room.database, erased.merchantId, erased.userId)).toBeUndefined();

    await remove();
    expect(await documentsOf(erased)).toEqual({ rows: 0, chunks: 0 });
    expect(await documentsOf(retained)).toEqual({ rows: 1, chunks: 2 });
    expect(await documentsOf(active)).toEqual({ rows: 1, chunks: 2 });
  });

  it('of one that fails stay, and those of the others go', async () => {
    const [bad, good] = [await keeping.openCase(), await keeping.openCase()].sort((one, other) =>
      one.caseId < other.caseId ? -1 : 1,
    ) as [OpenCase, OpenCase];
    for (const open of [bad, good]) {
      await keeping.keep('database', open, marked('document', 1000));
      await erase(open, false);
    }
    const isGone: IsKeyGone = async (_database, _merchantId, userId) => {
      if (userId === bad.userId) throw new Error('broken');
      return true;
    };
    await removeErasedJob(keeping.room.database, isGone, silentLog).run(signal);
    expect((await documentsOf(bad)).rows).toBe(1);
    expect((await documentsOf(good)).rows).toBe(0);
  });

  it('that were files go with the next sweep', async () => {
    const erased = await keeping.openCase();
    const { documentId } = await keeping.keep('files', erased, marked('document', 1000));
    await erase(erased, false);
    await remove();
    age(documentId);
    await sweepFilesJob(keeping.room.database, keeping.files, systemClock, silentLog).run(signal);
    expect(existsSync(pathOf(documentId))).toBe(false);
  });
});
