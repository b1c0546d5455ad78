/** An order: what happens next, the money, the people, and every step with its journals. */
import { isObject, rows } from '../../screens/schema.js';
import { amountText } from '../money.js';
import { SmallTable, State, Time, Value } from '../value.js';
import { labelOf, stateWords } from '../words.js';
import { nextStep } from './order-words.js';
import type { PageProps, Row } from './page.js';

/** Shown above the parts that every record has. */
export const orderFields = [
  'timeline',
  'merchant',
  'userId',
  'externalOrderId',
  'payInReference',
  'state',
  'waitsFor',
  'fiatIn',
  'fiatOut',
  'amountIn',
  'amountOut',
  'rate',
  'fee',
  'amountReceived',
  'amountRefunded',
  'createdAt',
  'updatedAt',
] as const;

export function OrderPage({ value }: PageProps) {
  const order = isObject(value.order) ? value.order : {};
  return (
    <>
      <Notices value={value} order={order} />
      <div class="cards">
        <Money value={value} order={order} />
        <People value={value} order={order} />
        <Terms value={value} order={order} />
      </div>
      <Timeline entries={rows(value.timeline)} />
    </>
  );
}

interface OrderProps {
  readonly value: Row;
  /** As the merchant sees it. */
  readonly order: Row;
}

function Notices({ value, order }: OrderProps) {
  const dues = [
    ['cancellationRequestedAt', 'The sender asked to cancel at'],
    ['actionRequiredBy', 'The sender has to answer by'],
    ['refundDueBy', 'The money has to be back by'],
  ] as const;
  return (
    <div class={/FROZEN/.test(String(value.state)) ? 'notice bad' : 'notice'}>
      <p>
        <strong>{nextStep(value)}</strong> Last moved <Time at={String(value.updatedAt)} />.
      </p>
      {dues.map(([name, words]) =>
        order[name] ? (
          <p key={name}>
            {words} <Time at={String(order[name])} />.
          </p>
        ) : null,
      )}
    </div>
  );
}

function Money({ value, order }: OrderProps) {
  const { rate, fee } = value;
  const lines: readonly (readonly [label: string, name: string, amount: unknown])[] = [
    ['Sender pays', 'amountIn', value.amountIn],
    ['of it our fee', 'fee', fee],
    ['Recipient gets', 'amountOut', value.amountOut],
    ['Received', 'amountReceived', value.amountReceived],
    ['Missing', 'amountIn', order.amountMissing],
    ['Refunded', 'amountRefunded', value.amountRefunded],
    ['Kept for charges of banks', 'amountIn', order.amountKept],
    ['Taken back by the payer’s bank', 'amountIn', order.amountReversed],
  ];
  const always = new Set(['amountIn', 'fee', 'amountOut', 'amountReceived']);
  return (
    <section class="card">
      <h2>Money</h2>
      <dl class="rows sums">
        {lines
          .filter(
            ([label, name, amount], index) => (always.has(name) && index < 4) || (label !== '' && Number(amount) > 0),
          )
          .map(([label, name, amount]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd class="amount">{amountText(name, amount, value) ?? String(amount)}</dd>
            </div>
          ))}
        <div>
          <dt>Rate, fee included</dt>
          <dd class="amount">{`1 ${String(value.fiatIn)} = ${String(rate)} ${String(value.fiatOut)}`}</dd>
        </div>
      </dl>
    </section>
  );
}

function People({ value, order }: OrderProps) {
  const address = `/console/orders/${encodeURIComponent(String(value.id))}`;
  const payouts = rows(value.attempts).filter(({ direction }) => direction === 'payout');
  const last = payouts.at(-1);
  return (
    <section class="card">
      <h2>People</h2>
      <dl class="rows">
        <div>
          <dt>Sender</dt>
          <dd>
            user <Value name="userId" value={value.userId} row={value} />
          </dd>
        </div>
        <div>
          <dt>Payer</dt>
          <dd>
            {rows(value.payments).length === 0 ? 'nobody yet' : <a href={`${address}/payments`}>Show who paid</a>}
          </dd>
        </div>
        <div>
          <dt>Recipient</dt>
          <dd>
            {String(order.payoutCountry)}, {stateWords(String(order.payoutMethod))}{' '}
            {order.payoutAccount ? <bdi>{String(order.payoutAccount)}</bdi> : null}{' '}
            {last ? <a href={`/console/payouts/${String(last.id)}`}>Show in full</a> : null}
          </dd>
        </div>
        <div>
          <dt>Merchant</dt>
          <dd>
            <Value name="merchant" value={value.merchant} row={{}} />
            {value.externalOrderId ? (
              <>
                , its own id <code data-copy="">{String(value.externalOrderId)}</code>
              </>
            ) : null}
          </dd>
        </div>
      </dl>
      <p class="hint">Names and accounts open on pages of their own. The audit log records who looked.</p>
    </section>
  );
}

function Terms({ value, order }: OrderProps) {
  const names = [
    'purpose',
    'sourceOfFunds',
    'relationship',
    'rateGuaranteedUntil',
    'paymentDueAt',
    'estimatedArrivalAt',
  ];
  return (
    <section class="card">
      <h2>Terms</h2>
      <dl class="rows">
        <div>
          <dt>Pay-in reference</dt>
          <dd>
            <code data-copy="">{String(value.payInReference)}</code>
          </dd>
        </div>
        {names
          .filter((name) => order[name] !== null && order[name] !== undefined)
          .map((name) => (
            <div key={name}>
              <dt>{labelOf(name)}</dt>
              <dd>
                <Value name={name} value={wordsFor(name, order[name])} row={{}} />
              </dd>
            </div>
          ))}
        <div>
          <dt>Placed</dt>
          <dd>
            <Time at={String(value.createdAt)} />
          </dd>
        </div>
      </dl>
    </section>
  );
}

function wordsFor(name: string, value: unknown): unknown {
  return /^(purpose|sourceOfFunds|relationship)$/.test(name) ? stateWords(String(value)) : value;
}

function Timeline({ entries }: { readonly entries: readonly Row[] }) {
  return (
    <section class="part">
      <h2>Timeline</h2>
      <ol class="timeline">
        {entries.map((entry, index) => (
          <li key={index}>
            <Time at={String(entry.at)} /> <State state={String(entry.to)} />{' '}
            <span class="by">
              {entry.statusReason ? `${stateWords(String(entry.statusReason))} · ` : ''}
              {stateWords(String(entry.event))} · by {String(entry.by)}
              {entry.isPublic === false ? ' · the merchant does not see it' : ''}
            </span>
            {rows(entry.journals).map((journal, place) => (
              <Journal key={place} journal={journal} />
            ))}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Each posting with its side, as in a book. */
function Journal({ journal }: { readonly journal: Row }) {
  const postings = rows(journal.postings).map(({ account, side, currency, amount }) => ({
    account,
    currency,
    ...(side === 'debit' ? { debit: amount, credit: null } : { debit: null, credit: amount }),
  }));
  return (
    <details>
      <summary>Journal: {stateWords(String(journal.event))}</summary>
      <SmallTable items={postings} schema={{ title: 'Postings' }} />
    </details>
  );
}
