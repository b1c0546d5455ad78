/** The shapes of links to transfer pages on the wire. */
import Type from 'typebox';
import { locales } from '../../locale.js';
import { orderExample, time } from '../../orders/order/wire/order-shape.js';
import { linkDays } from './link.js';

export const NewTransferLinkShape = Type.Object(
  {
    locale: Type.Optional(
      Type.Enum([...locales], {
        description: 'The language of the page. Absent: the language of the sender’s browser.',
      }),
    ),
    redirectUrl: Type.Optional(
      Type.String({
        maxLength: 2000,
        description: 'Where the page leads back to: exactly one of the redirect urls that are registered for you.',
      }),
    ),
    expiresInDays: Type.Optional(
      Type.Integer({
        minimum: linkDays.least,
        maximum: linkDays.most,
        description: `How long the link works: ${linkDays.usual} days by default.`,
      }),
    ),
  },
  { title: 'NewTransferLink', additionalProperties: false, examples: [{ locale: 'es', expiresInDays: 30 }] },
);

const id = Type.String({ description: 'The id of the link.' });
const expiresAt = time('When the link stops working.');
const example = { id: 'lnk_0000013J8V2T9X5B3N6H0C7D2F', expiresAt: '2026-12-15T09:30:00.000Z' };

export const TransferLinkShape = Type.Object(
  {
    id,
    url: Type.String({
      description:
        'The address of the page, for the sender’s browser. Whoever has it acts as the sender of this order: treat it as a secret.',
    }),
    expiresAt,
  },
  {
    title: 'TransferLink',
    examples: [{ id: example.id, url: 'https://remesa.example/transfer/0000013q8Zb…', expiresAt: example.expiresAt }],
  },
);

export const TransferLinkSummaryShape = Type.Object(
  {
    id,
    createdAt: time('When it was created.'),
    expiresAt,
    withdrawnAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When you withdrew it.',
    }),
  },
  {
    title: 'TransferLinkSummary',
    examples: [{ ...example, createdAt: '2026-11-15T09:30:00.000Z', withdrawnAt: null }],
  },
);

export const LinkPath = Type.Object({
  id: Type.String({
    description: `The id of the order, such as \`${orderExample.id}\`, or \`ext-\` and your own id of it.`,
  }),
  linkId: id,
});
