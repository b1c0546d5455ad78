// A worker of the model test in a process of its own, for kills: runs the job that a line on standard input names,
// once.
import { createInterface } from 'node:readline';
import { startService } from '../../src/app.js';
import { readConfig } from '../../src/config/config.js';
import { createLog } from '../../src/log.js';
import type { Finding, Rail, Report } from '../../src/payouts/rail.js';
import { manualRail } from '../../src/providers/payout/manual.js';
import type { Job } from '../../src/worker/worker.js';

const railUrl = process.env.RAIL_URL ?? '';
const { RAIL_URL: _, ...settings } = process.env;

/** Asks the rail of the test over HTTP. */
const rail: Rail = {
  name: 'sandbox',
  capabilities: {
    ...{ methods: 'any', currencies: 'any', paymentsPerMessage: 1, messagesAtOnce: 4 },
    ...{ canRecall: false, proofOfPayment: 'report', submission: 'automatic', asksAfterPayment: false },
  },
  plan: (_request, now) => ({ cutOffAt: undefined, valueDate: '2026-11-16', arrivesAt: now }),
  async submit({ payments }, signal) {
    const reports: Report[] = [];
    for (const { reference, content } of payments)
      reports.push(...(await ask(reference, { method: 'POST', body: new Uint8Array(content), signal })));
    return reports;
  },
  async find(reference, signal): Promise<Finding> {
    const reports = await ask(reference, { signal });
    return reports.length === 0 ? 'never_received' : { reports };
  },
  read: () => [],
};

async function ask(reference: string, request: RequestInit): Promise<Report[]> {
  const answer = await fetch(`${railUrl}/${reference}`, request);
  if (!answer.ok) throw new Error(`the rail answered ${answer.status}`);
  return (await answer.json()) as Report[];
}

const jobs = new Map<string, Job>();
await startService(readConfig(settings), {
  ...{ log: createLog({ level: 'fatal' }).log, say: () => {} },
  extraRooms: () => ({ routes: [], jobs: [], rails: { all: [manualRail, rail], manual: manualRail } }),
  chooseJobs(all) {
    for (const job of all) jobs.set(job.name, job);
    return [];
  },
});
console.log('ready');
for await (const name of createInterface({ input: process.stdin })) {
  await jobs
    .get(name)
    ?.run(AbortSignal.timeout(60_000))
    .catch(() => 0);
  console.log('done');
}
