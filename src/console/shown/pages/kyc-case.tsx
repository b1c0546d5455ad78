/**
 * A KYC case as a place to work: documents on one side; hits, what differs, the checks and the decisions on the other.
 * Showing a document is a reading, which the audit log has.
 */
import { isObject, rows } from '../../screens/schema.js';
import { Scroll } from '../scroll.js';
import { State, Time, Value } from '../value.js';
import { labelOf, stateWords } from '../words.js';
import { Explanation } from './hit.js';
import { byWeight, checkWords } from './kyc-words.js';
import type { PageProps, Row } from './page.js';

/** The line below the heading shows them. */
export const kycFacts = ['kycLevel', 'zone', 'merchant', 'userId', 'submittedAt', 'status', 'isUserDeleted'] as const;

export function KycCasePage({ value, params, actions }: PageProps) {
  const hits = rows(value.hits);
  return (
    <>
      <Facts value={value} />
      <div class="worktable">
        <Documents documents={rows(value.documents)} caseId={params.caseId ?? ''} />
        <div class="judge">
          {hits.map((hit) => (
            <Hit key={String(hit.id)} hit={hit} />
          ))}
          <Comparison compared={rows(value.comparison)} />
          <Others answers={isObject(value.answers) ? value.answers : {}} compared={rows(value.comparison)} />
          <Checks checks={rows(value.checks)} />
          {actions}
        </div>
      </div>
      <History entries={rows(value.history)} />
    </>
  );
}

function Facts({ value }: { readonly value: Row }) {
  return (
    <p class="facts">
      <strong>{stateWords(String(value.kycLevel))}</strong> · {String(value.zone)} ·{' '}
      <Value name="merchant" value={value.merchant} row={{}} /> · user{' '}
      <Value name="userId" value={value.userId} row={value} /> ·{' '}
      {value.submittedAt ? (
        <>
          sent <Time at={String(value.submittedAt)} />
        </>
      ) : (
        'nothing sent yet'
      )}
      {value.isUserDeleted === true ? ' · the user was deleted' : ''}
    </p>
  );
}

interface DocumentsProps {
  readonly documents: readonly Row[];
  readonly caseId: string;
}

function Documents({ documents, caseId }: DocumentsProps) {
  const [current, earlier] = [true, false].map((isCurrent) =>
    documents.filter((document) => (document.isCurrent !== false) === isCurrent),
  );
  if (documents.length === 0) return <p class="empty">No document: this level asks for none, or none was sent yet.</p>;
  return (
    <section class="look" aria-label="Documents">
      <div class="documents">
        {current?.map((document) => (
          <Document key={String(document.documentId)} document={document} caseId={caseId} />
        ))}
      </div>
      {earlier && earlier.length > 0 ? (
        <details class="earlier">
          <summary>Sent before ({earlier.length})</summary>
          <div class="documents">
            {earlier.map((document) => (
              <Document key={String(document.documentId)} document={document} caseId={caseId} />
            ))}
          </div>
        </details>
      ) : null}
    </section>
  );
}

function Document({ document, caseId }: { readonly document: Row; readonly caseId: string }) {
  const address = `/console/kyc/${encodeURIComponent(caseId)}/documents/${encodeURIComponent(String(document.documentId))}`;
  const name = labelOf(String(document.question));
  const isPicture = String(document.mediaType).startsWith('image/');
  return (
    <figure data-document={isPicture ? '' : undefined}>
      <figcaption>
        <strong>{name}</strong>
        <a href={address} target="_blank" rel="noopener">
          {isPicture ? 'Full size' : `Open the PDF (${sizeOf(Number(document.bytes))})`}
        </a>
        <span class="hint">
          <Time at={String(document.storedAt)} />
        </span>
      </figcaption>
      {isPicture ? (
        // biome-ignore lint/a11y/useSemanticElements: what is wider than its place scrolls in itself.
        <div class="picture" role="group" aria-label={name} tabindex={0}>
          <img src={address} alt={name} loading="lazy" />
        </div>
      ) : null}
    </figure>
  );
}

