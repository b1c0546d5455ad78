/** The forms of the commands that are decided on the page of a record, with the record in sight. */
import type { Route } from '../../http/route.js';
import { newFormKey } from '../forms/body.js';
import { FormOf } from '../forms/command-form.js';
import { FormName, withoutMarks } from '../forms/fields.js';
import { type Action, actionId, screenOf } from '../screens/finding.js';
import { actOf } from '../shown/pages/approval.js';
import type { PageProps } from '../shown/pages/page.js';

interface ActionsProps extends Pick<PageProps, 'value' | 'routes' | 'visitor'> {
  readonly route: Route;
  readonly actions: readonly Action[];
}

export function Actions({ actions, route, value, routes, visitor }: ActionsProps) {
  if (actions.length === 0) return null;
  const version = new Map(value.version === undefined ? [] : [['version', String(value.version)]]);
  const hasNext = screenOf(route).task !== undefined;
  return (
    <div class="decisions" id="decide">
      {actions.map((action) => {
        const { command, params, variant, staysHere } = action;
        const hint = variant?.hint ?? command.description;
        return (
          <section key={actionId(action)} class="action" id={actionId(action)}>
            <h2>{variant?.act ?? command.summary}</h2>
            {hint ? <p class="hint">{withoutMarks(hint)}</p> : null}
            <FormName.Provider value={actionId(action)}>
              <FormOf
                route={command}
                params={params}
                variant={variant}
                record={value}
                values={version}
                faults={new Map()}
                formKey={newFormKey()}
                formToken={visitor.formToken}
                goesOn={hasNext ? !staysHere : undefined}
                act={command.operationId === 'approveRequest' ? `Approve: ${actOf(value, routes)}` : command.summary}
              />
            </FormName.Provider>
          </section>
        );
      })}
    </div>
  );
}
