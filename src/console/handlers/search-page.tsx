/** The one search box: an id opens its page; anything else is looked for among orders, payments and payers. */
import { RemesaError } from '../../errors.js';
import type { PageAnswer } from '../../http/page.js';
import type { Queryable } from '../../postgres/statement.js';
import type { Desk, Seen } from '../desk.js';
import { redirect } from '../frame/layout.js';
import { mayCall } from '../screens/finding.js';
import { addressOfValue } from '../shown/links.js';
import { List } from '../shown/list.js';
import { requestOf, type Visitor } from '../visitor.js';

interface Found {
  readonly heading: string;
  readonly operationId: string;
  readonly rows: readonly Record<string, unknown>[];
}

interface Question {
  readonly heading: string;
  readonly operationId: string;
  readonly query: Readonly<Record<string, string>>;
}

export function searchPage(desk: Desk, visit: Seen, database: Queryable): Promise<PageAnswer> {
  return desk.show(visit, database, async (visitor) => {
    const asked = String(visit.search.q ?? '')
      .trim()
      .slice(0, 200);
    const address = addressOfValue('', asked);
    if (address?.startsWith('/console/')) return redirect(address);
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
              {asked === '' ? '' : 'Nothing was found. '}Enter an id, a reference of a bank or of an order, the user of
              an order, an amount as 70 or 69..71, or the name or account of a payer.
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
  });
}

function questionsFor(asked: string): Question[] {
  const limit = '20';
  const [, from, to = from] = /^(\d{1,15}(?:\.\d{1,4})?)(?:\.\.(\d{1,15}(?:\.\d{1,4})?))?$/.exec(asked) ?? [];
  return [
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

/** What an operation refuses to look for is not found by it. */
async function answered(desk: Desk, visitor: Visitor, { heading, operationId, query }: Question): Promise<Found> {
  const route = desk.routes.find((candidate) => candidate.operationId === operationId);
  const nothing = { heading, operationId, rows: [] };
  if (!route || !mayCall(visitor.caller, route)) return nothing;
  try {
    const { value } = await desk.options.calls.read(route, requestOf(visitor, { query }));
    return { heading, operationId, rows: value as Record<string, unknown>[] };
  } catch (error) {
    if (error instanceof RemesaError && error.kind !== 'unavailable') return nothing;
    throw error;
  }
}
