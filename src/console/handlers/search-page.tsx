/**
 * The one search box: an id opens its page; anything else is looked for among people, orders, payments and payers. What
 * was typed may be a name, so it stands in no address: the address has it sealed for this session.
 */
import { randomUUID } from 'node:crypto';
import { RemesaError } from '../../errors.js';
import type { PageAnswer, Posted } from '../../http/page.js';
import type { Queryable } from '../../postgres/statement.js';
import type { Desk, Seen } from '../desk.js';
import { redirect } from '../frame/layout.js';
import { isCommand, mayCall } from '../screens/finding.js';
import { addressOfValue } from '../shown/links.js';
import { List } from '../shown/list.js';
import { noFile } from '../sign-in/handlers.js';
import { checkFormToken, openSearch, requestOf, sealSearch, type Visitor } from '../visitor.js';
import { refusedPage } from './reading-page.js';

interface Found {
  readonly heading: string;
  readonly operationId: string;
  readonly rows: readonly Record<string, unknown>[];
}

interface Question {
  readonly heading: string;
  readonly operationId: string;
  readonly query: Readonly<Record<string, string>>;
  /** Of a search that is a command, because its words belong into no address. */
  readonly body?: Readonly<Record<string, string>>;
}

/** Takes what was typed, and leads to the page of an id or to what was found. */
export function sendSearch(desk: Desk, visit: Seen & Posted, database: Queryable): Promise<PageAnswer> {
  return desk.show(visit, database, async (visitor) => {
    try {
      desk.visitors.refuseOtherOrigins(visit);
      const { fields } = await visit.readForm(noFile);
      checkFormToken(visitor, fields);
      const asked = (fields.get('q') ?? '').trim().slice(0, 200);
      const address = addressOfValue('', asked);
      if (address !== undefined) return redirect(address);
      return redirect(`/console/search?${new URLSearchParams({ for: sealSearch(visitor, asked) })}`);
    } catch (error) {
      if (error instanceof RemesaError) return refusedPage(desk, visitor, error);
      throw error;
    }
  });
}

export function searchPage(desk: Desk, visit: Seen, database: Queryable): Promise<PageAnswer> {
  return desk.show(visit, database, async (visitor) => {
    try {
      return await foundPage(desk, visitor, openSearch(visitor, String(visit.search.for ?? '')) ?? '');
    } catch (error) {
      if (error instanceof RemesaError) return refusedPage(desk, visitor, error);
      throw error;
    }
  });
}

async function foundPage(desk: Desk, visitor: Visitor, asked: string): Promise<PageAnswer> {
  const found =
    asked === '' ? [] : await Promise.all(questionsFor(asked).map((question) => answered(desk, visitor, question)));
  const groups = found.filter(({ rows }) => rows.length > 0);
  return desk.framed(visitor, {
    title: asked === '' ? 'Search' : `Search: ${asked}`,
    searched: asked,
    children: (
      <>
        <h1>{asked === '' ? 'Search' : <bdi>{asked}</bdi>}</h1>
        {groups.length === 0 ? (
          <p class="empty">
            {asked === '' ? '' : 'Nothing was found. '}Enter a name in full, an e-mail address, an id, a reference of a
            bank or of an order, the user of an order, an amount as 70 or 69..71, or the account of a payer.
          </p>
        ) : (
          groups.map(({ heading, operationId, rows }) => {
            const route = desk.routes.find((candidate) => candidate.operationId === operationId);
            return route ? (
              <section key={heading} class="part">
                <h2>{heading}</h2>
                <List routes={desk.routes} route={route} rows={rows} params={{}} />
              </section>
            ) : null;
          })
        )}
      </>
    ),
  });
}

function questionsFor(asked: string): Question[] {
  const limit = '20';
  const person = personFrom(asked);
  const [, from, to = from] = /^(\d{1,15}(?:\.\d{1,4})?)(?:\.\.(\d{1,15}(?:\.\d{1,4})?))?$/.exec(asked) ?? [];
  return [
    ...(person ? [{ heading: 'People', operationId: 'searchPeople', query: {}, body: person }] : []),
    { heading: 'Orders', operationId: 'searchOrders', query: { search: asked, limit } },
    { heading: 'Payments with this reference', operationId: 'listPayments', query: { bankReference: asked, limit } },
    { heading: 'Payments of this payer', operationId: 'listPayments', query: { payer: asked, limit } },
    ...(from !== undefined && to !== undefined
      ? [
          {
            heading: 'Payments of this amount',
            operationId: 'listPayments',
            query: { amountFrom: from, amountTo: to, limit },
          },
        ]
      : []),
    { heading: 'Users with hits', operationId: 'listScreeningHits', query: { userId: asked, limit } },
  ];
}

/** What may be known of a person: an e-mail address, a phone number, an account, or a name of two words. */
export function personFrom(asked: string): Readonly<Record<string, string>> | undefined {
  if (/^\S+@\S+\.\S+$/.test(asked)) return { email: asked };
  if (/^\+[\d ()-]{6,25}$/.test(asked)) return { phone: asked };
  if (/^[A-Z]{2}\d{2}[A-Z\d ]{8,34}$/.test(asked)) return { account: asked };
  return /^[^\d@<>]+\s[^\d@<>]+$/.test(asked) ? { name: asked } : undefined;
}

/** What an operation refuses to look for is not found by it. */
async function answered(desk: Desk, visitor: Visitor, { heading, operationId, query, body }: Question): Promise<Found> {
  const route = desk.routes.find((candidate) => candidate.operationId === operationId);
  const nothing = { heading, operationId, rows: [] };
  if (!route || !mayCall(visitor.caller, route)) return nothing;
  try {
    const { calls } = desk.options;
    const key = { body: JSON.stringify(body), idempotencyKey: randomUUID() };
    const { value } = isCommand(route)
      ? await calls.run(route, requestOf(visitor, key))
      : await calls.read(route, requestOf(visitor, { query }));
    return { heading, operationId, rows: value as Record<string, unknown>[] };
  } catch (error) {
    if (error instanceof RemesaError && error.kind !== 'unavailable') return nothing;
    throw error;
  }
}
