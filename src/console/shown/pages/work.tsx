/** Work: how much waits of each kind, since when, and how much money it is about. Each number leads to its list. */
import { rows } from '../../screens/schema.js';
import { amountText } from '../money.js';
import { Time } from '../value.js';
import { stateWords } from '../words.js';
import type { PageProps } from './page.js';

export function WorkPage({ parts }: PageProps) {
  const counts = rows(parts.counts);
  if (counts.length === 0) return null;
  return (
    <ul class="counts">
      {counts.map((kind) => (
        <li key={String(kind.kind)} class={Number(kind.overdue) > 0 ? 'late' : undefined}>
          <a href={`/console?${new URLSearchParams({ kind: String(kind.kind) })}`}>
            <strong>{String(kind.count)}</strong> {stateWords(String(kind.kind))}
          </a>
          <span class="hint">
            {Number(kind.overdue) > 0 ? `${Number(kind.overdue)} overdue · ` : ''}
            oldest <Time at={String(kind.oldestSince)} />
            {rows(kind.amounts).map((each) => ` · ${amountText('amount', each.amount, each) ?? ''}`)}
          </span>
        </li>
      ))}
    </ul>
  );
}
