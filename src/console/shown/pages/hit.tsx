/** A screening hit: our person beside the entry of the list, and why they resemble each other. */
import { isObject, rows } from '../../screens/schema.js';
import type { PageProps } from './page.js';

export function HitPage({ value: { explanation, score } }: PageProps) {
  if (!isObject(explanation)) return null;
  return (
    <section class="part important">
      <h2>Why they resemble each other: {String(score)} of 100</h2>
      <Explanation explanation={explanation} />
      <p class="hint">The customer must not learn of the hit. Merchants see an ordinary review.</p>
    </section>
  );
}

/** Both names, and what the score is made of. */
export function Explanation({ explanation }: { readonly explanation: unknown }) {
  if (!isObject(explanation)) return <p>What was compared is not kept any more.</p>;
  const { subjectName, entryName, matchedName } = explanation;
  return (
    <>
      <dl class="pair">
        <div>
          <dt>Our person</dt>
          <dd>
            <bdi>{String(subjectName)}</bdi>
          </dd>
        </div>
        <div>
          <dt>Entry of the list</dt>
          <dd>
            <bdi>{String(entryName)}</bdi>
            {matchedName === entryName ? null : (
              <>
                {' '}
                by the name <bdi>{String(matchedName)}</bdi>
              </>
            )}
          </dd>
        </div>
      </dl>
      <ul class="score">
        {rows(explanation.reasons).map((reason, index) => (
          <li key={index}>
            <data class="amount">{signed(Number(reason.effect))}</data> {String(reason.text)}
          </li>
        ))}
      </ul>
    </>
  );
}

function signed(effect: number): string {
  return effect > 0 ? `+${effect}` : String(effect).replace('-', '−');
}
