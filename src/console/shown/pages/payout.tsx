/** One payout: what to enter at the bank, line by line as banks ask for it, with a button that copies each. */
import { isObject, rows } from '../../screens/schema.js';
import { SmallTable } from '../value.js';
import { labelOf } from '../words.js';
import type { PageProps, Row } from './page.js';
import { Accounts } from './payouts.js';

/** What the page shows in its own way, or the heading has. */
export const payoutFields = [
  ...(['instruction', 'reports', 'state', 'direction'] as const),
  ...(['reference', 'amount', 'currency', 'country', 'method', 'account'] as const),
];

export function PayoutPage({ value, parts, actions }: PageProps) {
  const { instruction } = value;
  return (
    <>
      <div class="worktable">
        <section class="card">
          <h2>{value.direction === 'refund' ? 'Money back to the payer' : 'Money to the recipient'}</h2>
          {isObject(instruction) ? (
            <Lines instruction={instruction} />
          ) : (
            <p class="none">What was to be paid is not kept any more.</p>
          )}
        </section>
        <div class="judge">
          <p class="hint">
            Our accounts, as <em>Bank</em> has to name them:
            <Accounts parts={parts} currency={String(value.currency)} />
          </p>
          {actions}
        </div>
      </div>
      {rows(value.reports).length > 0 ? (
        <section class="part">
          <h2>What was reported</h2>
          <SmallTable items={rows(value.reports)} schema={{ title: 'Reports' }} />
        </section>
      ) : null}
    </>
  );
}

function Lines({ instruction }: { readonly instruction: Row }) {
  const { recipient, sender, amount, currency, reference, purpose } = instruction;
  return (
    <>
      {isObject(recipient) ? null : (
        <p class="notice waits">
          Nobody knows who is to get it: look for the payment that it pays back, and ask the bank of the payer.
        </p>
      )}
      <dl class="rows copied">
        {linesOf(recipient).map(([label, text]) => (
          <Line key={label} label={label} text={text} />
        ))}
        <Line label="Amount" text={String(amount)} />
        <Line label="Currency" text={String(currency)} />
        <Line label="Reference" text={String(reference)} />
        <Line label="Purpose" text={labelOf(String(purpose))} />
      </dl>
      {isObject(sender) ? (
        <details>
          <summary>Sender</summary>
          <dl class="rows copied">
            {linesOf(sender).map(([label, text]) => (
              <Line key={label} label={label} text={text} />
            ))}
          </dl>
        </details>
      ) : null}
    </>
  );
}

function Line({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <code data-copy="" data-button="" dir="auto">
          {text}
        </code>
      </dd>
    </div>
  );
}

/** What banks ask for first, and what they do not ask for. */
const first = ['name', 'firstName', 'lastName', 'companyName', 'account', 'bank'];
const never = new Set(['type', 'method', 'currency']);

function placeOf(name: string): number {
  const place = first.indexOf(name);
  return place < 0 ? first.length : place;
}

/** Each with a label of its own, also what is nested. */
function linesOf(value: unknown, above = ''): (readonly [string, string])[] {
  if (!isObject(value)) return [];
  const entries = Object.entries(value).sort(([one], [other]) => placeOf(one) - placeOf(other));
  return entries.flatMap(([name, part]) => {
    if (part === null || part === undefined || part === '' || never.has(name)) return [];
    const label = above === '' ? labelOf(name) : `${above}: ${labelOf(name).toLowerCase()}`;
    return isObject(part) ? linesOf(part, labelOf(name)) : [[label, String(part)] as const];
  });
}
