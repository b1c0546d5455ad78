/** The service in a process of its own, on the test's database: what is done to it is seen from outside. */
import { mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../harness/eventually.js';
import { testMasterKey } from '../harness/master-key.js';
import { newFolder } from '../harness/new-folder.js';
import { endProcessesAfterAll, type RunningService, startProgram } from '../harness/processes.js';
import type { KycTest } from '../kyc/kyc-service.js';
import { newApplicant, newFormAddress } from './visiting.js';

export interface ServiceApart extends RunningService {
  /** What lies in the folders where documents and temporary files would. */
  filesLeft(): string[];
}

/** To be called once in a test file; the answer starts the service that its tests share. */
export function useServiceApart(kyc: KycTest): () => Promise<ServiceApart> {
  const folder = newFolder();
  endProcessesAfterAll();
  let starting: Promise<ServiceApart> | undefined;
  const start = async () => {
    const data = mkdtempSync(join(folder, 'data-'));
    const temporary = mkdtempSync(join(folder, 'temporary-'));
    const program = startProgram(
      'src/main.ts',
      {
        DATABASE_URL: kyc.url,
        DATA_DIR: data,
        TMPDIR: temporary,
        PORT: '0',
        LOG_LEVEL: 'warn',
        MASTER_KEY: testMasterKey,
      },
      ['serve'],
    );
    const url = await eventually(() => /Listening on +(\S+)/.exec(program.output())?.[1], {
      withinMs: 60_000,
      what: 'the service listening',
    });
    return { ...program, url, filesLeft: () => [...filesIn(join(data, 'documents')), ...filesIn(temporary)] };
  };
  return () => {
    starting ??= start();
    return starting;
  };
}

function filesIn(place: string): string[] {
  try {
    const entries = readdirSync(place, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  } catch {
    return [];
  }
}

/** The page of the document, in a form that was opened just now. */
export async function newDocumentPage(kyc: KycTest, { url }: RunningService): Promise<string> {
  const address = await newFormAddress(kyc, await newApplicant(kyc, 'LEVEL_2', 'EEA'));
  return `${address.replace(kyc.service.url, url)}/document`;
}

/** What the service tells of itself since it was last asked. */
export async function figuresOf({ url }: RunningService) {
  const text = await (await fetch(`${url}/metrics`)).text();
  const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  return {
    residentBytes: figure('process_resident_memory_bytes'),
    latestSeconds: figure('nodejs_eventloop_lag_max_seconds'),
    requestsInFlight: figure('remesa_http_requests_in_flight'),
    uploadsArriving: figure('remesa_http_requests{lane="form",stage="arriving"}'),
  };
}

/** Looks at the service again and again; the answer stops that and tells the worst that was seen. */
export function watch(service: RunningService) {
  const worst = { residentBytes: 0, latestSeconds: 0, isReady: true };
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const { residentBytes, latestSeconds } = await figuresOf(service);
      worst.residentBytes = Math.max(worst.residentBytes, residentBytes);
      worst.latestSeconds = Math.max(worst.latestSeconds, latestSeconds);
      worst.isReady &&= (await fetch(`${service.url}/readyz`)).ok;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return worst;
  })();
  // A test that failed before does not ask for it any more.
  watching.catch(() => {});
  return () => {
    isOver = true;
    return watching;
  };
}
