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
      '`pending`: waits for a second operator. `approved`: done. `refused`, `withdrawn`, `expired`: nothing was done. `void`: nothing was done, because the operator who asked was disabled or has a lower role now, or because the data was erased. `outdated`: nothing was done, because the record has changed since.',
  }),
  requiredRole: Type.Union([Type.Enum([...operatorRoles]), Type.Null()], {
    description: 'The role that an operator needs to decide it; null when this version can no longer carry it out.',
  }),
  requestedBy: Type.String({ description: 'The login of the operator who asked.' }),
  requestedAt: time('When it was asked for.'),
  expiresAt: time('Until when it can be approved.'),
  decidedBy: Type.Optional(Type.String({ description: 'The login of the operator who approved or refused.' })),
  endedAt: Type.Optional(time('When it was decided, withdrawn or closed.')),
  resultPath: textOrNull('Where the result is found, for something new, such as an import. Null otherwise.'),
  hasAnswer: Type.Boolean({
    description: 'The operator who asked can fetch a secret (`fetch-answer`), once and within 24 hours.',
  }),
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
  resultPath: null,
  hasAnswer: false,
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
          body: Type.Unknown({ description: 'The body. Secrets are replaced by `***`.' }),
        }),
        Type.Null(),
      ],
      {
        description:
          'What was asked for, which runs when it is approved. Null for readers without `requiredRole`, 90 days after the end, and when it was altered in the database.',
      },
    ),
    note: textOrNull('Why the operator asked: the header `Approval-Note` of the request.'),
    changes: Type.Union(
      [
        Type.Array(
          Type.Object({
            field: Type.String({ description: 'The field of the body, as a JSON pointer.' }),
            before: Type.Unknown({ description: 'The value when it was asked for; null when there was none.' }),
            after: Type.Unknown({ description: 'The value that was asked for.' }),
          }),
        ),
        Type.Null(),
      ],
      { description: 'What differs from the record, field by field. Null when the request replaces nothing.' },
    ),
    outdatedBy: Type.Union(
      [
        Type.Object({
          actor: Type.String({ description: 'Who changed the record, as in the audit log: `operator:ana`.' }),
          action: Type.String({ description: 'What was done to it, as in the audit log.' }),
          at: time('When.'),
        }),
        Type.Null(),
      ],
      { description: 'For `outdated`: the last change of the record. Null when it is not known.' },
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
        note: 'Agreed with the bank on 12 November.',
        changes: [{ field: '/marginBasisPoints', before: 90, after: 120 }],
        outdatedBy: null,
        reason: null,
      },
    ],
  },
);

export const ApprovedAnswerShape = Type.Object(
  {
    approvalId: approvalFields.approvalId,
    answer: Type.Object(
      {},
      { additionalProperties: true, description: 'The answer of the command, as its 200 describes it.' },
    ),
  },
  {
    title: 'ApprovedAnswer',
    examples: [{ approvalId: approvalExample.approvalId, answer: { clientId: 'acme', clientSecret: 'rms_6Rk3…' } }],
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
