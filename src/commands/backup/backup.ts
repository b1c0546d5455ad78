/** `remesa backup`: database, documents, heads of the audit log and erased users in one folder, with a manifest. */
import { cp, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { systemClock } from '../../clock.js';
import type { Config } from '../../config/config.js';
import { readMigrations } from '../../postgres/migrate.js';
import { serverFacts, tableSizes } from '../../postgres/server-checks.js';
import type { OpenedDatabase } from '../../startup/open-database.js';
import { allErasures } from '../../users/service.js';
import { version } from '../../version.js';
import { print, say, withDatabase } from '../command.js';
import { withProgress } from '../progress.js';
import { type BackedUpFile, filesIn, hashFile, type Manifest, sizeOf, writeManifest } from './manifest.js';
import { writeDump } from './postgres-tools.js';

export const dumpName = 'database.dump';
export const erasuresName = 'erasures.jsonl';
export const headsName = 'audit-heads.jsonl';

interface Options {
  pgBin?: string;
  keepDays?: number;
}

export function addBackupCommand(program: Command): void {
  program
    .command('backup')
    .description('back up database, documents and heads of the audit log, beside the running service; without keys')
    .argument('<folder>', 'where the folder of the backup is made')
    .option('--pg-bin <folder>', 'the folder of pg_dump, not older than the server')
    .option('--keep-days <days>', 'then delete the backups in this folder that are older; never this one', wholeDays)
    .action(backUp);
}

/** The folder has its last name only when everything is in it. */
function backUp(folder: string, { pgBin, keepDays }: Options): Promise<void> {
  return withDatabase(async (opened, config) => {
    const startedAt = systemClock.now();
    const target = join(resolve(folder), `remesa-${startedAt.toISOString().replaceAll(/[:.]/g, '-')}`);
    const partial = `${target}.partial`;
    await mkdir(partial, { recursive: true, mode: 0o700 });
    await copyHeads(config, partial);
    say('Database …');
    const url = config.databaseDirectUrl ?? opened.database.connectionString;
    await writeDump(join(partial, dumpName), await tableSizes(opened.database), { url, pgBin });
    await copyDocuments(config, partial);
    const erasures = await writeErasures(opened, partial);
    const manifest = await describe(partial, opened, config);
    await writeManifest(partial, { ...manifest, startedAt: startedAt.toISOString(), erasures });
    await rename(partial, target);
    const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
    say(
      `${manifest.files.length} files, ${(bytes / 1e6).toFixed(1)} MB. The master key is not in it: keep it elsewhere.`,
    );
    if (keepDays !== undefined) await deleteOldBackups(resolve(folder), startedAt, keepDays);
    print(target);
  });
}

/** Only folders that a backup has made, complete or not. What is not ours stays. */
async function deleteOldBackups(folder: string, now: Date, keepDays: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, day, hour, minute, second] =
      /^remesa-(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})-\d{3}Z(?:\.partial)?$/.exec(name) ?? [];
    if (day === undefined) continue;
    const ageMs = now.getTime() - Date.parse(`${day}T${hour}:${minute}:${second}Z`);
    if (ageMs <= keepDays * 86_400_000) continue;
    await rm(join(folder, name), { recursive: true });
    say(`Deleted ${name}.`);
  }
}

function wholeDays(text: string): number {
  const days = Number(text);
  if (!Number.isInteger(days) || days < 1) throw new InvalidArgumentError('It is a whole number of days, 1 or more.');
  return days;
}

/** After the dump: a document is there before the row that names it, and files never change. */
async function copyDocuments({ dataDirectory, documentStore }: Config, folder: string): Promise<void> {
  const documents = join(dataDirectory, 'documents');
  if (documentStore === 'files' && (await exists(documents))) {
    say('Documents …');
    await cp(documents, join(folder, 'documents'), { recursive: true, preserveTimestamps: true });
  }
}

/** Before the dump: verification then finds every head of the file in the database. */
async function copyHeads({ dataDirectory }: Config, folder: string): Promise<void> {
  const heads = join(dataDirectory, headsName);
  if (await exists(heads)) await cp(heads, join(folder, headsName));
  else say(`${dataDirectory} has no ${headsName}: copy that of the process that runs jobs.`);
}

async function writeErasures({ database }: OpenedDatabase, folder: string): Promise<number> {
  const lines: string[] = [];
  for await (const { merchantId, userId, erasedAt } of allErasures(database))
    lines.push(JSON.stringify({ merchantId: String(merchantId), userId: String(userId), erasedAt }));
  await writeFile(join(folder, erasuresName), lines.map((line) => `${line}\n`).join(''), { mode: 0o600 });
  return lines.length;
}

async function describe(
  folder: string,
  { database }: OpenedDatabase,
  { mode, documentStore }: Config,
): Promise<Omit<Manifest, 'startedAt' | 'erasures'>> {
  const paths = await filesIn(folder);
  const files: BackedUpFile[] = [];
  await withProgress('Checksums', await sizeOf(folder, paths), async (progress) => {
    for (const path of paths) files.push(await hashFile(folder, path, (count) => progress.add(count)));
  });
  const { version: postgres } = await serverFacts(database);
  const finishedAt = systemClock.now().toISOString();
  const schemaVersion = readMigrations().length;
  return { format: 1, remesa: version, finishedAt, mode, schemaVersion, postgres, documents: documentStore, files };
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
