/** A screening hit: our person beside the entry of the list, and why they resemble each other. */
import { isObject, rows } from '../../screens/schema.js';
import { SmallTable } from '../value.js';
import type { PageProps } from './page.js';

export function HitPage({ value: { explanation } }: PageProps) {
  if (!isObject(explanation)) return null;
  return (
    <section class="part">
      <h2>Why they resemble each other</h2>
      <dl class="fields pair">
        <div>
          <dt>Our person</dt>
          <dd>
            <bdi>{String(explanation.subjectName)}</bdi>
          </dd>
        </div>
        <div>
          <dt>The entry</dt>
          <dd>
            <bdi>{String(explanation.entryName)}</bdi>
            {explanation.matchedName === explanation.entryName ? null : (
              <>
                {' '}
                by the name <bdi>{String(explanation.matchedName)}</bdi>
              </>
            )}
          </dd>
        </div>
      </dl>
      <SmallTable items={rows(explanation.reasons)} schema={{}} />
    </section>
  );
}
