/** The forms of the commands that are decided on the page of a record, with the record in sight. */
import type { CommandRoute } from '../../http/route.js';
import { newFormKey } from '../forms/body.js';
import { FormOf } from '../forms/command-form.js';
import { FormName, withoutMarks } from '../forms/fields.js';
import { actOf } from './pages/approval.js';
import type { PageProps } from './pages/page.js';

export interface Action {
  readonly command: CommandRoute;
  readonly params: Readonly<Record<string, string>>;
}

interface ActionsProps extends Pick<PageProps, 'value' | 'routes' | 'visitor'> {
  readonly actions: readonly Action[];
}

export function Actions({ actions, value, routes, visitor }: ActionsProps) {
  const version = new Map(value.version === undefined ? [] : [['version', String(value.version)]]);
  return (
    <>
      {actions.map(({ command, params }) => (
        <section key={command.operationId} class="part action" id={`do-${command.operationId}`}>
          <h2>{command.summary}</h2>
          {command.description ? <p class="hint">{withoutMarks(command.description)}</p> : null}
          <FormName.Provider value={command.operationId}>
            <FormOf
              route={command}
              params={params}
              values={version}
              faults={new Map()}
              formKey={newFormKey()}
              formToken={visitor.formToken}
              act={command.operationId === 'approveRequest' ? `Approve: ${actOf(value, routes)}` : command.summary}
            />
          </FormName.Provider>
        </section>
      ))}
    </>
  );
}
