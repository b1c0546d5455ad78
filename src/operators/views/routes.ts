/** Routes for operators: lists with their filters, saved under a name. */
import Type, { type Static } from 'typebox';
import { command, type Route, read } from '../../http/route.js';
import { deleteView, listViews, saveView } from './service.js';
import { mostViews, type View } from './view.js';

const own = { tag: 'Operators', access: { token: 'operator', role: 'viewer' } } as const;
const name = Type.String({ minLength: 1, maxLength: 60, pattern: '\\S', description: 'What it is called.' });
const path = Type.String({
  maxLength: 1000,
  pattern: '^/operator(/[a-z][a-z0-9-]*)+(\\?[A-Za-z0-9_.~:%+,=&-]*)?$',
  description: 'The list with its filters.',
});
const isShared = Type.Boolean({ description: 'Whether all operators see it.' });
const ViewShape = Type.Object(
  {
    viewId: Type.Integer({ description: 'The id of the view.' }),
    name,
    path,
    isShared,
    by: Type.String({ description: 'The login of whom it belongs to.' }),
  },
  {
    title: 'SavedView',
    examples: [{ viewId: 7, name: 'Frozen', path: '/operator/orders?state=FROZEN', isShared: true, by: 'ana' }],
  },
);
const NewViewShape = Type.Object(
  { name, path, isShared: Type.Optional(isShared) },
  {
    title: 'NewSavedView',
    additionalProperties: false,
    examples: [{ name: 'Frozen', path: '/operator/orders?state=FROZEN' }],
  },
);
const ViewPath = Type.Object({ viewId: Type.Integer({ minimum: 1, description: 'The id of the view.' }) });

export function viewRoutes(): Route[] {
  return [
    read({
      ...own,
      method: 'GET',
      path: '/operator/views',
      operationId: 'listViews',
      summary: 'List saved views',
      returns: 'Your own views, and those that others share.',
      answer: Type.Array(ViewShape),
      run: async ({ caller }, database) => (await listViews(database, caller)).map(encodeView),
    }),
    command({
      ...own,
      method: 'POST',
      path: '/operator/views',
      operationId: 'saveView',
      summary: 'Save a view',
      description: `A list with its filters under a name. You can have ${mostViews}. Filters that look for people are not saved.`,
      subject: 'instance',
      returns: 'The view.',
      body: NewViewShape,
      answer: ViewShape,
      refusals: ['too_many_views'],
      run: async ({ by, body: { isShared: shared = false, ...view } }, tx) =>
        encodeView(await saveView(tx, by, { ...view, isShared: shared })),
    }),
    command({
      ...own,
      method: 'DELETE',
      path: '/operator/views/{viewId}',
      operationId: 'deleteView',
      summary: 'Delete a saved view',
      description: 'Your own. Admins also delete those that others share.',
      subject: 'instance',
      returns: 'The view is deleted.',
      params: ViewPath,
      refusals: ['view_not_found'],
      run: ({ by, caller, params }, tx) => deleteView(tx, by, caller, BigInt(params.viewId)),
    }),
  ];
}

function encodeView({ viewId, name: called, path: saved, isShared: shared, login }: View): Static<typeof ViewShape> {
  return { viewId: Number(viewId), name: called, path: saved, isShared: shared, by: login };
}
