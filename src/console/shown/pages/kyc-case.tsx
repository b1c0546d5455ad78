/** A KYC case: the documents side by side, and the checks. Showing a document is a reading, which the audit log has. */
import { rows } from '../../screens/schema.js';
import { State, Time } from '../value.js';
import { labelOf, stateWords } from '../words.js';
import type { PageProps, Row } from './page.js';

export function KycCasePage({ value, params }: PageProps) {
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
