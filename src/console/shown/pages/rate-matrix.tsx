/** The open corridors as a matrix: from which currency, to which, at which price. A price leads to its form. */
import { formAddress } from '../../screens/finding.js';
import { Scroll } from '../scroll.js';
import type { Row } from './page.js';

export function Matrix({ corridors }: { readonly corridors: readonly Row[] }) {
  if (corridors.length === 0)
    return <p class="empty">No corridor is open, so nobody gets a quote. Open one under Corridors.</p>;
  const [from, to] = (['fiatIn', 'fiatOut'] as const).map((side) =>
    [...new Set(corridors.map((corridor) => String(corridor[side])))].sort(),
  );
  return (
    <section class="part">
      <h2>Open corridors</h2>
      <Scroll label="Open corridors">
        <table class="matrix">
          <thead>
            <tr>
              <th scope="col">From ↓ to →</th>
              {to?.map((currency) => (
                <th key={currency} scope="col">
                  {currency}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {from?.map((fiatIn) => (
              <tr key={fiatIn}>
                <th scope="row">{fiatIn}</th>
                {to?.map((fiatOut) => (
                  <td key={fiatOut}>
                    <Price corridor={corridors.find((each) => each.fiatIn === fiatIn && each.fiatOut === fiatOut)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <p class="hint">
        The margin, and below it the fee in the currency of the row. A click changes the corridor. In a hurry:{' '}
        <a href={formAddress({ operationId: 'pausePayouts' })}>pause it</a>.
      </p>
    </section>
  );
}

function Price({ corridor }: { readonly corridor: Row | undefined }) {
  if (!corridor) return <span class="none">–</span>;
  const { fiatIn, fiatOut, marginBasisPoints, feeFixed, feeBasisPoints } = corridor;
  const fees = [
    ...(Number(feeFixed) > 0 ? [String(feeFixed)] : []),
    ...(Number(feeBasisPoints) > 0 ? [percent(feeBasisPoints)] : []),
  ];
  return (
    <>
      <a href={formAddress({ operationId: 'saveCorridor' }, { fiatIn, fiatOut })}>{percent(marginBasisPoints)}</a>
      <span class="hint">{fees.join(' + ')}</span>
    </>
  );
}

function percent(basisPoints: unknown): string {
  return `${(Number(basisPoints) / 100).toFixed(2)} %`;
}
