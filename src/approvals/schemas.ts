/** The shapes of requests for approval on the wire. */

import Type from 'typebox';
import { approvalActions } from '../approval.js';
import { operatorRoles } from '../caller.js';
import { pageLimit, pageStart, textOrNull, time } from '../http/shapes.js';
import { approvalStates } from './approval.js';

const approvalFields = {
  approvalId: Type.String({ description: 'The id of the request.' }),
  action: Type.Enum([...approvalActions], { description: 'What needs a second person.' }),
  subject: Type.String({ description: 'What it is about, as `kind:id`.' }),
  merchant: textOrNull('The client id of the merchant; null when it concerns no single merchant.'),
  state: Type.Enum([...approvalStates], {
    description:
      '`pending`: waits for a second operator. `approved`: done. `refused`, `withdrawn`, `expired`: nothing was done. `void`: nothing was done, because the operator who asked was disabled or has a lower role now, or because the data was erased.',
  }),
  requiredRole: Type.Union([Type.Enum([...operatorRoles]), Type.Null()], {
    description: 'The role that an operator needs to decide it; null when this version can no longer carry it out.',
  }),
  requestedBy: Type.String({ description: 'The login of the operator who asked.' }),
  requestedAt: time('When it was asked for.'),
  expiresAt: time('Until when it can be approved.'),
  decidedBy: Type.Optional(Type.String({ description: 'The login of the operator who approved or refused.' })),
  endedAt: Type.Optional(time('When it was decided, withdrawn, expired or voided.')),
};

const approvalExample = {
  approvalId: 'apr_0000003J8V2T9X5B3N6H0C7D2F',
  action: 'corridor.save',
  subject: 'corridor:USD-MXN',
  merchant: null,
  state: 'pending',
  requiredRole: 'admin',
  requestedBy: 'ana',
  requestedAt: '2026-11-15T09:41:00.000Z',
  expiresAt: '2026-11-18T09:41:00.000Z',
};

export const ApprovalShape = Type.Object(approvalFields, { title: 'Approval', examples: [approvalExample] });

export const ApprovalFileShape = Type.Object(
  {
    ...approvalFields,
    request: Type.Union(
      [
        Type.Object({
          method: Type.String({ description: 'The method of the request.' }),
          path: Type.String({ description: 'The path of the request, with its parameters in braces.' }),
          params: Type.Object({}, { additionalProperties: true, description: 'The parameters of the path.' }),
          query: Type.Object({}, { additionalProperties: true, description: 'The query.' }),
          body: Type.Unknown({ description: 'The body. Passwords are replaced by `***`.' }),
        }),
        Type.Null(),
      ],
      {
        description:
          'What runs when it is approved, exactly as it was asked for. Null once it has ended, for readers without `requiredRole`, and when it was altered in the database.',
      },
    ),
    reason: textOrNull('Why it was refused.'),
  },
  {
    title: 'ApprovalFile',
    examples: [
      {
        ...approvalExample,
        request: {
          method: 'PUT',
          path: '/operator/corridors/{fiatIn}/{fiatOut}',
          params: { fiatIn: 'USD', fiatOut: 'MXN' },
          query: {},
          body: { isOpen: true, marginBasisPoints: 120 },
        },
        reason: null,
      },
    ],
  },
);

export const ApprovalQueryShape = Type.Object(
  {
    state: Type.Optional(
      Type.Enum([...approvalStates, 'ended'], {
        description:
          '`pending` by default, the oldest first. Others come newest first; `ended` is everything that is not pending.',
      }),
    ),
    action: Type.Optional(Type.Enum([...approvalActions], { description: 'Only this action.' })),
    after: pageStart('^[0-9]{1,18}\\.apr_[0-9A-Z]{26}$'),
    limit: pageLimit(),
  },
  { additionalProperties: false },
);

export const RefusalShape = Type.Object(
  {
    reason: Type.String({
      minLength: 1,
      maxLength: 2000,
      pattern: '\\S',
      description: 'Why you refuse. Only operators with the role see it.',
    }),
  },
  {
    title: 'ApprovalRefusal',
    additionalProperties: false,
    examples: [{ reason: 'The margin is below what we agreed.' }],
  },
);
