/** The shapes of invitations of recipients on the wire. */
import Type from 'typebox';
import { beneficiaryMethods } from '../../beneficiaries/destinations/destination.js';
import { beneficiaryTypes } from '../../beneficiaries/fields/field.js';
import { textOrNull, time } from '../../http/shapes.js';
import { locales } from '../../locale.js';
import { invitationDays, invitationStatuses, trackingDays } from './invitation.js';

const destination = {
  country: Type.String({ maxLength: 2, description: 'The country of the account: an ISO 3166-1 code of two letters.' }),
  currency: Type.String({ maxLength: 3, description: 'The currency that is paid out: an ISO 4217 code.' }),
  method: Type.Enum([...beneficiaryMethods], { description: 'How the money is to be paid out.' }),
};
const id = Type.String({ description: 'The id of the invitation.' });
const idExample = 'inv_0000013J8V2T9X5B3N6H0C7D2F';
const example = { country: 'MX', currency: 'MXN', method: 'bank_account' };
const times = { createdAt: '2026-11-15T09:30:00.000Z', expiresAt: '2026-11-22T09:30:00.000Z' };

export const NewInvitationShape = Type.Object(
  {
    ...destination,
    type: Type.Optional(
      Type.Enum([...beneficiaryTypes], { description: 'Whether a person or a company receives. Absent: a person.' }),
    ),
    locale: Type.Optional(
      Type.Enum([...locales], {
        description: 'The language of the recipient. Absent: the language of the recipient’s browser.',
      }),
    ),
    expiresInDays: Type.Optional(
      Type.Integer({
        minimum: invitationDays.least,
        maximum: invitationDays.most,
        description: `How long the recipient has to answer: ${invitationDays.usual} days by default.`,
      }),
    ),
  },
  { title: 'NewInvitation', additionalProperties: false, examples: [{ ...example, locale: 'es' }] },
);

export const CreatedInvitationShape = Type.Object(
  {
    id,
    url: Type.String({
      description:
        'The address of the form, for the recipient. Whoever has it enters the account that the money goes to: send it to the recipient only.',
    }),
    expiresAt: time('Until when it can be answered.'),
  },
  {
    title: 'CreatedInvitation',
    examples: [{ id: idExample, url: 'https://remesa.example/recipient/0000013q8Zb…', expiresAt: times.expiresAt }],
  },
);

export const InvitationShape = Type.Object(
  {
    id,
    ...destination,
    type: Type.Enum([...beneficiaryTypes], { description: 'Whether a person or a company receives.' }),
    status: Type.Enum([...invitationStatuses], {
      description: '`completed`: the recipient has entered an account, which is now a beneficiary of the user.',
    }),
    beneficiaryId: textOrNull('The beneficiary that the recipient entered. Null until then.'),
    createdAt: time('When it was created.'),
    expiresAt: time(`When the link stops working: ${trackingDays} days after the recipient has answered.`),
  },
  {
    title: 'Invitation',
    examples: [{ id: idExample, ...example, type: 'person', status: 'open', beneficiaryId: null, ...times }],
  },
);

export const InvitationPath = Type.Object({ id });
