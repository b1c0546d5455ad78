/** The shapes of legal holds in the operator API. */
import Type from 'typebox';
import { PendingApprovalShape } from '../../http/four-eyes.js';
import { pageLimit, pageStart, textOrNull, time, timeOrNull } from '../../http/shapes.js';

const text = (description: string) => Type.String({ minLength: 1, maxLength: 2000, pattern: '\\S', description });
const holdFields = {
  holdId: Type.String({ description: 'The id of the hold.' }),
  merchant: Type.String({ description: 'The client id of the merchant of the user.' }),
  userId: Type.Integer({ description: 'The user whose data stays.' }),
  placedBy: Type.String({ description: 'The login of the operator.' }),
  placedAt: time('When it was placed.'),
  releasedAt: timeOrNull('When it was released.'),
  releasedBy: textOrNull('The login of the operator who released it.'),
  pendingApproval: Type.Optional(PendingApprovalShape),
};
const example = {
  holdId: 'hld_7ZQ4M1K8V2T9X5B3N6H0C7D2FW',
  merchant: 'acme',
  userId: 241_958_564_297_829,
  placedBy: 'ana',
  placedAt: '2026-11-15T09:41:00.000Z',
  releasedAt: null,
  releasedBy: null,
};
export const HoldShape = Type.Object(holdFields, { title: 'LegalHold', examples: [example] });
export const HoldFileShape = Type.Object(
  {
    ...holdFields,
    reason: Type.String({ description: 'Why the data must stay.' }),
    note: textOrNull('Why it was released.'),
  },
  {
    title: 'LegalHoldFile',
    examples: [{ ...example, reason: 'Order of a court in Madrid, 421/2026.', note: null }],
  },
);
export const NewHoldShape = Type.Object(
  {
    merchant: Type.String({ minLength: 1, maxLength: 64, description: 'The client id of the merchant of the user.' }),
    userId: Type.Integer({ minimum: 1, description: 'The user, who may be deleted.' }),
    reason: text('Why the data must stay. It is stored encrypted.'),
  },
  {
    title: 'NewLegalHold',
    additionalProperties: false,
    examples: [{ merchant: 'acme', userId: 241_958_564_297_829, reason: 'Order of a court in Madrid, 421/2026.' }],
  },
);
export const ReleaseShape = Type.Object(
  { note: text('Why it is released. It is stored encrypted.') },
  { title: 'LegalHoldRelease', additionalProperties: false, examples: [{ note: 'The court closed the matter.' }] },
);
export const HoldQueryShape = Type.Object({
  state: Type.Optional(
    Type.Enum(['active', 'released', 'all'], { description: 'Only holds in this state; `active` by default.' }),
  ),
  after: pageStart('^hld_[0-9A-HJKMNP-TV-Z]{26}$'),
  limit: pageLimit(),
});
export const HoldPath = Type.Object({ holdId: Type.String({ description: 'The id of the hold.' }) });
