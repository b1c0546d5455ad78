/**
 * Explains in plain words why the service could not start and what to do. Only this file turns error codes of the
 * network, the file system and the database into sentences for the person at the terminal.
 */
import { StartupRefused } from './errors.js';

export interface StartSettings {
  readonly host: string;
  readonly port: number;
  readonly dataDirectory: string;
  /** Undefined means the embedded PostgreSQL in the data directory. */
  readonly databaseUrl: string | undefined;
}

interface CodedError extends Error {
  readonly code?: string;
  readonly syscall?: string;
  readonly path?: string;
  readonly hostname?: string;
  readonly severity?: string;
}

/** Returns a `StartupRefused` that explains a known fault, and every other error unchanged. */
export function explainStartupFault(error: unknown, settings: StartSettings): unknown {
  if (error instanceof StartupRefused) return error;
  for (const cause of causesOf(error)) {
    const sentence = sentenceFor(cause, settings);
    if (sentence !== undefined) return new StartupRefused(sentence, { cause: error });
  }
  return error;
}

function causesOf(error: unknown): CodedError[] {
  const causes: CodedError[] = [];
  for (let next = error; next instanceof Error && causes.length < 10; next = next.cause) causes.push(next);
  return causes;
}

function sentenceFor(error: CodedError, settings: StartSettings): string | undefined {
  if (isListenError(error, settings)) return listenSentence(error, settings);
  const path = error.path ?? (diskErrorCodes.has(error.code) ? settings.dataDirectory : undefined);
  if (path !== undefined && error.syscall !== 'connect') return fileSentence(error, path);
  return databaseSentence(error, settings);
}

/** Codes that only a disk has. The error of a write to an open file has such a code, but no path. */
const diskErrorCodes = new Set<string | undefined>(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO']);

function isListenError({ syscall, hostname }: CodedError, { host, databaseUrl }: StartSettings): boolean {
  if (syscall === 'listen' || syscall === 'bind') return true;
  return syscall === 'getaddrinfo' && hostname === host && hostname !== targetOf(databaseUrl)?.host;
}

function listenSentence({ code }: CodedError, { host, port }: StartSettings): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use, perhaps by another Remesa. Stop that program, or set PORT to a free port (PORT=${otherPort(port)}).`;
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
      return `HOST=${host} is not an address of this machine. Set HOST to 127.0.0.1 (this machine only), to 0.0.0.0 (all its IPv4 addresses), or to one of its own addresses.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST=${host} is a name that cannot be resolved (${code}). Set HOST to an address of this machine, for example 127.0.0.1.`;
    case 'EACCES':
    case 'EPERM':
      return `This user may not listen on port ${port}. Set PORT to 1024 or higher and put a proxy in front, or give Node.js the right (CAP_NET_BIND_SERVICE).`;
    default:
      return `Remesa cannot listen on ${host}, port ${port} (${code}). Change HOST or PORT.`;
  }
}

function otherPort(port: number): number {
  return port < 1024 || port === 65535 ? 3001 : port + 1;
}

/** Explains an error of `node:fs` on a path that Remesa needs. */
export function fileSentence({ code }: { code?: string | undefined }, path: string): string {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return `There is no space left to write ${path}. Free some, or set DATA_DIR to a folder on another disk.`;
    case 'EROFS':
      return `${path} is on a read-only file system. Set DATA_DIR to a folder that can be written.`;
    case 'EACCES':
    case 'EPERM':
      return `This user may not use ${path}. Start Remesa as its owner, change its owner or mode, or set DATA_DIR to another folder.`;
    case 'EEXIST':
    case 'ENOTDIR':
      return `${path} cannot be used as a folder, because it or a part of it is a file. Set DATA_DIR to a folder.`;
    case 'EISDIR':
      return `${path} is a folder, and Remesa needs a file there. Move the folder away.`;
    case 'EMFILE':
    case 'ENFILE':
      return `${path} cannot be opened, because too many files are open. Raise the limit (ulimit -n).`;
    default:
      return `${path} cannot be used or created (${code}). Set DATA_DIR to another folder.`;
  }
}

/** Explains the output of a PostgreSQL program that failed. Undefined when the cause was not the disk. */
export function serverSentence(output: string, dataDirectory: string): string | undefined {
  if (/No space left on device/.test(output)) return fileSentence({ code: 'ENOSPC' }, dataDirectory);
  if (/Read-only file system/.test(output)) return fileSentence({ code: 'EROFS' }, dataDirectory);
  if (/Permission denied/.test(output)) return fileSentence({ code: 'EACCES' }, dataDirectory);
  return undefined;
}

/** Undefined for an error that does not come from the connection to the database. */
function databaseSentence(error: CodedError, settings: StartSettings): string | undefined {
  const { dataDirectory, databaseUrl } = settings;
  const target = targetOf(databaseUrl);
  const reason = databaseReason(error, target ?? embeddedTarget);
  if (reason === undefined) return undefined;
  if (target) return reason;
  return `The embedded database in ${dataDirectory} failed: ${error.message || error.code}. Its log is ${dataDirectory}/postgres.log.`;
}

interface Target {
  readonly host: string;
  readonly address: string;
  readonly user: string;
  readonly database: string;
}

const embeddedTarget: Target = { host: '', address: '', user: '', database: '' };

/** The server, user and database of DATABASE_URL, without the password. */
function targetOf(databaseUrl: string | undefined): Target | undefined {
  if (databaseUrl === undefined || !URL.canParse(databaseUrl)) return undefined;
  const url = new URL(databaseUrl);
  const host = url.searchParams.get('host') ?? (url.hostname || 'localhost');
  const user = decode(url.username);
  const database = decode(url.pathname.slice(1)) || user;
  return { host, address: `${host}:${url.port || 5432}`, user, database };
}

/** Returns the text unchanged when it is not valid percent-encoding. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function databaseReason(error: CodedError, target: Target): string | undefined {
  const code = error.code ?? '';
  if (error.severity !== undefined) return sqlStateReason(code, error.message, target);
  const reason = networkReason(code, error.message, target);
  if (reason !== undefined) return reason;
  if (/does not support SSL/i.test(error.message))
    return `The PostgreSQL server at ${target.address} has no TLS. Turn TLS on there, or remove sslmode from DATABASE_URL if you control the network in between.`;
  if (tlsFault.test(code))
    return `The TLS certificate of the PostgreSQL server at ${target.address} is not trusted (${code}). Add the certificate of its authority to DATABASE_URL (sslrootcert=/path/to/ca.pem), or use the host name that the certificate was issued for.`;
  if (/password must be a (non-empty )?string/.test(error.message))
    return `The PostgreSQL server at ${target.address} asks for a password, and DATABASE_URL has none. Write it as postgres://user:password@host/database.`;
  return undefined;
}

