/**
 * `remesa restore`: a backup into an empty database. Afterwards nothing is sent before a person allows it, users who
 * were erased since then are erased again, and audit log and ledgers are verified.
 */
import { cp, mkdir, readFile, rename } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { systemClock } from '../../clock.js';
import { type Config, readConfig } from '../../config/config.js';
import { StartupRefused } from '../../errors.js';
import { merchantId, userId } from '../../ids.js';
import { allLedgers } from '../../ledger/verify/verify.js';
import { readMigrations, requireMigrated } from '../../postgres/migrate.js';
import type { OpenedDatabase } from '../../startup/open-database.js';
import { changeSending } from '../../startup/sending.js';
import { addRestoredErasure, type Erasure } from '../../users/service.js';
import { change, commandLine, say, withDatabase } from '../command.js';
import { withProgress } from '../progress.js';
import { verifyLedgers, verifyLog } from '../verification.js';
import { dumpName, erasuresName, exists, headsName } from './backup.js';
import { checkFiles, type Manifest, readManifest } from './manifest.js';
import { loadDump } from './postgres-tools.js';

interface Options {
  pgBin?: string;
  erasures?: string;
}

export function addRestoreCommand(program: Command): void {
  program
    .command('restore')
    .description('restore a backup into the empty database of DATABASE_URL, and verify it')
    .argument('<folder>', 'the folder that `remesa backup` printed')
    .option('--erasures <file>', 'erasures.jsonl of a later backup: who was erased since this one')
    .option('--pg-bin <folder>', 'the folder of pg_restore')
    .action(restore);
}

/** Throws `StartupRefused` when the backup is not whole, or the database is not empty. Changes nothing then. */
async function restore(folder: string, { pgBin, erasures }: Options): Promise<void> {
  const config = readConfig();
  const from = resolve(folder);
  const manifest = await readManifest(from);
  const url = config.databaseDirectUrl ?? config.databaseUrl;
  if (url === undefined) throw new StartupRefused('Set DATABASE_URL to an empty database.');
  requireThisVersion(manifest, config);
  await withProgress('Checking the backup', sum(manifest), (progress) =>
    checkFiles(from, manifest, (count) => progress.add(count)),
  );
  await requireEmpty(url);
  const erasedSince = [...(await readErasures(join(from, erasuresName))), ...(await readErasures(erasures))];
  say(`Backup of ${manifest.startedAt}: ${manifest.files.length} files are whole. Restoring the database …`);
  await loadDump(join(from, dumpName), { url, pgBin });
  await restoreFiles(from, config);
  await withDatabase(async (opened) => {
    await makeSafe(opened, config, erasedSince);
    await verify(opened, config);
  });
}

function sum({ files }: Manifest): number {
  return files.reduce((bytes, file) => bytes + file.bytes, 0);
}

function requireThisVersion({ schemaVersion, remesa, mode }: Manifest, config: Config): void {
  if (mode !== config.mode)
    throw new StartupRefused(`The backup is of a ${mode} instance, and MODE is ${config.mode}.`);
  if (schemaVersion <= readMigrations().length) return;
  throw new StartupRefused(`The backup was made by Remesa ${remesa}, which is newer. Use that version.`);
}

async function requireEmpty(url: string): Promise<void> {
  if ((await requireMigrated(url)) === 'empty') return;
  throw new StartupRefused('The database of DATABASE_URL is not empty. Create a new one and name it.');
}

async function readErasures(file: string | undefined): Promise<Erasure[]> {
  if (file === undefined) return [];
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new StartupRefused(`${file} cannot be read (${error.code}).`);
  });
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { merchantId: string; userId: string; erasedAt: string })
    .map((line) => ({
      merchantId: merchantId(BigInt(line.merchantId)),
      userId: userId(BigInt(line.userId)),
      erasedAt: new Date(line.erasedAt),
    }));
}

/** The heads that are here may be newer than the backup: they stay as evidence, under another name. */
async function restoreFiles(from: string, { dataDirectory }: Config): Promise<void> {
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  const documents = join(from, 'documents');
  if (await exists(documents)) await cp(documents, join(dataDirectory, 'documents'), { recursive: true });
  const heads = join(dataDirectory, headsName);
  if (await exists(heads)) {
    const aside = `${heads}.before-${systemClock.now().toISOString().replaceAll(/[:.]/g, '-')}`;
    await rename(heads, aside);
    say(`The heads of the replaced database are kept as ${aside}.`);
  }
  if (await exists(join(from, headsName))) await cp(join(from, headsName), heads);
}

async function makeSafe(opened: OpenedDatabase, { baseUrl }: Config, erasures: readonly Erasure[]): Promise<void> {
  await change(opened, (tx) => changeSending(tx, { actor: commandLine }, { isHeld: true, baseUrl }));
  for (const erasure of erasures) await opened.database.transaction((tx) => addRestoredErasure(tx, erasure));
}

async function verify(opened: OpenedDatabase, config: Config): Promise<void> {
  const { entries, faults, losses } = await verifyLog(opened, config);
  const ledgerFaults: string[] = [];
  let journals = 0;
  await verifyLedgers(opened, await allLedgers(opened.database), { isFull: true }, (report) => {
    journals += report.journals;
    ledgerFaults.push(...report.faults);
  });
  for (const fault of [...faults, ...losses, ...ledgerFaults]) say(`  FAULT: ${fault}`);
  const count = faults.length + losses.length + ledgerFaults.length;
  say(`Verified: ${entries} entries of the audit log, ${journals} journals, ${count} faults.`);
  say('Start the service: erased users are erased again. Nothing is sent before ./bin/remesa sending allow.');
  if (count > 0) process.exitCode = 1;
}
