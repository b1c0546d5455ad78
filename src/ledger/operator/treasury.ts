/** Treasury entries: what an operator asks to be booked, and the journal that follows. Pure. */
import { createHash } from 'node:crypto';
import type { Static } from 'typebox';
import { type FieldFault, invalidFields } from '../../errors.js';
import { type Amount, isZero } from '../../money/amount.js';
import { currencyCode } from '../../money/currency.js';
import { amountFromLiteral } from '../../money/literal.js';
import { currencyOf, readAccount } from '../account.js';
import { faultsOf, type JournalContent, type Posting } from '../journal.js';
import type { EntryShape } from './schemas.js';
import { bankFee, coverTrade, funding } from './treasury-postings.js';

/** As the operator sent it. It can be stored as JSON and booked later. */
export type TreasuryEntry = Static<typeof EntryShape>;

type Field = Exclude<keyof TreasuryEntry, 'merchant' | 'kind' | 'reason'>;

/** The fields of each kind; those with a question mark may be absent. */
const fieldsOf: Readonly<Record<TreasuryEntry['kind'], readonly (Field | `${Field}?`)[]>> = {
  funding: ['bank', 'currency', 'amount', 'direction', 'bankReference?'],
  bank_fee: ['bank', 'currency', 'amount', 'bankReference?'],
  cover_trade: ['bank', 'currency', 'amount', 'bought', 'closes?'],
  correction: ['postings?', 'reverses?'],
};
const allFields = [
  'bank',
  'currency',
  'amount',
  'direction',
  'bankReference',
  'bought',
  'closes',
  'postings',
  'reverses',
] as const;

export function entryDigest(entry: TreasuryEntry): string {
  const fields = Object.entries(entry).sort(([left], [right]) => (left < right ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex').slice(0, 32);
}

/**
 * The journal of an entry; undefined when the entry reverses another one. Throws `invalid_fields` with everything that
 * is wrong.
 */
export function journalOf(entry: TreasuryEntry): JournalContent | undefined {
  const reader = new EntryReader(entry);
  const content = reader.read();
  if (reader.faults.length === 0) return content;
  throw invalidFields(reader.faults);
}

class EntryReader {
  readonly faults: FieldFault[] = [];

  constructor(readonly entry: TreasuryEntry) {}

  read(): JournalContent | undefined {
    this.#checkFields();
    if (this.faults.length > 0) return undefined;
    const { kind, bank = '', direction = 'in' } = this.entry;
    if (kind === 'correction') return this.entry.postings && this.#correction(this.entry.postings);
    const moved = this.#amount('amount', this.entry.currency, this.entry.amount);
    if (kind === 'cover_trade') return this.#coverTrade(moved);
    if (!moved) return undefined;
    return kind === 'funding' ? funding(bank, moved, direction) : bankFee(bank, moved);
  }

  #checkFields(): void {
    const { entry } = this;
    const wanted = fieldsOf[entry.kind];
    for (const field of allFields) {
      const isGiven = entry[field] !== undefined;
      if (wanted.includes(field) && !isGiven) this.#fault(field, 'required', 'is required');
      const isKnown = wanted.includes(field) || wanted.includes(`${field}?`);
      if (!isKnown && isGiven) this.#fault(field, 'unknown', `does not belong to the kind ${entry.kind}`);
    }
    const isOneGiven = (entry.postings === undefined) !== (entry.reverses === undefined);
    if (entry.kind === 'correction' && !isOneGiven)
      this.#fault('postings', 'required', 'is required, unless reverses names the entry to undo; send one of the two');
  }

  #coverTrade(sold: Amount | undefined): JournalContent | undefined {
    const { bank: soldFrom = '', closes } = this.entry;
    const { bank: boughtTo, currency, amount: text } = this.entry.bought ?? { bank: '', currency: '', amount: '' };
    const bought = this.#amount('bought.amount', currency, text);
    const closed = closes === undefined ? bought : this.#amount('closes', currency, closes);
    if (!sold || !bought || !closed) return undefined;
    if (sold.currency === bought.currency)
      this.#fault('bought.currency', 'same_currency', 'must be another currency than the one that was sold');
    return coverTrade({ sold, soldFrom, bought, boughtTo, closed });
  }

  #correction(given: NonNullable<TreasuryEntry['postings']>): JournalContent {
    const postings = given.flatMap((posting, index) => this.#posting(posting, index) ?? []);
    if (this.faults.length === 0) for (const fault of faultsOf(postings)) this.#fault('postings', 'unbalanced', fault);
    return { event: 'correction', postings };
  }

  #posting(
    { account: text, debit, credit, reference }: NonNullable<TreasuryEntry['postings']>[number],
    index: number,
  ): Posting | undefined {
    const at = `postings[${index}]`;
    const account = readAccount(text);
    if (!account) {
      this.#fault(`${at}.account`, 'wrong_format', 'must be the name of an account, such as fee:EUR or bank:EUR:main');
      return undefined;
    }
    if ((debit === undefined) === (credit === undefined)) {
      this.#fault(at, 'required', 'needs either debit or credit');
      return undefined;
    }
    const side = debit === undefined ? 'credit' : 'debit';
    const moved = this.#amount(`${at}.${side}`, currencyOf(account), debit ?? credit);
    if (!moved) return undefined;
    const minor = side === 'debit' ? moved.minor : -moved.minor;
    return { account, minor, ...(reference === undefined ? {} : { reference }) };
  }

  #amount(field: string, currency: string | undefined, text = ''): Amount | undefined {
    const code = currencyCode(currency);
    if (!code) {
      const place = field.includes('.') ? field.replace(/[^.]+$/, 'currency') : 'currency';
      this.#fault(place, 'unknown_currency', 'must be the code of a currency, such as EUR');
      return undefined;
    }
    const read = amountFromLiteral(code, text);
    if ('fault' in read) this.#fault(field, read.fault, read.message);
    else if (isZero(read)) this.#fault(field, 'not_positive', 'must be more than zero');
    else return read;
    return undefined;
  }

  #fault(field: string, code: string, message: string): void {
    this.faults.push({ field, code, message });
  }
}