const tlsFault = /CERT|^UNABLE_TO_(VERIFY|GET)|^ERR_TLS|^ERR_SSL|^EPROTO$|^HOSTNAME_MISMATCH$|^INVALID_CA$|SELF_SIGNED/;
const connectTimeout = /timeout expired|timeout exceeded when trying to connect/i;
const connectionClosed = /Connection terminated/i;

function networkReason(code: string, message: string, { host, address }: Target): string | undefined {
  if (code === 'ECONNREFUSED' || code === 'ENOENT')
    return `No PostgreSQL server listens at ${address}. Start it, or correct DATABASE_URL.`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `The host ${host} of DATABASE_URL cannot be found (${code}). Correct the name, or check the name server.`;
  if (['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'].includes(code) || connectTimeout.test(message))
    return `The PostgreSQL server at ${address} does not answer. Check the network and the firewall in between, or correct DATABASE_URL.`;
  if (['ECONNRESET', 'EPIPE'].includes(code) || connectionClosed.test(message))
    return `The connection to ${address} was closed while it was being opened. Check that a PostgreSQL server listens there, and read its log.`;
  return undefined;
}

function sqlStateReason(code: string, message: string, target: Target): string | undefined {
  const { address, user, database } = target;
  switch (code) {
    case '28P01':
      return `The PostgreSQL server at ${address} does not accept the password of ${user}. Correct DATABASE_URL.`;
    case '28000':
      return `The PostgreSQL server at ${address} does not let ${user} in: ${message}. Correct DATABASE_URL (a server that asks for TLS needs sslmode=verify-full), or pg_hba.conf there.`;
    case '3D000':
      return `The PostgreSQL server at ${address} has no database ${database}. Create it there (CREATE DATABASE ${database} OWNER ${user}), or correct DATABASE_URL.`;
    case '42501':
      return `The role ${user} lacks rights in the database ${database}: ${message}. Make it the owner: ALTER DATABASE ${database} OWNER TO ${user}.`;
    case '53300':
      return `The PostgreSQL server at ${address} has no connection left (${message}). Lower DATABASE_POOL_SIZE, end other programs, or raise max_connections there.`;
    case '53100':
      return `The PostgreSQL server at ${address} has no disk space left. Free some there.`;
    case '57P03':
      return `The PostgreSQL server at ${address} is not ready: ${message}. Wait a moment, then start Remesa again.`;
    case '08P01':
      return `${address} refused the time limits that Remesa sends at connect (${message}). A pooler such as PgBouncer does that: set DATABASE_POOLER to its mode.`;
    case '25006':
      return `The PostgreSQL server at ${address} is a read-only standby. Set DATABASE_URL to the primary.`;
    default:
      return /^(08|53|55P03|57)/.test(code)
        ? `The PostgreSQL server at ${address} refused to work: ${message}.`
        : undefined;
  }
}
