/** A request for approval: who asks for what and why, and exactly what is carried out when it is approved. */
import { isCommand } from '../../screens/finding.js';
import { isObject, rows } from '../../screens/schema.js';
import { Scroll } from '../scroll.js';
import { Time, Value } from '../value.js';
import { labelOf } from '../words.js';
import type { PageProps, Row } from './page.js';

export function ApprovalPage({ value, routes }: PageProps) {
  const { request, changes } = value;
  return (
    <section class="part important">
      <h2>{actOf(value, routes)}</h2>
      <p>
        <bdi>{String(value.requestedBy)}</bdi> asked for it at <Time at={String(value.requestedAt)} />
        {value.note ? (
          <>
            : <q dir="auto">{String(value.note)}</q>
          </>
        ) : (
          ', and gave no reason.'
        )}
      </p>
      {isObject(request) ? (
        <Request request={request} changes={changes === null ? undefined : rows(changes)} />
      ) : (
        <p>The request is shown to operators with the role {String(value.requiredRole ?? 'that it needs')}.</p>
      )}
    </section>
  );
}

/** The act in words, as the API names it. */
export function actOf({ request, action }: Row, routes: PageProps['routes']): string {
  const { method, path } = isObject(request) ? request : { method: '', path: '' };
  const route = routes.find((each) => isCommand(each) && each.method === method && each.path === path);
  return route?.summary ?? labelOf(String(action).replace('.', ' '));
}

function Request({ request, changes }: { readonly request: Row; readonly changes: readonly Row[] | undefined }) {
  return (
    <>
      {changes ? <Changes changes={changes} /> : null}
      <Asked values={isObject(request.params) ? request.params : {}} />
      {isObject(request.body) ? (
        <details open={changes === undefined}>
          <summary>The whole request</summary>
          <Asked values={request.body} />
        </details>
      ) : null}
      <p class="hint">
        Approving it sends <code>{`${String(request.method)} ${filledPath(request)}`}</code>
      </p>
    </>
  );
}

function Asked({ values }: { readonly values: Row }) {
  return (
    <dl class="fields">
      {Object.entries(values)
        .filter(([name]) => name !== 'version')
        .map(([name, field]) => (
          <div key={name}>
            <dt>{labelOf(name)}</dt>
            <dd>
              <Value name={name} value={field} row={values} />
            </dd>
          </div>
        ))}
    </dl>
  );
}

function Changes({ changes }: { readonly changes: readonly Row[] }) {
  if (changes.length === 0) return <p>It changes nothing of the record.</p>;
  return (
    <Scroll label="Changes">
      <table>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => (
            <tr key={String(change.field)}>
              <th scope="row">{labelOf(String(change.field).replace(/^\//, '').replaceAll('/', ' '))}</th>
              <td>
                <del>
                  <Value name="before" value={change.before} row={{}} />
                </del>
              </td>
              <td>
                <ins>
                  <Value name="after" value={change.after} row={{}} />
                </ins>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function filledPath(request: Row): string {
  const params = isObject(request.params) ? request.params : {};
  return String(request.path).replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name]));
}
