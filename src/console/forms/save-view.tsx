/** Below the filters of a list: saves it under a name, for oneself or for all. */

import type { Visitor } from '../visitor.js';
import { newFormKey } from './body.js';

export interface SaveViewProps {
  /** The list and its filters, as the API has them. */
  readonly path: string;
  readonly visitor: Visitor;
}

export function SaveView({ path, visitor }: SaveViewProps) {
  return (
    <details class="filters">
      <summary>Save this view</summary>
      <form method="post" action="/console/do/saveView">
        <input type="hidden" name="formToken" value={visitor.formToken} />
        <input type="hidden" name="formKey" value={newFormKey()} />
        <input type="hidden" name="path" value={path} />
        <p>
          <label for="view-name">Name</label>
          <input id="view-name" name="name" maxlength={60} required dir="auto" autocomplete="off" />
        </p>
        <label class="next-task">
          <input type="checkbox" name="isShared" value="true" /> for all operators
        </label>
        <button type="submit">Save</button>
      </form>
    </details>
  );
}
