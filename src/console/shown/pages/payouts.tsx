/** Above a list of payouts: the sum of those on the page, and what the accounts hold that may pay them. */
import { rows } from '../../screens/schema.js';
import { amountText, sumsOf } from '../money.js';
import type { PageProps, Row } from './page.js';

export function PayoutsPage({ items, parts }: PageProps) {
  if (items.length === 0) return null;
  return (
    <ul class="counts">
      {sumsOf(items).map((sum) => (
        <li key={sum.currency}>
          <strong>{amountText('amount', sum.amount, sum)}</strong>
          <span class="hint">
            {sum.count === 1 ? 'one payment' : `${sum.count} payments`} on this page
            <Accounts parts={parts} currency={sum.currency} />
          </span>
        </li>
      ))}
    </ul>
  );
}

interface AccountsProps {
  readonly parts: Row;
  readonly currency: string;
}

/** Our accounts of the currency, with what they hold. */
export function Accounts({ parts, currency }: AccountsProps) {
  const own = rows(parts.accounts).filter((account) => account.currency === currency);
  if (own.length === 0) return <span class="account">No bank account of ours in {currency} is known.</span>;
  return (
    <>
      {own.map(({ accountId, bankName }) => {
        const name = `bank:${currency}:${String(accountId)}`;
        const balance = rows(parts.balances).find(({ account }) => account === name);
        return (
          <span key={name} class="account">
            <code>{String(accountId)}</code> <bdi>{String(bankName)}</bdi>
            {balance ? `: ${amountText('ledgerBalance', balance.ledgerBalance, balance)}` : ''}
          </span>
        );
      })}
    </>
  );
}
