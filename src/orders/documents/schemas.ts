/** The shape of a document of an order. */
import Type from 'typebox';
import { time } from '../order/wire/order-shape.js';

export const DocumentShape = Type.Object(
  {
    documentId: Type.String({ description: 'The id of the document, for `POST /orders/{id}/information`.' }),
    mediaType: Type.Enum(['image/jpeg', 'image/png', 'application/pdf'], {
      description: 'What the document is.',
    }),
    bytes: Type.Integer({
      description: 'Its size. Pictures are encoded again, so it may differ from yours.',
    }),
    storedAt: time('When it was stored.'),
  },
  {
    title: 'OrderDocument',
    examples: [
      {
        documentId: '9f86d081884c7d659a2feaa0c55ad015',
        mediaType: 'image/jpeg',
        bytes: 184_221,
        storedAt: '2026-11-15T09:41:00.000Z',
      },
    ],
  },
);
