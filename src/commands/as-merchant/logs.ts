/** `remesa logs` shows what a merchant's programs asked of the service, and what it answered. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { print, say } from '../command.js';
import { MerchantCalls, type MerchantOptions, readCount, withMerchantOptions } from './calls.js';

interface LogOptions extends MerchantOptions {
  readonly status?: string;
  readonly method?: string;
  readonly last: number;
  readonly follow?: boolean;
  readonly json?: boolean;
}

interface LoggedRequest {
  readonly id: string;
  readonly requestId: string;
  readonly receivedAt: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code?: string;
  readonly durationMs: number;
  readonly isReplay: boolean;
}

const lookEveryMs = 1000;
/** A look that finds nothing but new requests is repeated with more, so that a burst is shown too. */
const lookAt = 100;
const lookAtMost = 1000;

export function addLogCommand(program: Command): void {
  const command = program
    .command('logs')
    .description('show the last requests of a merchant, and how they were answered')
    .option('--follow', 'go on with new ones as they come')
    .addOption(new Option('--status <class>', 'only answers of this class').choices(['2xx', '4xx', '5xx']))
    .addOption(new Option('--method <method>', 'only this method').choices(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']))
    .option('--last <count>', 'how many', readCount, 20)
    .option('--json', 'print each request as one line of JSON');
  withMerchantOptions(command).addHelpText('after', examples).action(showLogs);
}

const examples = `
Examples:
  remesa logs --status 4xx                   the last errors of your program
  remesa logs --follow                       each request as it is answered
  remesa logs --follow --json | jq .code`;

async function showLogs(options: LogOptions): Promise<void> {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  await showRequests(options, {
    calls: MerchantCalls.of(options),
    print: (line) => print(line),
    say,
    signal: stopping.signal,
  });
}

export interface LogPlace {
  readonly calls: Pick<MerchantCalls, 'get'>;
  readonly print: (line: string) => void;
  readonly say: (message: string) => void;
  readonly signal: AbortSignal;
}

/** The oldest first. Throws `StartupRefused` when the service cannot be asked at the beginning. */
export async function showRequests(
  {
    status,
    method,
    last,
    follow = false,
    json = false,
  }: Pick<LogOptions, 'status' | 'method' | 'last' | 'follow' | 'json'>,
  { calls, print: show, say: warn, signal }: LogPlace,
): Promise<void> {
  const read = (limit: number): Promise<LoggedRequest[]> => {
    const filters = Object.entries({ status, method }).filter((filter): filter is [string, string] => !!filter[1]);
    return calls.get(`/merchant/requests?${new URLSearchParams([...filters, ['limit', String(limit)]])}`);
  };
  const showAll = (requests: readonly LoggedRequest[]) => {
    for (const request of [...requests].reverse()) show(json ? JSON.stringify(request) : lineOf(request));
  };
  const first = await read(follow ? Math.max(last, lookAt) : last);
  showAll(first.slice(0, last));
  if (!follow) {
    if (first.length === 0) warn('There are no such requests in the last 7 days.');
    return;
  }
  let known = new Set(first.map(({ id }) => id));
  while (!signal.aborted) {
    await pause(lookEveryMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    const newest = await newestOf(read, known).catch((error: Error) => warn(`${error.message} Trying again.`));
    if (!newest) continue;
    showAll(newest.filter(({ id }) => !known.has(id)));
    known = new Set([...newest.map(({ id }) => id), ...[...known].slice(0, lookAtMost)]);
  }
}

async function newestOf(
  read: (limit: number) => Promise<LoggedRequest[]>,
  known: ReadonlySet<string>,
): Promise<LoggedRequest[]> {
  const newest = await read(lookAt);
  const mayBeMore = newest.length === lookAt && newest.every(({ id }) => !known.has(id));
  return mayBeMore ? read(lookAtMost) : newest;
}

function lineOf({ receivedAt, method, path, status, code, durationMs, isReplay, requestId }: LoggedRequest): string {
  const said = [code, isReplay ? 'repeated' : undefined].filter((part) => part !== undefined).join(' ');
  return `${receivedAt}  ${status}  ${method.padEnd(6)}  ${path}  ${durationMs} ms  ${said === '' ? '' : `${said}  `}${requestId}`;
}
