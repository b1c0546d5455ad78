/**
 * Merchants' traffic: each client creates a user with an idempotency key (and repeats it until it is answered with
 * 200), reads the user, opens a KYC case and asks for a quote, both without a key and once.
 */
import { randomUUID } from 'node:crypto';

export type Kind = 'user' | 'read-user' | 'case' | 'quote';

export interface Outcome {
  readonly kind: Kind;
  readonly url: string;
  readonly startedAt: number;
  readonly endedAt: number;
  /** 0: no answer came. */
  readonly status: number;
  /** The code of the problem, or the text of a failed connection. */
  readonly problem: string | undefined;
}

export interface CreatedUser {
  readonly key: string;
  readonly body: string;
  readonly userId: number;
}

/** What a client was told about one effect that has no key. */
export interface OpenedCase {
  readonly userId: number;
  readonly status: number;
  readonly problem: string | undefined;
}

const pauseMs = 40;
const patienceMs = 90_000;

export class Traffic {
  readonly outcomes: Outcome[] = [];
  readonly users: CreatedUser[] = [];
  readonly cases: OpenedCase[] = [];
  readonly quotes: string[] = [];
  /** A reader that mixes up pipelined answers would show here. */
  readonly reads: { readonly expected: string; readonly received: string }[] = [];
  readonly #clients: Promise<void>[];
  #isStopping = false;

  constructor(
    readonly urls: readonly string[],
    readonly token: string,
    clients = 6,
  ) {
    this.#clients = Array.from({ length: clients }, (_, index) => this.#run(index));
  }

  /** Lets every client finish its round, so that each key has its answer. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#clients);
  }

  async #run(index: number): Promise<void> {
    let turn = index;
    while (!this.#isStopping) {
      turn += 1;
      const user = await this.#createUser(turn);
      const node = this.#node(turn);
      const read = await this.#ask('read-user', `${node}/user?userId=${user.userId}`);
      if (read.status === 200) this.reads.push({ expected: user.body, received: read.body });
      const link = { kycLevel: 'LEVEL_1', zone: 'EEA' };
      const opened = await this.#ask('case', `${node}/kyc/links?userId=${user.userId}`, link);
      this.cases.push({ userId: user.userId, status: opened.status, problem: opened.problem });
      const quote = await this.#ask('quote', `${node}/rates`, {
        fiatIn: 'EUR',
        fiatOut: 'MXN',
        amountIn: 100,
      });
      if (quote.status === 200) this.quotes.push(JSON.parse(quote.body).code);
      await pause();
    }
  }

  async #createUser(firstTurn: number): Promise<CreatedUser> {
    const key = randomUUID();
    const deadline = Date.now() + patienceMs;
    for (let turn = firstTurn; ; turn += 1) {
      const answer = await this.#ask('user', `${this.#node(turn)}/user`, profileOf(key), key);
      if (answer.status === 200) {
        const user = { key, body: answer.body, userId: JSON.parse(answer.body).id };
        this.users.push(user);
        return user;
      }
      if (Date.now() > deadline) throw new Error(`key ${key} got no answer: ${answer.status} ${answer.body}`);
      await pause();
    }
  }

  async #ask(
    kind: Kind,
    url: string,
    body?: unknown,
    key?: string,
  ): Promise<{ status: number; body: string; problem: string | undefined }> {
    const startedAt = Date.now();
    const answer = await send(url, this.token, body, key);
    const { status, problem } = answer;
    this.outcomes.push({ kind, url, startedAt, endedAt: Date.now(), status, problem });
    return answer;
  }

  /** Writes that a node acknowledged. */
  acknowledged(url = ''): Outcome[] {
    return this.outcomes.filter(
      (outcome) => outcome.status === 200 && outcome.kind !== 'read-user' && outcome.url.startsWith(url),
    );
  }

  #node(turn: number): string {
    return this.urls[turn % this.urls.length] ?? '';
  }
}

export async function send(url: string, token: string, body?: unknown, key?: string) {
  const headers: Record<string, string> = { authorization: `Bearer ${token}` };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (key !== undefined) headers['idempotency-key'] = key;
  const request = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
  try {
    const response = await fetch(url, { ...request, signal: AbortSignal.timeout(30_000) });
    const text = await response.text();
    const problem = response.status === 200 ? undefined : (JSON.parse(text).code as string);
    return { status: response.status, body: text, problem };
  } catch (error) {
    return { status: 0, body: '', problem: String((error as Error).cause ?? error) };
  }
}

export function profileOf(key: string): Record<string, string> {
  return {
    firstName: 'Ana',
    lastName: 'Reyes',
    email: `${key}@example.com`,
    address: '12 Calle del Sol',
    city: 'Valencia',
    stateProvince: 'Valencia',
    countryCode: 'ES',
    postalCode: '46001',
  };
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, pauseMs));
}
