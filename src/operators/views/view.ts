/** A saved view: a list with its filters under a name, for one operator or for all. Pure. */
import type { FieldFault } from '../../errors.js';

export interface NewView {
  readonly name: string;
  /** The list and its filters, as the API has them: `/operator/orders?state=FROZEN`. */
  readonly path: string;
  readonly isShared: boolean;
}

export interface View extends NewView {
  readonly viewId: bigint;
  /** Whose it is. */
  readonly login: string;
}

export const mostViews = 50;

/** Filters that name people: what is looked for once is not kept under a name. */
const personal = ['search', 'payer', 'userId', 'bankReference', 'actor', 'subject'];

export function viewFaults({ path }: Pick<NewView, 'path'>): FieldFault[] {
  const names = [...new URL(path, 'http://remesa.invalid').searchParams.keys()];
  const unwanted = names.filter((name) => personal.includes(name));
  if (unwanted.length === 0) return [];
  const message = `must not look for people: leave out ${unwanted.join(', ')}`;
  return [{ field: 'path', code: 'not_allowed', message }];
}
