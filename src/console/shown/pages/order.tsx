/** An order: its timeline, each step with its journals. */
import { rows } from '../../screens/schema.js';
import { SmallTable, State, Time } from '../value.js';
import { stateWords } from '../words.js';
import type { PageProps } from './page.js';

export function OrderPage({ value }: PageProps) {
  return (
    <section class="part">
      <h2>Timeline</h2>
      <ol class="timeline">
        {rows(value.timeline).map((entry, index) => (
          <li key={index}>
            <Time at={String(entry.at)} /> <State state={String(entry.to)} />{' '}
            <span class="by">
              {entry.statusReason ? `${stateWords(String(entry.statusReason))} · ` : ''}
              {stateWords(String(entry.event))} · by {String(entry.by)}
              {entry.isPublic === false ? ' · the merchant does not see it' : ''}
            </span>
            {rows(entry.journals).length > 0 ? (
              <details>
                <summary>
                  {rows(entry.journals).length === 1 ? '1 journal' : `${rows(entry.journals).length} journals`}
                </summary>
                <SmallTable items={rows(entry.journals)} schema={{}} />
              </details>
            ) : null}
          </li>
        ))}
      </ol>
    </section>
  );
}
