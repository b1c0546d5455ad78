/** The rate board: what is held comes first, with old, new and how far they differ; then the sources. */
import { formAddress } from '../../screens/finding.js';
import { rows } from '../../screens/schema.js';
import { SmallTable, Time, Value } from '../value.js';
import type { PageProps, Row } from './page.js';
import { Matrix } from './rate-matrix.js';

export function RatesPage({ value, parts }: PageProps) {
  const [held, heldCorridors, sources] = [rows(value.held), rows(value.heldCorridors), rows(value.sources)];
  return (
    <>
      <section class="part">
        <h2>Held rates</h2>
        {held.length + heldCorridors.length === 0 ? (
          <p class="empty">No rate is held. A rate that jumps, or about which two sources differ, waits here.</p>
        ) : null}
        {held.map((each) => (
          <Held key={`${each.source}-${each.currency}`} held={each} />
        ))}
        {heldCorridors.map((each) => (
          <HeldCorridor key={`${each.fiatIn}-${each.fiatOut}`} held={each} />
        ))}
      </section>
      <Matrix corridors={rows(parts.corridors)} />
      {sources.map((source) => (
        <Source key={String(source.name)} source={source} />
      ))}
    </>
  );
}

function Held({ held }: { readonly held: Row }) {
  const { source, currency, base, rate, previousRate } = held;
  return (
    <div class="important">
      <p>
        <strong>{`${String(base)}/${String(currency)}`}</strong> of {String(source)}:{' '}
        <del>{String(previousRate ?? 'none')}</del> → <ins>{String(rate)}</ins>, published{' '}
        <Time at={String(held.publishedAt)} />
      </p>
      {rows(held.corridors).length > 0 ? <SmallTable items={[...rows(held.corridors)]} schema={{}} /> : null}
      <p class="commands">
        <a class="button" href={formAddress({ operationId: 'acceptRate' }, { source, currency, rate, base })}>
          Accept {String(rate)}
        </a>
        <a class="button" href={formAddress({ operationId: 'refuseRate' }, { source, currency })}>
          Reject it
        </a>
      </p>
    </div>
  );
}

function HeldCorridor({ held }: { readonly held: Row }) {
  const { fiatIn, fiatOut, newRate } = held;
  return (
    <div class="important">
      <p>
        <strong>{`${String(fiatIn)} → ${String(fiatOut)}`}</strong>, because of {String(held.because)}:{' '}
        <del>{String(held.acceptedRate ?? 'none')}</del> → <ins>{String(newRate)}</ins>{' '}
        {held.changePercent === undefined ? null : `(${String(held.changePercent)} %)`}
      </p>
      <p class="commands">
        <a class="button" href={formAddress({ operationId: 'acceptCorridorRate' }, { fiatIn, fiatOut, rate: newRate })}>
          Accept {String(newRate)}
        </a>
      </p>
    </div>
  );
}

function Source({ source }: { readonly source: Row }) {
  const published = rows(source.rates);
  return (
    <section class="part">
      <h2>{String(source.name)}</h2>
      <dl class="fields">
        {(['checkedAt', 'changedAt', 'failingSince', 'fault'] as const).map((name) =>
          source[name] === undefined ? null : (
            <div key={name}>
              <dt>{labels[name]}</dt>
              <dd>
                <Value name={name} value={source[name]} row={source} />
              </dd>
            </div>
          ),
        )}
      </dl>
      <p class="commands">
        <a class="button" href={formAddress({ operationId: 'collectRates' }, { source: source.name })}>
          Ask it now
        </a>
      </p>
      <details>
        <summary>{published.length} rates</summary>
        <SmallTable items={[...published]} schema={{ title: `Rates of ${String(source.name)}` }} />
      </details>
    </section>
  );
}

const labels = {
  checkedAt: 'Last asked',
  changedAt: 'Last changed',
  failingSince: 'Failing since',
  fault: 'Fault',
} as const;
