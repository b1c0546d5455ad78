/**
 * A service for the model, on two nodes of one database. The first is undisturbed; the second can be cut off its
 * database. No job runs by itself except those of rates: a step says when, and on which nodes.
 */
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
import { openBankAccounts } from '../../ledger/bank-accounts.js';
import { quote } from '../../rates/quoting.js';
import { BookedRail } from './booked-rail.js';
import type { WorkerPlace } from './killed-worker.js';
import type { Fault } from './lane.js';
import { LightApi } from './light-api.js';
import { alwaysListed, ListFile } from './list-file.js';

const baseUrl = 'http://remesa.example';
const operatorLogin = 'the-operator';
/** The account that refunds are paid from which operators prove. */
export const modelBank = 'model-usd';
/** Statements of the transactions whose COMMIT may be cut off. */
const cutWrites = ['idempotency.keep-answer', 'timeline-store.insert', 'lease-store.start-sending'] as const;

export interface Pass {
  readonly workers: number;
  readonly fault: Fault;
}

interface Node {
  readonly running: TestService;
  readonly jobs: Map<string, Job>;
  api: LightApi | undefined;
}

export class ModelService {
  readonly rail = new BookedRail();
  readonly lists = new ListFile();
  operator = '';
  #proxy: FaultProxy | undefined;
  #keys = 0;
  /** Ends when nobody disturbs the second node any more. */
  #disturbance: Promise<unknown> = Promise.resolve();

  constructor(
    readonly testDatabase: TestDatabase,
    readonly nodes: readonly [Node, Node],
  ) {}

  get sql() {
    return this.testDatabase.sql;
  }

  get api(): LightApi {
    return this.#apiOf(0);
  }

  /** The second node, which is cut off its database now and then. */
  get otherApi(): LightApi {
    return this.#apiOf(1);
  }

  async connect(): Promise<string> {
    this.#proxy = new FaultProxy(this.testDatabase.url);
    return await this.#proxy.listen();
  }

  async disconnect(): Promise<void> {
    await Promise.all(this.nodes.map(({ api }) => api?.close()));
    await this.#proxy?.close();
    this.lists.remove();
  }

  /** A token of an operator lasts an hour, and a full run may last longer. */
  async logIn(): Promise<void> {
    this.operator = await operatorToken({ api: this.api }, operatorLogin);
  }

  newMerchant(name: string): Promise<Merchant> {
    const { service, logText } = this.nodes[0].running;
    return merchantWithToken({ service, logText, api: this.api }, name);
  }

  /** Changes the screening list and returns when both nodes have it. */
  async changeList(names: readonly string[]): Promise<void> {
    this.lists.write(names);
    await this.listLoaded(names);
  }

  /** Resolves when both nodes screen against the list. Until then their orders wait. */
  async listLoaded(names: readonly string[]): Promise<void> {
    this.rail.listed = names;
    for (const api of [this.api, this.otherApi]) {
      const isLoaded = async () => {
        const { text } = await api.get('/operator/screening/lists', { token: this.operator });
        return text.includes(`"entries":${names.length},`);
      };
      await eventually(isLoaded, { what: 'the list' });
    }
  }

  /** Sends a command under a key of its own. After a fault it is sent again until there is an answer. */
  async send(path: string, ask: Ask, fault: Fault): Promise<Answer> {
    this.#keys += 1;
    const keyed = { key: `model-${this.#keys}`, ...ask };
    const call = (api: LightApi) => () => api.post(path, keyed);
    const first = await this.#first(fault, call(this.api), call(this.otherApi));
    const answers = first.filter(isFinal);
    const again = async () => {
      const answer = await this.api.post(path, keyed);
      return isFinal(answer) ? answer : undefined;
    };
    const answer = answers[0] ?? (await eventually(again, { everyMs: 5 }));
    if (answer.status === 500) throw new Error(`${path}: ${answer.text}\n${this.#errors()}`);
    const other = answers.find(({ status }) => status !== answer.status);
    if (other) throw new Error(`the same request was answered ${answer.text} and ${other.text}`);
    return answer;
  }

  /** Workers of both nodes make a pass; after a fault another pass follows. `letTimePass` ends what was left leased. */
  async work(name: string, { workers, fault }: Pass, letTimePass: () => Promise<unknown>): Promise<void> {
    const pass = (node: number) => this.job(name, node).run(AbortSignal.timeout(60_000));
    await letTimePass();
    if (!isCut(fault)) {
      await Promise.all(Array.from({ length: workers }, (_, worker) => pass(worker % 2)));
      return;
    }
    await this.#disturbed(fault, () => pass(1).catch(() => 0));
    await letTimePass();
    await pass(0);
  }

