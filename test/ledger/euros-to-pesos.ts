/**
 * The example of docs/postings.md as a running service: euros to pesos at a mid rate of 20.12, a fee of 2.00 EUR and a
 * margin of 1 %. Everything is done and read over HTTP.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll } from 'vitest';
import { done } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { newFolder } from '../harness/new-folder.js';
import { type Remesa, useRemesa } from '../harness/remesa.js';
import { type Merchant, newUser } from '../harness/users.js';
import { lupita } from '../orders/orders.js';
import { quote, saveCorridor } from '../rates/quoting.js';
import { newBankAccount, openBankAccounts } from './bank-accounts.js';
import type { BookedRow } from './posting-rows.js';

// biome-ignore lint/suspicious/noExplicitAny: answers as JSON, which the tests examine.
type Json = any;

export interface Paid {
  readonly orderId: string;
  readonly paymentId: string;
}

/** `main` is an account of acme, `shared` one of all merchants. Payouts and refunds are made by hand. */
export function useEurosToPesos(): EurosToPesos {
  const folder = newFolder();
  const file = join(folder, 'rates.json');
  const today = new Date().toISOString().slice(0, 10);
  writeFileSync(file, `{"base": "EUR", "publishedAt": "${today}", "rates": {"MXN": 20.12, "USD": 1.16}}`);
  const running = useRemesa({
    settings: { RATE_SOURCES: `file=${file}`, PAYOUT_RAILS: 'manual' },
  });
  beforeAll(async () => {
    await eventually(async () => (await quote(running, { fiatIn: 'EUR' })).status === 200, {
      ...{ withinMs: 60_000, what: 'a first quote' },
    });
    const terms = { marginBasisPoints: 100, feeFixed: 2, feeBasisPoints: 0 };
    done(await saveCorridor(running, 'EUR/MXN', terms));
    await openBankAccounts(running, 'bank:MXN:mexico');
    const details = { iban: 'ES9121000418450200051332' };
    for (const owner of [{ accountId: 'main', merchant: 'acme' }, { accountId: 'shared' }]) {
      const bank = { holder: 'Remesa', bankName: 'Banco', country: 'ES', currency: 'EUR', isEnabled: true };
      const body = { ...bank, details, ...owner };
      done(await newBankAccount(running, { currency: 'EUR', ...owner }));
      done(await running.api.post('/operator/payin-accounts', { token: running.admin, body }));
    }
  });
  return new EurosToPesos(running);
}

export class EurosToPesos {
  #lines = 0;

  constructor(readonly running: Remesa) {}

  async operate(path: string, body: object): Promise<Json> {
    this.#lines += 1;
    const { api, admin: token } = this.running;
    return done(await api.post(`/operator/${path}`, { token, body, key: `operate-${this.#lines}` }));
  }

  async read(path: string): Promise<Json> {
    const { api, admin: token } = this.running;
    return done(await api.get(`/operator/${path}`, { token }));
  }

  /** An order of 100 euros. */
  async order(merchant: Merchant = this.running.acme): Promise<Json> {
    const { api } = this.running;
    const { token } = merchant;
    const user = await newUser(this.running, merchant);
    const level = { token, body: { kycLevel: 'LEVEL_1' } };
    done(await api.post(`/sandbox/kyc?userId=${user.id}`, level));
    const { code } = done(await quote({ api, acme: merchant }, { fiatIn: 'EUR' }));
    const body = { rateCode: code, beneficiary: lupita, purpose: 'family_support' };
    return done(await api.post(`/orders?userId=${user.id}`, { token, body }));
  }

  /** Money on an account. */
  movement(remittanceText: string, { amount = 100, accountId = 'main' } = {}): Promise<Json> {
    return this.operate('payments', {
      ...{ accountId, amount, currency: 'EUR', remittanceText, ...this.line() },
      payer: { name: 'Ana Reyes Núñez', account: 'ES7921000813610123456789' },
    });
  }

