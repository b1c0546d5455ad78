/** The request and response schemas of the audit log. */
import Type from 'typebox';

const maxReferenceLength = 300;

export const AuditQueryShape = Type.Object(
  {
    merchant: Type.Optional(Type.String({ description: 'Only entries about the merchant with this client id.' })),
    actor: Type.Optional(
      Type.String({
        pattern: '^(operator|merchant|user|system):.',
        maxLength: maxReferenceLength,
        description:
          'Only what this actor did: `operator:ana`, `merchant:acme`, `user:241958564297829`, or `system:` and the name of a job.',
      }),
    ),
    action: Type.Optional(
      Type.String({
        pattern: '^[a-z_]+\\.[a-z_]+$',
        maxLength: 100,
        description: 'Only this action: `merchant.suspended`, `operator.logged_in` …',
      }),
    ),
    subject: Type.Optional(
      Type.String({
        pattern: '^[a-z_]+:.',
        maxLength: maxReferenceLength,
        description: 'Only what was done to this subject: `merchant:acme`, `kyc:kyc_…`, `corridor:EUR-MXN` …',
      }),
    ),
    from: Type.Optional(Type.String({ format: 'date-time', description: 'Only entries of this moment or later.' })),
    to: Type.Optional(Type.String({ format: 'date-time', description: 'Only entries before this moment.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'The size of a page; 50 by default.' })),
    after: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          'Only entries older than the one with this id. Take it from the header `Link` of the previous page.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const AuditEntryShape = Type.Object(
  {
    id: Type.Integer({ description: 'The id of the entry. Later entries have larger ids.' }),
    at: Type.String({ format: 'date-time', description: 'When it happened.' }),
    actor: Type.String({
      description: 'Who did it: `operator:` with the login, `merchant:` with the client id, `user:`, `system:`.',
    }),
    action: Type.String({ description: 'What was done.' }),
    subject: Type.String({ description: 'What it was done to.' }),
    merchant: Type.Optional(Type.String({ description: 'The client id of the merchant that it concerns.' })),
    fromState: Type.Optional(Type.String({ description: 'The state before.' })),
    toState: Type.Optional(Type.String({ description: 'The state after.' })),
    details: Type.Object(
      {},
      { additionalProperties: true, description: 'More about the action: ids, names of fields, figures.' },
    ),
    requestId: Type.Optional(Type.String({ description: 'The id of the request that caused it.' })),
  },
  {
    title: 'AuditEntry',
    examples: [
      {
        id: 4711,
        at: '2026-11-15T09:30:00.000Z',
        actor: 'operator:ana',
        action: 'merchant.suspended',
        subject: 'merchant:acme',
        merchant: 'acme',
        fromState: 'active',
        toState: 'suspended',
        details: {},
        requestId: 'req_5f2c81',
      },
    ],
  },
);
