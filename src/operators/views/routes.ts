/** Routes for operators: lists with their filters, saved under a name. */
import Type, { type Static } from 'typebox';
import { mayAct, operatorOf } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { invalidFields, RemesaError } from '../../errors.js';
import { command, type Route, read } from '../../http/route.js';
import { instanceTenant } from '../../ids.js';
import { mostViews, type View, viewFaults } from './view.js';
import { addView, dropView, listViews } from './view-store.js';

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
      run: async ({ caller }, database) => (await listViews(database, caller.operatorId)).map(encodeView),
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
      async run({ by, body }, tx) {
        const faults = viewFaults(body);
        if (faults.length > 0) throw invalidFields(faults);
        const { name: called, path: saved, isShared: shared = false } = body;
        const view = await addView(
          tx,
          operatorOf(by),
          { name: called.trim(), path: saved, isShared: shared },
          mostViews,
        );
        if (!view) throw tooMany();
        const details = { path: saved.split('?')[0] ?? '', isShared: shared };
        await recordChange(tx, by, {
          merchantId: instanceTenant,
          action: 'view.saved',
          subject: `view:${view.viewId}`,
          details,
        });
        return encodeView(view);
      },
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
      async run({ by, caller, params }, tx) {
        const isDropped = await dropView(tx, caller.operatorId, BigInt(params.viewId), mayAct(caller, 'admin'));
        if (!isDropped)
          throw new RemesaError('not_found', 'view_not_found', 'There is no such view that you may delete.');
        await recordChange(tx, by, {
          merchantId: instanceTenant,
          action: 'view.deleted',
          subject: `view:${params.viewId}`,
        });
      },
    }),
  ];
}

function encodeView({ viewId, name: called, path: saved, isShared: shared, login }: View): Static<typeof ViewShape> {
  return { viewId: Number(viewId), name: called, path: saved, isShared: shared, by: login };
}

function tooMany(): RemesaError {
  return new RemesaError('conflict', 'too_many_views', `You have ${mostViews} views.`, { members: { max: mostViews } });
}
