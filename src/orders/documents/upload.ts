/** Receives one document of an order: whether it is asked for, is it what it should be, store it. */
import type { By } from '../../caller.js';
import type { CleanDocument, Inspection, InspectUpload } from '../../documents/inspect.js';
import { RemesaError } from '../../errors.js';
import type { Upload } from '../../http/page.js';
import { faultText, type OrderDocument } from './document.js';
import type { NamedOrder, OrderDocuments } from './service.js';

export interface UploadOptions {
  readonly documents: OrderDocuments;
  readonly inspect: InspectUpload;
}

/** The name of the field that has the file. */
const fileField = 'file';

/** Throws as `OrderDocuments.add` does, `invalid_fields` without a file, and `document_refused`. */
export async function receiveDocument(
  { documents, inspect }: UploadOptions,
  upload: Upload,
  by: By,
  order: NamedOrder,
): Promise<OrderDocument> {
  const { orderId } = await documents.requireAsked(upload.database, by, order);
  let isReceived = false;
  const { files } = await upload.readForm(async ({ name, bytes }) => {
    if (name !== fileField || isReceived) return undefined;
    isReceived = true;
    // Counted by order, so that one order cannot use the memory and the checkers of all.
    return inspect(bytes, orderId);
  });
  const document = requireClean(files.find((file) => file !== undefined));
  return upload.change((tx) => documents.add(tx, by, order, document));
}

function requireClean(inspection: Inspection | undefined): CleanDocument {
  if (!inspection) {
    const message = `send the document in the field ${fileField} of a form (multipart/form-data)`;
    throw new RemesaError('invalid', 'invalid_fields', `${fileField}: ${message}`, {
      errors: [{ field: fileField, code: 'required', message }],
    });
  }
  if (inspection.ok) return inspection.document;
  const { fault } = inspection;
  if (fault === 'checker_unavailable')
    throw new RemesaError('unavailable', 'documents_unavailable', faultText(fault), { retryAfterSeconds: 5 });
  throw new RemesaError('impossible', 'document_refused', faultText(fault), { members: { fault } });
}
