/**
 * A bank in a box: it takes payments out of a folder, keeps accounts, and answers as banks do. It is for development,
 * demos and tests; it shares no code with the service.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Entry,
  type Manner,
  type Misbehaviour,
  type Profile,
  recallAnswer,
  statusReport,
  writeNotification,
  writeStatement,
} from './dialects.js';
import { type OrderedPayment, type Received, readReceived } from './payments.js';

export interface BankOptions {
  /** Has `out/`, what customers send, and `in/`, what the bank sends. */
  readonly folder: string;
  readonly profile: Profile;
  readonly misbehaves: readonly Misbehaviour[];
  readonly say: (text: string) => void;
  /** As YYYY-MM-DD. Absent: the day of the computer. */
  readonly today?: () => string;
}

/** Somebody at this or another bank pays to one of its accounts. */
export interface IncomingTransfer {
  readonly account: string;
  readonly currency: string;
  readonly minor: bigint;
  readonly from: string;
  readonly name: string;
  readonly text: string;
}

interface Account {
  readonly currency: string;
  balance: bigint;
  sequence: number;
  /** What no statement has told. */
  readonly entries: Entry[];
}

type ReceivedPayments = Extract<Received, { kind: 'payments' }>;

const looksUntilLate = 3;
const monthMs = 30 * 86_400_000;

export class SimulatedBank {
  readonly accounts = new Map<string, Account>();
  readonly #options: BankOptions;
  readonly #manner: Manner;
  readonly #messages = new Set<string>();
  readonly #booked = new Set<string>();
  /** The accounts whose owner has a connection. */
  readonly #customers = new Set<string>();
  #misbehaves: readonly Misbehaviour[];
  #held: { readonly name: string; readonly bytes: Buffer; looks: number }[] = [];
  #references = 0;
  #files = 0;

  constructor(options: BankOptions) {
    this.#options = options;
    this.#misbehaves = options.misbehaves;
    this.#manner = { profile: options.profile, does: (misbehaviour) => this.#misbehaves.includes(misbehaviour) };
    for (const name of ['out', 'in', 'taken', 'transfers', 'statements'])
      mkdirSync(join(options.folder, name), { recursive: true });
  }

  /** Takes the files that wait, and tells what it booked. Returns how many there were. */
  look(): number {
    this.#release();
    const taken = this.#filesIn('out').map((name) => this.#take(name));
    const transfers = this.#filesIn('transfers').map((name) => this.#transfer(name));
    for (const [number, account] of this.accounts) if (account.entries.length > 0) this.#tell(number, account);
    return taken.length + transfers.length;
  }

  /** From now on, and as nothing else. */
  misbehave(...misbehaves: readonly Misbehaviour[]): void {
    this.#misbehaves = misbehaves;
  }

  receive({ account: number, currency, minor, from, name, text }: IncomingTransfer): void {
    const entry = { minor, isCredit: true, endToEndId: undefined, name, account: from, text, returned: undefined };
    this.#book(number, currency, { ...entry, day: this.#today() });
  }

