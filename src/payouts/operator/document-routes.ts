/** The route for operators that takes files and callbacks of rails. */
import { command, type Route } from '../../http/route.js';
import { type DocumentService, mostReports } from '../reports/document-service.js';
import { DocumentResultShape, largestDocument, RailDocumentShape, RailPath } from './document-schemas.js';

export function documentRoutes(documents: DocumentService): Route[] {
  return [
    command({
      tag: 'Payouts for operators',
      access: { token: 'operator', role: 'reviewer' },
      method: 'POST',
      path: '/operator/rails/{rail}/documents',
      operationId: 'receiveRailDocument',
      summary: 'Upload a document of a rail',
      description: `A status report or a statement, as the rail sent it, with at most ${mostReports} reports. Each report is stored once and applied separately. Sending the same document again changes nothing, and a report that does not fit does not stop the others.`,
      returns: 'What became of each report, in the order of the document.',
      subject: 'instance',
      params: RailPath,
      body: RailDocumentShape,
      // Base64 has four characters for three bytes.
      bodyBounds: { bytes: Math.ceil(largestDocument / 3) * 4 + 1024, fields: 10 },
      answer: DocumentResultShape,
      refusals: ['rail_not_found', 'rail_reads_no_documents'],
      // Reports belong to many merchants, so each is applied in a transaction of its own, before the one of this
      // command.
      prepare: (call) => documents.receive(call.params.rail, bytesOf(call.body)),
      async run(call, tx, results) {
        await documents.record(tx, call.by, call.params.rail, bytesOf(call.body));
        return { reports: results.map(({ reportId, ...rest }) => ({ id: reportId, ...rest })) };
      },
    }),
  ];
}

function bytesOf({ document }: { readonly document: string }): Buffer {
  return Buffer.from(document, 'base64');
}
