/** The shapes of documents of rails on the wire. */
import Type from 'typebox';
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

export const DocumentResultShape = Type.Object(
  {
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
      { description: 'The reports of the document.' },
    ),
  },
  {
    title: 'RailDocumentResult',
    examples: [
      {
        reports: [
          {
            id: '77',
            reference: 'ORD0000013J8V2T9X5B3N6H0C7D2F',
            kind: 'paid',
            outcome: 'applied',
          },
        ],
      },
    ],
  },
);