  job(name: string, node = 0): Job {
    const job = this.nodes[node]?.jobs.get(name);
    if (!job) throw new Error(`there is no job ${name}`);
    return job;
  }

  /** Where a worker of a process of its own works. */
  workerPlace(): WorkerPlace {
    const settings = { ...this.lists.settings, DATA_DIR: this.lists.folder, BASE_URL: baseUrl };
    return { databaseUrl: this.testDatabase.url, rail: this.rail, settings };
  }

  /** Runs a job until nothing is left for it to do. */
  async finish(name: string): Promise<void> {
    while ((await this.job(name).run(AbortSignal.timeout(60_000))) > 0);
  }

  #first(fault: Fault, call: () => Promise<Answer>, callOther: () => Promise<Answer>): Promise<Answer[]> {
    if (fault === 'none') return Promise.all([call()]);
    if (fault === 'twice') return Promise.all([call(), callOther()]);
    return this.#disturbed(fault, () => Promise.all([callOther()]));
  }

  /** One disturbance at a time, because all requests of the second node share its connections. */
  #disturbed<Result>(fault: Fault, work: () => Promise<Result>): Promise<Result> {
    const mine = this.#disturbance.then(() => this.#cutOnce(fault as 'cut-before' | 'cut-after', work));
    this.#disturbance = mine.catch(() => {});
    return mine;
  }

  async #cutOnce<Result>(fault: 'cut-before' | 'cut-after', work: () => Promise<Result>): Promise<Result> {
    const proxy = this.#proxy as FaultProxy;
    const armed = new WeakSet<object>();
    proxy.harm = (chunk, connection) => {
      if (cutWrites.some((name) => chunk.includes(name))) armed.add(connection);
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

  /** The newest errors in the logs of both nodes. */
  #errors(): string {
    return this.nodes.map(({ running }) => running.logText().slice(-5_000)).join('\n');
  }

  #apiOf(place: 0 | 1): LightApi {
    const node = this.nodes[place];
    node.api ??= new LightApi(node.running.api);
    return node.api;
  }
}

export function useModelService(): ModelService {
  const testDatabase = useTestDatabase();
  const settings: Record<string, string> = {
    ...{ TOKENS_PER_MINUTE: '1000000', QUOTES_PER_MINUTE: '1000000', REQUESTS_IN_FLIGHT: '1000' },
    ...{ BASE_URL: baseUrl, DATABASE_POOL_SIZE: '10' },
  };
  const useNode = (own: Record<string, string>, before: () => Promise<void>): Node => {
    const jobs = new Map<string, Job>();
    const running = useService(testDatabase, {
      ...{ settings: own, before, keepsLog: false },
      rooms: () => ({
        ...{ routes: [], jobs: [] },
        rails: { all: [manualRail, service.rail], manual: manualRail },
      }),
      chooseJobs: (all) => {
        for (const job of all) jobs.set(job.name, job);
        return all.filter(({ name }) => name.startsWith('rates.'));
      },
    });
    return { running, jobs, api: undefined };
  };
  afterAll(() => service.disconnect());
  const disturbed: Record<string, string> = { ...settings };
  const nodes: [Node, Node] = [
    useNode(settings, async () => {
      Object.assign(settings, service.lists.settings);
    }),
    useNode(disturbed, async () => {
      Object.assign(disturbed, service.lists.settings, { DATABASE_URL: await service.connect() });
    }),
  ];
  const service = new ModelService(testDatabase, nodes);
  beforeAll(async () => {
    await newOperator(testDatabase.database, operatorLogin, 'admin');
    await service.logIn();
    const acme = await service.newMerchant('acme');
    for (const api of [service.api, service.otherApi]) {
      const isQuoted = async () => (await quote({ api, acme })).status === 200;
      await eventually(isQuoted, { withinMs: 30_000, what: 'a first quote' });
    }
    await openBankAccounts({ api: service.api, admin: service.operator }, `bank:USD:${modelBank}`);
    await service.listLoaded(alwaysListed);
  });
  return service;
}

function isCut(fault: Fault): boolean {
  return fault === 'cut-before' || fault === 'cut-after';
}

/** Neither a failure that is worth a repetition, nor a request that overtook itself. */
function isFinal({ status, text }: Answer): boolean {
  return status !== 503 && !(status === 409 && text.includes('idempotency_in_progress'));
}
