/** The verbs on saved views: save, list, delete. */
import { type By, mayAct, type OperatorCaller, operatorOf } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { invalidFields, RemesaError } from '../../errors.js';
import { instanceTenant } from '../../ids.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import { mostViews, type NewView, type View, viewFaults } from './view.js';
import * as store from './view-store.js';

/** The own ones and those that others share, by name. */
export function listViews(database: Queryable, { operatorId }: OperatorCaller): Promise<View[]> {
  return store.listViews(database, operatorId);
}

/** Throws `invalid_fields` and `too_many_views`. */
export async function saveView(tx: Transaction, by: By, asked: NewView): Promise<View> {
  const faults = viewFaults(asked);
  if (faults.length > 0) throw invalidFields(faults);
  const { path, isShared } = asked;
  const view = await store.addView(tx, operatorOf(by), { ...asked, name: asked.name.trim() }, mostViews);
  if (!view) throw tooMany();
  await recordChange(tx, by, {
    merchantId: instanceTenant,
    action: 'view.saved',
    subject: `view:${view.viewId}`,
    details: { path: path.split('?')[0] ?? '', isShared },
  });
  return view;
}

/** Admins also delete those that others share. Throws `view_not_found`. */
export async function deleteView(tx: Transaction, by: By, caller: OperatorCaller, viewId: bigint): Promise<void> {
  if (!(await store.dropView(tx, caller.operatorId, viewId, mayAct(caller, 'admin'))))
    throw new RemesaError('not_found', 'view_not_found', 'There is no such view that you may delete.');
  await recordChange(tx, by, { merchantId: instanceTenant, action: 'view.deleted', subject: `view:${viewId}` });
}

function tooMany(): RemesaError {
  return new RemesaError('conflict', 'too_many_views', `You have ${mostViews} views.`, { members: { max: mostViews } });
}
