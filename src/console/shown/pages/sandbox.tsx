/** The sandbox tools of a merchant: how late it is for it, what waits on the way, and which faults apply. */
import { rows } from '../../screens/schema.js';
import { SmallTable, Time, Value } from '../value.js';
import type { PageProps } from './page.js';

export const sandboxFields = [
  'merchant',
  'now',
  'aheadSeconds',
  'isMoving',
  'nextDueAt',
  'faults',
  'scenarios',
] as const;

export function SandboxPage({ value, actions }: PageProps) {
  const days = Number(value.aheadSeconds) / 86_400;
  return (
    <>
      <ul class="counts">
        <li>
          <strong>
            <Time at={String(value.now)} />
          </strong>
          <span class="hint">
            The clock of <Value name="merchant" value={value.merchant} row={{}} />
            {days > 0 ? ` is ${days.toFixed(days < 10 ? 1 : 0)} days ahead of the real time` : ' shows the real time'}
            {value.isMoving === true ? ', and is being moved.' : '.'}
          </span>
        </li>
        <li>
          <strong>{value.nextDueAt ? <Time at={String(value.nextDueAt)} /> : 'Nothing'}</strong>
          <span class="hint">falls due next</span>
        </li>
      </ul>
      {actions}
      {rows(value.faults).length > 0 ? (
        <section class="part">
          <h2>Injected faults</h2>
          <SmallTable items={rows(value.faults)} schema={{ title: 'Injected faults' }} />
        </section>
      ) : null}
      <section class="part">
        <h2>Scenarios</h2>
        <SmallTable items={rows(value.scenarios)} schema={{ title: 'Scenarios' }} />
      </section>
    </>
  );
}
