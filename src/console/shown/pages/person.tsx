/** Everything about one user: who it is, what stops the money, levels, limits, orders, hits and notes. */
import type { ComponentChildren } from 'preact';
import { isObject, rows } from '../../screens/schema.js';
import { SmallTable, Time, Value } from '../value.js';
import { labelOf, stateWords } from '../words.js';
import type { PageProps, Row } from './page.js';

export const personFields = [
  'merchant',
  'userId',
  'externalClientId',
  'isDeleted',
  'profile',
  'limits',
  'cases',
  'hits',
  'orders',
  'samePerson',
  'blocks',
  'notes',
  'alerts',
  'complianceCases',
] as const;

export function PersonPage({ value, actions }: PageProps) {
  const limits = isObject(value.limits) ? value.limits : undefined;
  return (
    <>
      <Name value={value} level={limits?.kycLevel} />
      <Warnings value={value} />
      <div class="cards">
        <Card
          title="As the merchant registered the user"
          isEmpty={!isObject(value.profile)}
          empty="Nothing is kept any more."
        >
          <Profile profile={value.profile} />
        </Card>
        <Card title="Limits" isEmpty={!limits} empty="A deleted user sends nothing.">
          <Limits limits={rows(limits?.limits)} />
        </Card>
        <Card
          title="Levels and KYC cases"
          isEmpty={rows(value.cases).length === 0}
          empty="No form was opened for this user yet."
        >
          <SmallTable items={rows(value.cases)} schema={{ title: 'KYC cases' }} />
        </Card>
        <Card
          title="Screening hits"
          isEmpty={rows(value.hits).length === 0}
          empty="No entry of a list resembled this user."
        >
          <SmallTable items={rows(value.hits)} schema={{ title: 'Hits' }} />
        </Card>
        <Card title="Alerts" isEmpty={rows(value.alerts).length === 0} empty="No monitoring rule found anything.">
          <SmallTable items={rows(value.alerts)} schema={{ title: 'Alerts' }} />
        </Card>
        <Card
          title="The same person elsewhere"
          isEmpty={rows(value.samePerson).length === 0}
          empty="No other user is recognised as this person."
        >
          <ul>
            {rows(value.samePerson).map((user) => (
              <li key={String(user.userId)}>
                <Value name="userId" value={user.userId} row={user} /> of <bdi>{String(user.merchant)}</bdi>
              </li>
            ))}
          </ul>
        </Card>
      </div>
      <section class="part">
        <h2>Orders</h2>
        {rows(value.orders).length === 0 ? (
          <p class="empty">This user has placed no order yet.</p>
        ) : (
          <SmallTable items={rows(value.orders)} schema={{ title: 'Orders' }} />
        )}
        {rows(value.orders).length === 100 ? <p class="hint">The newest 100.</p> : null}
      </section>
      <section class="part">
        <h2>Notes</h2>
        <Notes notes={rows(value.notes)} />
        {actions}
      </section>
    </>
  );
}

function Name({ value, level }: { readonly value: Row; readonly level: unknown }) {
  const profile = isObject(value.profile) ? value.profile : {};
  const name = [profile.firstName, profile.lastName].filter(Boolean).join(' ');
  return (
    <p class="facts">
      {name === '' ? null : (
        <strong class="person">
          <bdi>{name}</bdi>
        </strong>
      )}{' '}
      {typeof level === 'string' ? stateWords(level) : 'no level'} ·{' '}
      <Value name="merchant" value={value.merchant} row={{}} /> · <code data-copy="">{String(value.userId)}</code> ·{' '}
      <code data-copy="">{String(value.externalClientId)}</code>
      {value.isDeleted === true ? ' · deleted; shown is what the law wants kept' : ''}
    </p>
  );
}

/** What an operator must not overlook. */
function Warnings({ value }: { readonly value: Row }) {
  const open = rows(value.hits).filter(({ state }) => state !== 'dismissed');
  const [blocks, cases] = [value.blocks, value.complianceCases].map((ids) => (Array.isArray(ids) ? ids : []));
  return (
    <>
      {blocks?.length ? (
        <p class="notice bad">
          <strong>Blocked.</strong> No money of this user moves: <Ids name="blockId" ids={blocks} />
        </p>
      ) : null}
      {open.length > 0 ? (
        <p class="notice bad">
          <strong>
            {open.some(({ state }) => state === 'confirmed') ? 'On a list.' : 'A hit waits for a decision.'}
          </strong>{' '}
          <Ids name="id" ids={open.map(({ id }) => id)} /> The customer must not learn of it.
        </p>
      ) : null}
      {cases?.length ? (
        <p class="notice waits">
          Named in a compliance case: <Ids name="caseId" ids={cases} />
        </p>
      ) : null}
    </>
  );
}

function Ids({ name, ids }: { readonly name: string; readonly ids: readonly unknown[] }) {
  return (
    <>
      {ids.map((id) => (
        <span key={String(id)}>
          <Value name={name} value={id} row={{}} />{' '}
        </span>
      ))}
    </>
  );
}

interface CardProps {
  readonly title: string;
  readonly isEmpty: boolean;
  readonly empty: string;
  readonly children: ComponentChildren;
}

function Card({ title, isEmpty, empty, children }: CardProps) {
  return (
    <section class="card">
      <h2>{title}</h2>
      {isEmpty ? <p class="none">{empty}</p> : children}
    </section>
  );
}

function Profile({ profile }: { readonly profile: unknown }) {
  if (!isObject(profile)) return null;
  const { firstName: _, lastName: __, ...rest } = profile;
  return (
    <dl class="rows">
      {Object.entries(rest).map(([name, text]) => (
        <div key={name}>
          <dt>{labelOf(name)}</dt>
          <dd>
            <Value name={name} value={text} row={{}} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

const limitNames: Readonly<Record<string, string>> = {
  amount_per_order: 'One order',
  amount_24h: 'In 24 hours',
  amount_30d: 'In 30 days',
  amount_365d: 'In a year',
  orders_24h: 'Orders in 24 hours',
  orders_30d: 'Orders in 30 days',
  unpaid_orders: 'Unpaid orders',
};

function Limits({ limits }: { readonly limits: readonly Row[] }) {
  return (
    <table class="plain">
      <tbody>
        {limits.map(({ name, unit, max, used }) => (
          <tr key={String(name)}>
            <th scope="row">{limitNames[String(name)] ?? labelOf(String(name))}</th>
            <td>
              <meter value={Number(used)} max={Number(max)} high={Number(max) * 0.9} aria-hidden="true" />
            </td>
            <td class="amount">
              {name === 'amount_per_order' ? '' : `${written(used, unit)} of `}
              {written(max, unit)} {unit === 'orders' ? '' : String(unit)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function written(number: unknown, unit: unknown): string {
  return unit === 'orders'
    ? String(number)
    : Number(number)
        .toFixed(2)
        .replaceAll(/\B(?=(\d{3})+\.)/g, '\u202f');
}

function Notes({ notes }: { readonly notes: readonly Row[] }) {
  if (notes.length === 0) return <p class="none">Nobody has noted anything about this user.</p>;
  return (
    <ol class="timeline">
      {notes.map((note, index) => (
        <li key={index}>
          <Time at={String(note.at)} /> <span class="by">{String(note.by)}</span>
          <blockquote dir="auto">{String(note.note)}</blockquote>
        </li>
      ))}
    </ol>
  );
}
