/** Checks of this process's own surroundings: its settings, its folder and its disk. */
import { access, constants, statfs } from 'node:fs/promises';
import type { Config } from '../../config/config.js';
import { fileSentence } from '../../startup-faults.js';
import { fault, ok, type Result, warning } from './finding.js';

const mebibyte = 1024 * 1024;
/** Below this, `/readyz` reports the disk as full. */
const leastFreeMebibytes = 100;
const comfortableMebibytes = 1024;
/** Loopback, the folder of a unix socket, or empty, which means localhost. */
const localHost = /^(|localhost|127\.\d+\.\d+\.\d+|\[::1\]|(\/|%2F).*)$/i;

/** The settings are valid; this finds combinations that work and are probably not meant. */
export function checkSettings(config: Config): Result {
  if (config.databaseUrl !== undefined && config.baseUrl === undefined)
    return warning(
      'BASE_URL is not set, so each process issues tokens under its own address and refuses those of others.',
      'Set BASE_URL to the same public address on every process.',
    );
  if (config.mode === 'live' && config.metricsToken === undefined)
    return warning(
      'METRICS_TOKEN is not set, so /metrics answers 404 in live.',
      'Set METRICS_TOKEN, and set alarms on the metrics (docs/running.md).',
    );
  return ok(`MODE=${config.mode}, ROLE=${config.role}.`);
}

export function checkEncryption({ databaseUrl, databaseDirectUrl }: Config): Result {
  const open = Object.entries({ DATABASE_URL: databaseUrl, DATABASE_DIRECT_URL: databaseDirectUrl })
    .filter(([, url]) => url !== undefined && isUnencrypted(new URL(url)))
    .map(([name]) => name);
  if (open.length === 0) return ok('Connections to the database are encrypted or stay on this machine.');
  return warning(
    `${open.join(' and ')} may send passwords and personal data unencrypted over the network.`,
    'Add sslmode=verify-full, unless the network between is your own and private.',
  );
}

function isUnencrypted(url: URL): boolean {
  const isLocal = localHost.test(url.searchParams.get('host') ?? url.hostname);
  return !isLocal && !/^(require|verify-ca|verify-full)$/.test(url.searchParams.get('sslmode') ?? '');
}

export async function checkDataDirectory({ dataDirectory }: Config): Promise<Result> {
  try {
    await access(dataDirectory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT')
      return warning(
        `${dataDirectory} does not exist yet.`,
        'Start the service, which creates it, or correct DATA_DIR.',
      );
    return fault(`${dataDirectory} cannot be written (${code}).`, fileSentence({ code }, dataDirectory));
  }
  return ok(`${dataDirectory} can be written.`);
}

export async function checkDisk({ dataDirectory }: Config): Promise<Result> {
  const space = await statfs(dataDirectory).catch(() => statfs('.'));
  const free = Math.floor((space.bavail * space.bsize) / mebibyte);
  const reason = `${free} MiB are free for DATA_DIR.`;
  if (free < leastFreeMebibytes)
    return fault(reason, 'Free some space: below 100 MiB this process reports that it is not ready.');
  if (free < comfortableMebibytes) return warning(reason, 'Free some space before it is below 100 MiB.');
  return ok(reason);
}
