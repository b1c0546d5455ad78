/**
 * Random histories of bank accounts against what really moved: whatever the files of a bank repeat, damage or leave
 * out, each movement is one line, booked once, and no payout is paid twice.
 */
import fc from 'fast-check';
import { beforeAll, it } from 'vitest';
import { BankAccountService } from '../../src/bank/accounts/service.js';
import { LineSealer } from '../../src/bank/lines/content.js';
import { explainReported, takeBankLine } from '../../src/bank/lines/service.js';
import { matchJobOf } from '../../src/bank/matching/jobs.js';
import type { LineTaker, ReportedMovement } from '../../src/bank/matching/taker.js';
import { fileJobOf } from '../../src/bank/statements/file-job.js';
import { statement } from '../../src/postgres/statement.js';
import { rounds } from '../harness/rounds.js';
import { silentLog } from '../harness/silent-log.js';
import { useTestDatabase } from '../harness/test-database.js';
import { type History, historiesOf } from './histories.js';
import { type Booked, type Books, by, Play, referenceIn, type Typed } from './playing.js';

const { database, sql } = useTestDatabase();
const accounts = new BankAccountService({ hasSimulated: false });
const sealer = new LineSealer(Buffer.alloc(32, 7));
const currency = 'MXN' as const;
const idle = new AbortController().signal;

/** The rooms that move money, as far as a bank sees them: each payout is paid and comes back once. */
const book = statement(
  'test.book',
  'INSERT INTO booked (bank, record, kind, about, minor) VALUES ($bank, $record, $kind, $about, $minor)',
);
const listBooked = statement(
  'test.booked',
  'SELECT record, kind, about, minor FROM booked WHERE bank = $bank ORDER BY record',
).rows<Booked>();

beforeAll(async () => {
  await sql.query(`CREATE TABLE booked (bank text, record text, kind text, about text, minor bigint,
    UNIQUE (bank, record))`);
  await sql.query('CREATE INDEX ON booked (bank, about)');
});

const bookedOn = (bank: string) => database.query(listBooked, { bank });
let payouts: ReadonlyMap<string, number> = new Map();

const taker: LineTaker = {
  async take(_, movement) {
    const fit = payouts.has(movement.endToEndId ?? '') ? await payoutOf(movement) : paymentOf(movement);
    if (!fit || 'reason' in fit) return fit;
    const { account, sign, amount } = movement;
    const bank = account.accountId;
    const record = `${fit.kind}:${movement.lineId}.${movement.number}`;
    await database.transaction(async (tx) => {
      await explainReported(tx, movement, record);
      const minor = sign === 'credit' ? amount.minor : -amount.minor;
      await tx.query(book, { bank, record, kind: fit.kind, about: fit.about, minor });
    });
    return { explainedBy: record };
  },
};

type Fit = { readonly kind: Booked['kind']; readonly about: string } | { readonly reason: string };

async function payoutOf({ account, sign, amount, endToEndId = '' }: ReportedMovement): Promise<Fit> {
  const booked = await bookedOn(account.accountId);
  const before = booked.filter(({ about }) => about === endToEndId).map(({ kind }) => kind);
  if (BigInt(payouts.get(endToEndId) ?? 0) !== amount.minor) return { reason: 'payout_amount' };
  const kind = sign === 'debit' ? 'paid' : 'returned';
  if (before.includes(kind)) return { reason: `payout_${kind}_before` };
  if (kind === 'returned' && !before.includes('paid')) return { reason: 'return_before_debit' };
  return { kind, about: endToEndId };
}

function paymentOf(movement: ReportedMovement): Fit | undefined {
  const about = movement.sign === 'credit' && !movement.isReturn ? referenceIn(movement) : undefined;
  return about === undefined ? undefined : { kind: 'payment', about };
}

const reading = fileJobOf({ database, accounts, sealer, log: silentLog });
const matching = matchJobOf({
  database,
  accounts,
  sealer,
  takers: () => [taker],
  payments: () => undefined,
  log: silentLog,
});

async function settle(): Promise<void> {
  while ((await reading.run(idle)) > 0);
  while ((await matching.run(idle)) > 0);
}

let histories = 0;

/** Returns the number of the account. */
async function openAccount(): Promise<string> {
  histories += 1;
  const number = `H${histories}`;
  const terms = { holder: 'Remesa', address: undefined, bankName: 'Bank', country: 'MX', number, bic: undefined };
  const more = {
    uses: ['payin', 'payout'],
    profile: 'plain',
    timeZone: undefined,
    csv: undefined,
    releaseUpTo: undefined,
  } as const;
  const added = { ...terms, ...more, accountId: number.toLowerCase(), currency, merchant: undefined };
  await database.transaction((tx) => accounts.create(tx, by, added));
  return number;
}

/** As whoever records by hand does: another record of the line is refused. */
async function recordByHand({ bank, sign, minor, bookedOn: day, reference, kind, about }: Typed): Promise<string> {
  const record = `${kind}:hand ${bank} ${reference} ${about}`;
  const line = { bank, currency, sign, amountMinor: BigInt(minor), bookedOn: day, reference };
  const named = kind === 'payment' ? {} : { endToEndId: about };
  await database.transaction(async (tx) => {
    await takeBankLine(tx, { ...line, ...named, source: 'hand' }, record);
    await tx.query(book, { bank, record, kind, about, minor: BigInt(sign === 'credit' ? minor : -minor) });
  });
  return record;
}

const books: Books = { database, sql, accounts, sealer, currency, settle, bookedOn, record: recordByHand };

async function open(played: History) {
  const number = await openAccount();
  const idOf = (payout: string) => `${number}${payout}`;
  payouts = new Map([...played.payouts].map(([payout, minor]) => [idOf(payout), minor]));
  return { number, idOf };
}

it('books each movement of a bank once, whatever its files repeat, damage or leave out', {
  timeout: 14_400_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(historiesOf(), async (played) => {
      await new Play(books, await open(played), played).run();
    }),
    // The same histories in each `npm test`; others in each run of the fault tests.
    { numRuns: rounds(30, 20_000), ...rounds({ seed: 20_261_116 }, {}) },
  );
});