function sizeOf(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function Hit({ hit }: { readonly hit: Row }) {
  return (
    <section class="important bad">
      <h2>
        Screening hit: <State state={String(hit.state)} />
        {hit.isStrong === true ? ', strong' : ''}
      </h2>
      <p>
        {String(hit.score)} of 100 with an entry of {String(hit.list)}. The case cannot be approved before the hit is{' '}
        dismissed: <a href={`/console/screening/hits/${String(hit.id)}`}>decide the hit</a>.
      </p>
      <Explanation explanation={hit.explanation} />
    </section>
  );
}

function Comparison({ compared }: { readonly compared: readonly Row[] }) {
  if (compared.length === 0) return null;
  const columns = (['declared', 'machineReadable', 'registered'] as const).filter(
    (column) => column === 'declared' || compared.some((row) => row[column] !== null),
  );
  return (
    <section class="part">
      <h2>What is said of the person</h2>
      <Scroll label="Comparison">
        <table class="comparison">
          <thead>
            <tr>
              <th scope="col">Field</th>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {columnNames[column]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {compared.map((row) => (
              <tr key={String(row.field)}>
                <th scope="row">{labelOf(String(row.field))}</th>
                {columns.map((column) => (
                  <Cell key={column} text={row[column]} isOther={isAmong(row.differs, column)} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}

const columnNames = { declared: 'Form', machineReadable: 'Document', registered: 'Merchant' } as const;

function isAmong(names: unknown, name: string): boolean {
  return Array.isArray(names) && names.includes(name);
}

/** Colour only repeats the word. */
function Cell({ text, isOther }: { readonly text: unknown; readonly isOther: boolean }) {
  if (text === null || text === undefined) return <td class="none">–</td>;
  return (
    <td class={isOther ? 'other' : undefined}>
      <bdi>{String(text)}</bdi>
      {isOther ? <span class="differs"> differs</span> : null}
    </td>
  );
}

/** The answers that nothing is compared with. */
function Others({ answers, compared }: { readonly answers: Row; readonly compared: readonly Row[] }) {
  const shown = new Set([
    'firstName',
    'middleName',
    'lastName',
    'secondSurname',
    ...compared.map(({ field }) => field),
  ]);
  const others = Object.entries(answers).filter(([name]) => !shown.has(name));
  if (others.length === 0) return null;
  return (
    <section class="part">
      <h2>Also declared</h2>
      <dl class="fields">
        {others.map(([name, answer]) => (
          <div key={name}>
            <dt>{labelOf(name)}</dt>
            <dd>
              {name === 'documentMrz' ? <pre>{String(answer)}</pre> : <Value name={name} value={answer} row={{}} />}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Checks({ checks }: { readonly checks: readonly Row[] }) {
  if (checks.length === 0) return null;
  return (
    <section class="part">
      <h2>Checks</h2>
      <ul class="checks">
        {byWeight(checks).map((check) => (
          <li key={String(check.check)}>
            <State state={String(check.outcome)} /> <span>{checkWords(check)}</span> <About check={check} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function About({ check: { about } }: { readonly check: Row }) {
  if (!Array.isArray(about)) return null;
  return (
    <>
      {about.map((each, index) => (
        <span key={String(each)}>
          {index === 0 ? '' : ', '}
          <Value name="about" value={/^[a-zA-Z]+$/.test(String(each)) ? stateWords(String(each)) : each} row={{}} />
        </span>
      ))}
    </>
  );
}

function History({ entries }: { readonly entries: readonly Row[] }) {
  if (entries.length === 0) return null;
  return (
    <section class="part">
      <h2>History</h2>
      <ol class="timeline">
        {entries.map((entry, index) => (
          <li key={index}>
            <Time at={String(entry.at)} /> <State state={String(entry.to)} />{' '}
            <span class="by">
              {entry.isRenewal === true ? 'renewal · ' : ''}by <bdi>{String(entry.actor)}</bdi>
              {[entry.reasons, entry.requestedParts].map((names) =>
                Array.isArray(names) && names.length > 0 ? ` · ${names.map(labelOf).join(', ').toLowerCase()}` : '',
              )}
            </span>
            {entry.internalReason ? <blockquote dir="auto">{String(entry.internalReason)}</blockquote> : null}
          </li>
        ))}
      </ol>
    </section>
  );
}