  #take(name: string): void {
    const { folder } = this.#options;
    const text = readFileSync(join(folder, 'out', name), 'utf8');
    renameSync(join(folder, 'out', name), join(folder, 'taken', name));
    const received = readReceived(text);
    if (received.kind === 'recall') this.#recall(received);
    else this.#carryOut(received, name);
  }

  #carryOut(received: ReceivedPayments, name: string): void {
    const { messageId } = received;
    const isKnown = this.#messages.has(messageId);
    this.#messages.add(messageId);
    if (isKnown || this.#manner.does('rejected')) {
      this.#answer(received, { status: 'RJCT', reason: isKnown ? 'DU01' : 'FF01', refused: [] });
      return;
    }
    const isRefused = (_: OrderedPayment, index: number) => this.#manner.does('partial') && index % 2 === 1;
    const refused = received.payments.filter(isRefused).map(({ endToEndId }) => endToEndId);
    this.#answer(received, { status: 'ACTC', refused });
    const paid = received.payments.filter(({ endToEndId }) => !refused.includes(endToEndId));
    const isOne = this.#manner.does('collective') || this.#manner.does('itemised-later');
    if (isOne) this.#payAsOne(messageId, paid);
    else for (const payment of paid) this.#pay(payment);
    this.#options.say(`${name}: ${paid.length} payments made, ${refused.length} rejected`);
    const [first] = paid;
    if (first && this.#manner.does('late-return')) this.#sendBack(first);
  }

  #payAsOne(messageId: string, payments: readonly OrderedPayment[]): void {
    const [first] = payments;
    if (!first) return;
    const { debtor, currency } = first;
    this.connect(debtor);
    const minor = payments.reduce((sum, payment) => sum + payment.minor, 0n);
    const entry = { minor, day: this.#today(), endToEndId: undefined, text: '', returned: undefined };
    const batch = { messageId, payments };
    this.#book(debtor, currency, { ...entry, isCredit: false, name: '', account: '', batch });
    for (const payment of payments) this.#credit(payment);
  }

  #pay({ debtor, creditor, creditorName, currency, minor, endToEndId, text }: OrderedPayment): void {
    this.connect(debtor);
    const day = this.#today();
    const entry = { minor, day, endToEndId, text, returned: undefined };
    this.#book(debtor, currency, { ...entry, isCredit: false, name: creditorName, account: creditor });
    this.#credit({ debtor, creditor, creditorName, currency, minor, endToEndId, text });
  }

  /** The beneficiary has an account here too. */
  #credit({ debtor, creditor, currency, minor, endToEndId, text }: OrderedPayment): void {
    this.#booked.add(endToEndId);
    const entry = { minor, day: this.#today(), endToEndId, text, returned: undefined };
    this.#book(creditor, currency, { ...entry, isCredit: true, name: 'Remesa', account: debtor });
  }

  #sendBack({ debtor, creditor, creditorName, currency, minor, endToEndId, text }: OrderedPayment): void {
    const day = new Date(Date.parse(this.#today()) + monthMs).toISOString().slice(0, 10);
    const entry = { minor, day, endToEndId, text, returned: 'AC04', isCredit: true };
    this.#book(debtor, currency, { ...entry, name: creditorName, account: creditor });
  }

  #recall({ caseId, endToEndId }: Extract<Received, { kind: 'recall' }>): void {
    const isGivenBack = !this.#booked.has(endToEndId);
    this.#send(`camt029-${caseId}`, Buffer.from(recallAnswer(caseId, isGivenBack)));
    this.#options.say(`The recall of ${endToEndId} is ${isGivenBack ? 'accepted' : 'refused'}`);
  }

  #transfer(name: string): void {
    const path = join(this.#options.folder, 'transfers', name);
    const { minor, ...transfer } = JSON.parse(readFileSync(path, 'utf8'));
    renameSync(path, join(this.#options.folder, 'taken', name));
    this.receive({ ...transfer, minor: BigInt(minor) });
    this.#options.say(`${transfer.name} pays ${transfer.currency} ${Number(minor) / 100} to ${transfer.account}`);
  }

  #book(number: string, currency: string, entry: Omit<Entry, 'reference'>): void {
    const account = this.accounts.get(number) ?? { currency, balance: 0n, sequence: 0, entries: [] };
    this.accounts.set(number, account);
    this.#references += 1;
    account.entries.push({ ...entry, reference: `${entry.day.replaceAll('-', '')}BOX${this.#references}` });
  }

  /** A statement of what was booked since the last one. */
  #tell(number: string, account: Account): void {
    const entries = account.entries.splice(0);
    const day = entries.at(-1)?.day ?? this.#today();
    account.sequence += 1;
    const opening = account.balance;
    for (const { isCredit, minor } of entries) account.balance += isCredit ? minor : -minor;
    const { sequence, currency, balance: closing } = account;
    const statement = { sequence, account: number, currency, day, opening, closing, entries };
    const times = this.#manner.does('duplicate') ? 2 : 1;
    for (let time = 1; time <= times; time += 1) {
      const id = `${day.replaceAll('-', '')}-${sequence}${time > 1 ? '-AGAIN' : ''}`;
      this.#send(`camt053-${number}-${id}`, writeStatement(this.#manner, { ...statement, id }));
    }
    const batches = entries.filter(({ batch }) => batch !== undefined);
    if (!this.#manner.does('itemised-later') || batches.length === 0) return;
    const id = `${day.replaceAll('-', '')}-${sequence}-ITEMS`;
    this.#send(`camt054-${number}-${id}`, writeNotification(this.#manner, { ...statement, id, entries: batches }));
  }

  #answer(
    received: ReceivedPayments,
    said: { status: 'ACTC' | 'RJCT'; reason?: string; refused: readonly string[] },
  ): void {
    if (said.status === 'RJCT') this.#options.say(`${received.messageId}: rejected, ${said.reason}`);
    this.#send(`pain002-${received.messageId}`, Buffer.from(statusReport(this.#manner, received, said)));
  }

  #send(name: string, bytes: Buffer): void {
    this.#files += 1;
    const held = {
      name: `${`${this.#files}`.padStart(5, '0')}-${name.replaceAll(/[^\w-]/g, '')}.xml`,
      bytes,
      looks: 0,
    };
    if (this.#manner.does('late')) this.#held.push(held);
    else this.#write(held);
  }

  #release(): void {
    for (const held of this.#held) held.looks += 1;
    const due = this.#held.filter(({ looks }) => looks >= looksUntilLate);
    this.#held = this.#held.filter(({ looks }) => looks < looksUntilLate);
    for (const held of due) this.#write(held);
  }

  /** Whole, or not at all. */
  #write({ name, bytes }: { readonly name: string; readonly bytes: Buffer }): void {
    const { folder } = this.#options;
    const temporary = join(folder, 'taken', `${name}.part`);
    writeFileSync(temporary, bytes);
    renameSync(temporary, join(folder, this.#isForCustomer(name) ? 'in' : 'statements', name));
  }

  /** Those who send files get theirs; all others have a statement to look at. */
  #isForCustomer(name: string): boolean {
    const [, number] = /camt05[34]-([A-Z0-9]+)-/.exec(name) ?? [];
    return number === undefined || this.#customers.has(number);
  }

  /** The owner of the account gets its statements through the folder. */
  connect(number: string): this {
    this.#customers.add(number);
    return this;
  }

  #filesIn(folder: string): string[] {
    const path = join(this.#options.folder, folder);
    return existsSync(path)
      ? readdirSync(path)
          .filter((name) => /\.(xml|json)$/.test(name))
          .sort()
      : [];
  }

  #today(): string {
    return this.#options.today?.() ?? new Date().toISOString().slice(0, 10);
  }
}