  async paid({ amount = 100, accountId = 'main', merchant = this.running.acme } = {}): Promise<Paid> {
    const { id: orderId, payIn } = await this.order(merchant);
    const { id: paymentId } = await this.movement(payIn.reference, { amount, accountId });
    return { orderId, paymentId };
  }

  async submitted(): Promise<Paid> {
    const paid = await this.paid();
    await this.reaches(paid, 'PAYOUT_SUBMITTED');
    return paid;
  }

  async failed(): Promise<Paid> {
    const paid = await this.submitted();
    await this.happens(paid, 'failed', { reason: 'AC04' });
    return paid;
  }

  reaches({ orderId }: Pick<Paid, 'orderId'>, state: string): Promise<Json> {
    return eventually(
      async () => {
        const file = await this.read(`orders/${orderId}`);
        return file.state === state ? file : undefined;
      },
      { withinMs: 60_000, what: `${orderId} ${state}` },
    );
  }

  /** What the bank did with the newest payout or refund of the order: the one in Mexico, if nothing else is said. */
  async happens(paid: Pick<Paid, 'orderId'>, what: string, more: object = {}): Promise<void> {
    const { id, version } = await this.attempt(paid);
    const bank = what === 'paid' || what === 'returned' ? { bank: 'mexico' } : {};
    await this.operate(`payouts/${id}/${what}`, { version, ...this.line(), ...bank, ...more });
  }

  /** The simulated bank says it, and names no account. */
  async simulate({ orderId }: Pick<Paid, 'orderId'>, type: string): Promise<void> {
    const { api, acme } = this.running;
    done(await api.post(`/sandbox/orders/${orderId}/events`, { token: acme.token, body: { type } }));
  }

  async attempt({ orderId }: Pick<Paid, 'orderId'>): Promise<Json> {
    const { attempts } = await this.read(`orders/${orderId}`);
    return this.read(`payouts/${attempts.at(-1).id}`);
  }

  async decide({ orderId }: Pick<Paid, 'orderId'>, verb: string, more: object = {}): Promise<Json> {
    const { version } = await this.read(`orders/${orderId}`);
    return this.operate(`orders/${orderId}/${verb}`, { version, note: 'A test.', ...more });
  }

  async clawBack({ orderId, paymentId }: Paid): Promise<void> {
    const { version } = await this.read(`orders/${orderId}`);
    const body = { version, note: 'Disputed.', ...this.line() };
    await this.operate(`payments/${paymentId}/corrections/clawback`, body);
  }

  /** The newest suspense record with money of the payment. */
  async suspenseOf(paymentId: string, merchant?: string): Promise<Json> {
    const ofMerchant = merchant === undefined ? '' : `&merchant=${merchant}`;
    const records: Json[] = await this.read(`suspense?limit=200${ofMerchant}`);
    return records.findLast((record) => record.paymentId === paymentId);
  }

  decideSuspense(record: Json, verb: string, more: object = {}): Promise<Json> {
    const body = { version: record.version, note: 'A test.', ...more };
    return this.operate(`suspense/${record.id}/${verb}`, body);
  }

  /** The journals with postings on this reference, the oldest first. Without a merchant: those of the instance. */
  async journals(reference: string, merchant: string | null = 'acme'): Promise<BookedRow[]> {
    const of = merchant === null ? '' : `&merchant=${merchant}`;
    const found: Json[] = await this.read(`ledger/journals?limit=200&reference=${reference}${of}`);
    return found.map(shownJournal).reverse();
  }

  /** A new line of a bank statement. */
  line(): { bankReference: string; bookedAt: string } {
    this.#lines += 1;
    return { bankReference: `line-${this.#lines}`, bookedAt: new Date().toISOString() };
  }
}

export function shownJournal({ event, postings }: Json): BookedRow {
  return {
    event,
    postings: postings.map(({ account, amount, reference }: Json) =>
      reference ? `${account} ${amount} ${reference.split('_')[0]}` : `${account} ${amount}`,
    ),
  };
}
