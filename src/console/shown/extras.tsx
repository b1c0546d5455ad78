/** The parts of records that deserve more than a table. */

import { isObject } from '../screens/schema.js';
import { RateBoard } from './rates.js';
import { Scroll } from './scroll.js';
import { SmallTable, State, Time, Value } from './value.js';
import { labelOf, stateWords } from './words.js';

type Row = Readonly<Record<string, unknown>>;

interface ExtraProps {
  readonly operationId: string;
  readonly value: Row;
  readonly params: Readonly<Record<string, string>>;
}

/** The fields that `Extra` shows instead of a table. */
export function shownByExtra(operationId: string): readonly string[] {
  return fields[operationId] ?? [];
}

const fields: Readonly<Record<string, readonly string[]>> = {
  getOperatorOrder: ['timeline'],
  getKycCaseFile: ['documents', 'checks'],
  getApproval: ['request', 'changes'],
  getScreeningHit: ['explanation'],
  getRateBoard: ['sources', 'held', 'heldCorridors'],
};

export function Extra({ operationId, value, params }: ExtraProps) {
  if (operationId === 'getOperatorOrder') return <Timeline entries={rows(value.timeline)} />;
  if (operationId === 'getKycCaseFile') return <KycFile value={value} params={params} />;
  if (operationId === 'getRateBoard') return <RateBoard value={value} />;
  if (operationId === 'getApproval') return <Requested value={value} />;
  if (operationId === 'getScreeningHit' && isObject(value.explanation))
    return <Explanation explanation={value.explanation} />;
  return null;
}

function Timeline({ entries }: { readonly entries: readonly Row[] }) {
  return (
    <section class="part">
      <h2>Timeline</h2>
      <ol class="timeline">
        {entries.map((entry, index) => (
          <li key={index}>
            <Time at={String(entry.at)} /> <State state={String(entry.to)} />{' '}
            <span class="by">
              {entry.statusReason ? `${stateWords(String(entry.statusReason))} · ` : ''}
              {stateWords(String(entry.event))} · by {String(entry.by)}
              {entry.isPublic === false ? ' · the merchant does not see it' : ''}
            </span>
            {rows(entry.journals).length > 0 ? (
              <details>
                <summary>
                  {rows(entry.journals).length === 1 ? '1 journal' : `${rows(entry.journals).length} journals`}
                </summary>
                <SmallTable items={rows(entry.journals) as Record<string, unknown>[]} schema={{}} />
              </details>
            ) : null}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Showing a document is a reading, which the audit log has. */
function KycFile({ value, params }: { readonly value: Row; readonly params: Readonly<Record<string, string>> }) {
  const documents = rows(value.documents);
  const checks = rows(value.checks);
  return (
    <>
      {documents.length > 0 ? (
        <section class="part">
          <h2>Documents</h2>
          <div class="documents">
            {documents.map((document) => (
              <Document key={String(document.documentId)} document={document} caseId={params.caseId ?? ''} />
            ))}
          </div>
        </section>
      ) : null}
      {checks.length > 0 ? (
        <section class="part">
          <h2>Checks</h2>
          <ul class="checks">
            {checks.map((check, index) => (
              <li key={index}>
                <State state={String(check.outcome)} /> {stateWords(String(check.check))}
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </>
  );
}

function Document({ document, caseId }: { readonly document: Row; readonly caseId: string }) {
  const address = `/console/kyc/${encodeURIComponent(caseId)}/documents/${encodeURIComponent(String(document.documentId))}`;
  const name = labelOf(String(document.question));
  const isPicture = String(document.mediaType).startsWith('image/');
  return (
    <figure class={document.isCurrent === false ? 'earlier' : undefined}>
      {isPicture ? (
        <a href={address} target="_blank" rel="noopener">
          <img src={address} alt={name} loading="lazy" />
        </a>
      ) : null}
      <figcaption>
        {name}
        {document.isCurrent === false ? ' (replaced)' : ''} <Time at={String(document.storedAt)} />
        {isPicture ? null : (
          <>
            {' '}
            <a href={address}>Download</a>
          </>
        )}
      </figcaption>
    </figure>
  );
}

/** Exactly what is carried out when it is approved. */
function Requested({ value }: { readonly value: Row }) {
  const { request, changes } = value;
  return (
    <section class="part important">
      <h2>What is asked for</h2>
      {isObject(request) ? (
        <>
          <p>
            <code>{`${String(request.method)} ${filledPath(request)}`}</code>
          </p>
          {changes === null ? null : <Changes changes={rows(changes)} />}
          {isObject(request.body) ? (
            <details open={changes === null}>
              <summary>The whole request</summary>
              <dl class="fields">
                {Object.entries(request.body).map(([name, field]) => (
                  <div key={name}>
                    <dt>{labelOf(name)}</dt>
                    <dd>
                      <Value name={name} value={field} row={request.body as Row} />
                    </dd>
                  </div>
                ))}
              </dl>
            </details>
          ) : null}
        </>
      ) : (
        <p>The request is shown to operators with the role {String(value.requiredRole ?? 'that it needs')}.</p>
      )}
    </section>
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

function Explanation({ explanation }: { readonly explanation: Row }) {
  return (
    <section class="part">
      <h2>Why they resemble each other</h2>
      <dl class="fields pair">
        <div>
          <dt>Our person</dt>
          <dd>
            <bdi>{String(explanation.subjectName)}</bdi>
          </dd>
        </div>
        <div>
          <dt>The entry</dt>
          <dd>
            <bdi>{String(explanation.entryName)}</bdi>
            {explanation.matchedName === explanation.entryName ? null : (
              <>
                {' '}
                by the name <bdi>{String(explanation.matchedName)}</bdi>
              </>
            )}
          </dd>
        </div>
      </dl>
      <SmallTable items={rows(explanation.reasons) as Record<string, unknown>[]} schema={{}} />
    </section>
  );
}

function filledPath(request: Row): string {
  const params = isObject(request.params) ? request.params : {};
  return String(request.path).replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name]));
}

function rows(value: unknown): readonly Row[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
