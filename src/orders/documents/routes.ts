/** The routes of documents of orders: senders upload them, reviewers download them. */
import Type from 'typebox';
import { attachment } from '../../http/answers/stream.js';
import { auditedStream, type Route, upload } from '../../http/route.js';
import { OrderPath } from '../order/wire/order-shape.js';
import { DocumentShape } from './schemas.js';
import { receiveDocument, type UploadOptions } from './upload.js';
import { encodeDocument } from './wire.js';

export function documentRoutes(options: UploadOptions): Route[] {
  return [uploadRoute(options), downloadRoute(options)];
}

function uploadRoute(options: UploadOptions): Route {
  return upload({
    tag: 'Orders',
    method: 'POST',
    path: '/orders/{id}/documents',
    operationId: 'uploadOrderDocument',
    summary: 'Upload a document that an order waits for',
    description:
      'Send one JPEG, PNG or PDF of at most 10 MB, with at most 10 pages. Then name its `documentId` in `POST /orders/{id}/information`: the upload alone answers nothing. Documents are stored encrypted, and only operators can read them.',
    returns: 'The document.',
    access: { token: 'either', scope: 'orders', user: 'optional' },
    params: OrderPath,
    answer: DocumentShape,
    refusals: [
      'order_not_found',
      'order_transition_not_allowed',
      'document_refused',
      'too_many_documents',
      'documents_unavailable',
    ],
    async run(call) {
      const scope = { merchantId: call.caller.merchantId, userId: call.user?.id };
      return encodeDocument(await receiveDocument(options, call, call.by, { scope, id: call.params.id }));
    },
  });
}

function downloadRoute({ documents }: UploadOptions): Route {
  return auditedStream({
    tag: 'Orders for operators',
    access: { token: 'operator', role: 'reviewer' },
    method: 'GET',
    path: '/operator/orders/{id}/information/{documentId}',
    operationId: 'getOrderDocument',
    summary: 'Download a document that the sender provided',
    description: 'The document is sent as an attachment, and browsers run no script in it.',
    returns: 'The document.',
    params: Type.Object({
      id: Type.String({ description: 'The id of the order.' }),
      documentId: Type.String({ description: 'The id of the document, from the review.' }),
    }),
    answer: Type.String({ contentMediaType: 'application/octet-stream', examples: ['…'] }),
    answerTypes: ['image/jpeg', 'image/png', 'application/pdf'],
    refusals: ['order_not_found', 'order_document_not_found'],
    look: (call, tx) => documents.look(tx, call.by, call.params.id, call.params.documentId),
    async run({ params: { documentId } }, database, found) {
      const { mediaType } = found.document;
      const ending = { 'image/jpeg': 'jpg', 'image/png': 'png', 'application/pdf': 'pdf' }[mediaType];
      return {
        mediaType,
        headers: attachment(`${found.place.orderId}-${documentId.slice(0, 8)}.${ending}`),
        chunks: documents.read(database, found),
      };
    },
  });
}
