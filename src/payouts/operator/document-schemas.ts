/** The shapes of documents of rails on the wire. */
import Type from 'typebox';
import { time } from '../../http/shapes.js';
import { reportKinds } from '../rail.js';

/** In bytes, before it is written as base64. */
export const largestDocument = 1024 * 1024;

export const RailPath = Type.Object({
  rail: Type.String({ maxLength: 64, description: 'The name of the rail.' }),
});

export const RailDocumentShape = Type.Object(
  {
    document: Type.String({
      pattern: '^[A-Za-z0-9+/]+={0,2}$',
      maxLength: Math.ceil(largestDocument / 3) * 4,
      description: 'The document in base64, byte for byte as the rail sent it; at most 1 MB.',
    }),
  },
  {
    title: 'RailDocument',
    additionalProperties: false,
    examples: [
      {
        document:
          'W3sicmVwb3J0SWQiOiAiNzciLCAicmVmZXJlbmNlIjogIk9SRDAwMDAwMTNKOFYyVDlYNUIzTjZIMEM3RDJGIiwgImtpbmQiOiAicGFpZCJ9XQ==',
      },
    ],
  },
);

export const DocumentPath = Type.Object({
  ...RailPath.properties,
  documentId: Type.String({ maxLength: 100, description: 'The id of the document.' }),
});

export const DocumentShape = Type.Object(
  {
    id: Type.String({ description: 'The digest of the document: the same bytes have the same id.' }),
    rail: Type.String({ description: 'The rail that sent it.' }),
    reportCount: Type.Integer({ description: 'How many reports it has.' }),
    isFinished: Type.Boolean({ description: 'Whether all its reports were applied.' }),
    reports: Type.Array(
      Type.Object({
        id: Type.String({ description: 'The id that the rail gave the report.' }),
        reference: Type.String({ description: 'The payment that it is about.' }),
        kind: Type.Enum([...reportKinds], { description: 'What it says.' }),
        outcome: Type.Enum(['applied', 'old', 'contradictory', 'unmatched', 'failed'], {
          description:
            '`applied`: the payment and its order changed. `old`: it says nothing new. `contradictory`, `unmatched`: it changed nothing and is a task. `failed`: it could not be applied; send the document again; if that does not help, see the log.',
        }),
      }),
      { description: 'The reports in the order of the document; empty until it is finished.' },
    ),
    receivedAt: time('When it was handed in.'),
  },
  {
    title: 'RailDocumentFile',
    examples: [
      {
        id: 'u1Yb7w9w0Q2pJvVnq0oO4l4v9c1YgqTz6f8m5s3d2aE',
        rail: 'sandbox',
        reportCount: 1,
        isFinished: true,
        reports: [{ id: '77', reference: 'ORD0000013J8V2T9X5B3N6H0C7D2F', kind: 'paid', outcome: 'applied' }],
        receivedAt: '2026-11-15T09:41:00.000Z',
      },
    ],
  },
);
