/** Routes for operators: files of rails, and what became of their reports. */
import type { Static } from 'typebox';
import { command, type Route, read } from '../../http/route.js';
import { type DocumentService, mostReports } from '../reports/document-service.js';
import type { StoredDocument } from '../reports/document-store.js';
import { DocumentPath, DocumentShape, largestDocument, RailDocumentShape, RailPath } from './document-schemas.js';

const described = {
  tag: 'Payouts for operators',
  access: { token: 'operator', role: 'reviewer' },
  answer: DocumentShape,
} as const;

export function documentRoutes(documents: DocumentService): Route[] {
  return [
    command({
      ...described,
      method: 'POST',
      path: '/operator/rails/{rail}/documents',
      operationId: 'receiveRailDocument',
      summary: 'Upload a document of a rail',
      description: `A status report or a statement, as the rail sent it, with at most ${mostReports} reports. They are applied one by one right after the answer: read the document to see the results. Sending the same document again changes nothing, and a report that does not fit does not stop the others. Needs a second operator.`,
      returns: 'The document. Its reports are being applied.',
      subject: 'instance',
      fourEyes: {
        action: 'payout.document',
        review: async ({ params, body }) => documents.review(params.rail, bytesOf(body)),
      },
      params: RailPath,
      body: RailDocumentShape,
      // Base64 has four characters for three bytes.
      bodyBounds: { bytes: Math.ceil(largestDocument / 3) * 4 + 1024, fields: 10 },
      refusals: ['rail_not_found', 'rail_reads_no_documents'],
      run: async (call, tx) => encode(await documents.receive(tx, call.by, call.params.rail, bytesOf(call.body))),
    }),
    read({
      ...described,
      method: 'GET',
      path: '/operator/rails/{rail}/documents/{documentId}',
      operationId: 'getRailDocument',
      summary: 'Get what became of a document of a rail',
      returns: 'The document.',
      params: DocumentPath,
      refusals: ['rail_document_not_found'],
      run: async ({ params }, database) =>
        encode(await documents.find(database, { rail: params.rail, digest: params.documentId })),
    }),
  ];
}

function bytesOf({ document }: { readonly document: string }): Buffer {
  return Buffer.from(document, 'base64');
}

function encode({ rail, digest, reports, results, receivedAt }: StoredDocument): Static<typeof DocumentShape> {
  return {
    id: digest,
    rail,
    reportCount: reports,
    isFinished: results !== undefined,
    reports: (results ?? []).map(({ reportId, ...rest }) => ({ id: reportId, ...rest })),
    receivedAt: receivedAt.toISOString(),
  };
}
