/** A service for the model: its rail keeps books, its money jobs run when a step says so, and its database can be cut off. */
import { afterAll, beforeAll } from 'vitest';
import { manualRail } from '../../../src/providers/payout/manual.js';
import type { Job } from '../../../src/worker/worker.js';
import { newOperator, operatorToken } from '../../harness/access.js';
import type { Answer, Ask } from '../../harness/api.js';
import { eventually } from '../../harness/eventually.js';
import { FaultProxy } from '../../harness/proxy.js';
import { type TestService, useService } from '../../harness/service.js';
import { type TestDatabase, useTestDatabase } from '../../harness/test-database.js';
import { type Merchant, merchantWithToken } from '../../harness/users.js';
import { quote } from '../../rates/quoting.js';
import { BookedRail } from './booked-rail.js';

/** How a request or the pass of a worker is disturbed: its COMMIT is cut off before or after the database got it. */
export type Fault = 'none' | 'twice' | 'cut-before' | 'cut-after';

const jobsByHand = ['orders.advance', 'orders.expire', 'payouts.send'] as const;
const operatorLogin = 'the-operator';
type JobByHand = (typeof jobsByHand)[number];
/** Statements of the transactions whose COMMIT may be cut off. */
const writesOfModel = ['idempotency.keep-answer', 'timeline.insert', 'lease-store.start-sending'] as const;

export class ModelService {
  readonly rail = new BookedRail();
  readonly byHand = new Map<string, Job>();
  operator = '';
  #proxy: FaultProxy | undefined;
  #keys = 0;

  constructor(
    readonly testDatabase: TestDatabase,
    readonly running: TestService,
  ) {}

  get sql() {
    return this.testDatabase.sql;
  }

  async connect(): Promise<string> {
    const url = new URL(this.testDatabase.url);
    this.#proxy = new FaultProxy({ host: url.hostname, port: Number(url.port) });
    url.port = String(await this.#proxy.listen());
    return url.href;
  }

  async disconnect(): Promise<void> {
    await this.#proxy?.close();
  }

  /** A token of an operator lasts an hour, and a full run longer. */
  async logIn(): Promise<void> {
    this.operator = await operatorToken(this.running, operatorLogin);
  }

  /** Sends a command under a key of its own. After a fault it is sent again until there is an answer. */
  async send(path: string, ask: Ask, fault: Fault): Promise<Answer> {
    this.#keys += 1;
    const call = () => this.running.api.post(path, { key: `model-${this.#keys}`, ...ask });
    const isOver = (answer: Answer) => answer.status !== 503 && !isInProgress(answer);
    const [first, twin] = await this.#disturbed(fault, () =>
      Promise.all(fault === 'twice' ? [call(), call()] : [call()]),
    );
    const answers = [first, ...(twin ? [twin] : [])].filter(
      (answer): answer is Answer => answer !== undefined && isOver(answer),
    );
    const answer = answers[0] ?? (await eventually(async () => retried(await call())));
    const other = answers.find(({ status }) => status !== answer.status);
    if (other) throw new Error(`the same request was answered ${answer.text} and ${other.text}`);
    return answer;

    function retried(again: Answer): Answer | undefined {
      return isOver(again) ? again : undefined;
    }
  }

  /** Several workers make a pass; after a fault, another pass follows. `letTimePass` ends what the last worker left leased. */
  async work(
    name: JobByHand,
    { workers, fault }: { readonly workers: number; readonly fault: Fault },
    letTimePass: () => Promise<void>,
  ): Promise<void> {
    const job = this.byHand.get(name);
    if (!job) throw new Error(`there is no job ${name}`);
    const pass = () => job.run(AbortSignal.timeout(60_000));
    await letTimePass();
    if (fault === 'none' || fault === 'twice') {
      await Promise.all(Array.from({ length: workers }, pass));
      return;
    }
    await this.#disturbed(fault, () => pass().catch(() => 0));
    await letTimePass();
    await pass();
  }

  async #disturbed<Result>(fault: Fault, work: () => Promise<Result>): Promise<Result> {
    const proxy = this.#proxy;
    if (!proxy || fault === 'none' || fault === 'twice') return work();
    const armed = new WeakSet<object>();
    proxy.harm = (chunk, connection) => {
      if (writesOfModel.some((name) => chunk.includes(name))) armed.add(connection);
      if (!armed.has(connection) || !chunk.includes('COMMIT')) return 'pass';
      proxy.harm = () => 'pass';
      return fault;
    };
    try {
      return await work();
    } finally {
      proxy.harm = () => 'pass';
    }
  }
}

export function useModelService(): ModelService {
  const testDatabase = useTestDatabase();
  const settings: Record<string, string> = {
    ...{ TOKENS_PER_MINUTE: '1000000', QUOTES_PER_MINUTE: '1000000', REQUESTS_IN_FLIGHT: '1000' },
  };
  afterAll(() => service.disconnect());
  const running = useService(testDatabase, {
    settings,
    rooms: () => ({
      ...{ routes: [], jobs: [] },
      rails: { all: [manualRail, service.rail], manual: manualRail },
    }),
    before: async () => {
      settings.DATABASE_URL = await service.connect();
    },
    chooseJobs: (jobs) => {
      const isByHand = ({ name }: Job) => jobsByHand.some((known) => known === name);
      for (const job of jobs.filter(isByHand)) service.byHand.set(job.name, job);
      return jobs.filter((job) => !isByHand(job));
    },
  });
  const service = new ModelService(testDatabase, running);
  beforeAll(async () => {
    await newOperator(testDatabase.database, operatorLogin, 'admin');
    await service.logIn();
    const acme: Merchant = await merchantWithToken(running, 'acme');
    const isQuoted = async () => (await quote({ api: running.api, acme })).status === 200;
    await eventually(isQuoted, { withinMs: 30_000, what: 'a first quote' });
  });
  return service;
}

function isInProgress({ status, text }: Answer): boolean {
  return status === 409 && text.includes('idempotency_in_progress');
}
