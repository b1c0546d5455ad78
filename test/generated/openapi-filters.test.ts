/** Whatever a list shows, one can ask for. */
import { expect, it } from 'vitest';
import document from '../../docs/openapi.json' with { type: 'json' };

// biome-ignore lint/suspicious/noExplicitAny: a document is a tree of anything; the test looks at its leaves.
type Tree = any;

function resolved(node: Tree): Tree {
  if (typeof node?.$ref !== 'string') return node;
  const path: string[] = node.$ref.slice('#/'.length).split('/');
  return resolved(path.reduce((tree: Tree, name) => tree[name], document));
}

/** The values of every property of this name, however deep in an item it stands. */
function shownValues(schema: Tree, name: string): string[] {
  const { items, oneOf = [], allOf = [], properties = {} } = resolved(schema) ?? {};
  return [
    ...[...oneOf, ...allOf].flatMap((part: Tree) => shownValues(part, name)),
    ...(items ? shownValues(items, name) : []),
    ...Object.entries(properties).flatMap(([property, inner]) => [
      ...(property === name ? (resolved(inner).enum ?? []) : []),
      ...shownValues(inner, name),
    ]),
  ];
}

interface Filter {
  readonly filter: string;
  readonly accepted: readonly string[];
  readonly shown: readonly string[];
}

const filters: Filter[] = Object.entries(document.paths as Tree).flatMap(([path, { get }]: [string, Tree]) =>
  (get?.parameters ?? [])
    .map(resolved)
    .filter((parameter: Tree) => parameter.in === 'query' && resolved(parameter.schema)?.enum)
    .map((parameter: Tree) => ({
      filter: `${path}?${parameter.name}`,
      accepted: resolved(parameter.schema).enum as string[],
      shown: shownValues(get.responses['200'].content?.['application/json']?.schema, parameter.name),
    })),
);

it.each(filters)('$filter accepts every value that the list shows', ({ accepted, shown }) => {
  expect(shown.filter((value) => !accepted.includes(value))).toEqual([]);
});

it('the filters of notifications and KYC cases are among those that were checked', () => {
  const checked = filters.filter(({ shown }) => shown.length > 0).map(({ filter }) => filter);
  expect(checked).toEqual(
    expect.arrayContaining([
      '/operator/webhooks/{clientId}/{channel}/events?state',
      '/operator/webhooks?status',
      '/operator/kyc?status',
      '/events?channel',
    ]),
  );
});
