/** Above a list of payouts: the sum of those on the page, and what the accounts hold that may pay them. */
import { rows } from '../../screens/schema.js';
import { amountText, sumsOf } from '../money.js';
import type { PageProps, Row } from './page.js';

export function PayoutsPage({ items, parts }: PageProps) {
  if (items.length === 0) return null;
  const balances = rows(parts.balances);
  return (
    <ul class="counts">
      {sumsOf(items).map((sum) => (
        <li key={sum.currency}>
          <strong>{amountText('amount', sum.amount, sum)}</strong>
          <span class="hint">
            {sum.count === 1 ? 'one payment' : `${sum.count} payments`} on this page
            <Accounts balances={balances} currency={sum.currency} />
          </span>
        </li>
      ))}
    </ul>
  );
}

interface AccountsProps {
  readonly balances: readonly Row[];
  readonly currency: string;
}

/** Of the currency, with what they hold. */
export function Accounts({ balances, currency }: AccountsProps) {
  const own = balances.filter((balance) => balance.currency === currency);
  if (own.length === 0) return <>; no account of ours holds {currency} yet</>;
  return (
    <>
      {own.map((balance) => (
        <span key={String(balance.account)} class="account">
          <code>{String(balance.account).split(':').at(-1)}</code> holds{' '}
          {amountText('ledgerBalance', balance.ledgerBalance, balance)}
        </span>
      ))}
    </>
  );
}
