/** The shapes of merchants on the wire. */
import Type from 'typebox';

const Origin = Type.String({
  pattern: '^https?://[^/?#\\s]{1,255}$',
  description: 'Scheme, host and port, no path.',
});
const RedirectUrl = Type.String({ pattern: '^https?://[^\\s]{1,2000}$' });

const BrandingShape = Type.Object(
  {
    displayName: Type.Optional(Type.String({ minLength: 1, maxLength: 80 })),
    color: Type.Optional(Type.String({ pattern: '^#[0-9a-fA-F]{6}$' })),
    logoUrl: Type.Optional(
      Type.String({
        pattern:
          '^(https://[^\\s]{1,2000}|data:image/(png|jpeg|webp|svg\\+xml);base64,[A-Za-z0-9+/=]{1,40000})$',
        description:
          'The hosted forms show one that is a `data:` address and no other: they ask nobody else for a picture.',
      }),
    ),
    supportEmail: Type.Optional(Type.String({ format: 'email', maxLength: 254 })),
    supportUrl: Type.Optional(RedirectUrl),
  },
  {
    title: 'Branding',
    additionalProperties: false,
    description: 'What the hosted forms show of the merchant.',
  },
);

const PaymentPolicyShape = Type.Object(
  {
    underpaid: Type.Enum(['wait', 'requote', 'refund']),
    overpaid: Type.Enum(['refund_difference', 'requote', 'refund']),
    late: Type.Enum(['requote', 'refund']),
    duplicate: Type.Enum(['refund', 'suspense']),
    unmatched: Type.Enum(['refund', 'suspense']),
  },
  {
    title: 'PaymentPolicy',
    additionalProperties: false,
    description: 'What happens to money that does not match.',
  },
);

const settings = {
  name: Type.String({ minLength: 1, maxLength: 120 }),
  allowedOrigins: Type.Array(Origin, {
    maxItems: 50,
    description: 'Who may show the hosted forms in a frame.',
  }),
  redirectUrls: Type.Array(RedirectUrl, {
    maxItems: 50,
    description: 'Where the hosted forms may lead back to.',
  }),
  branding: BrandingShape,
  paymentPolicy: PaymentPolicyShape,
};

const example = {
  clientId: 'acme',
  name: 'Acme Transfers',
  status: 'active',
  allowedOrigins: ['https://acme.example'],
  redirectUrls: ['https://acme.example/done'],
  branding: { color: '#0a7d55', supportEmail: 'help@acme.example' },
  paymentPolicy: {
    underpaid: 'wait',
    overpaid: 'refund_difference',
    late: 'requote',
    duplicate: 'refund',
    unmatched: 'suspense',
  },
  createdAt: '2026-11-15T09:30:00.000Z',
};

export const MerchantShape = Type.Object(
  {
    clientId: Type.String(),
    ...settings,
    status: Type.Enum(['active', 'suspended']),
    createdAt: Type.String({ format: 'date-time' }),
  },
  { title: 'Merchant', examples: [example] },
);

export const NewMerchantShape = Type.Object(
  {
    clientId: Type.Optional(
      Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{2,63}$', description: 'Made up when absent.' }),
    ),
    name: settings.name,
    allowedOrigins: Type.Optional(settings.allowedOrigins),
    redirectUrls: Type.Optional(settings.redirectUrls),
    branding: Type.Optional(settings.branding),
    paymentPolicy: Type.Optional(settings.paymentPolicy),
  },
  {
    title: 'NewMerchant',
    additionalProperties: false,
    examples: [{ clientId: 'acme', name: 'Acme Transfers' }],
  },
);

export const MerchantChangeShape = Type.Object(
  {
    name: Type.Optional(settings.name),
    allowedOrigins: Type.Optional(settings.allowedOrigins),
    redirectUrls: Type.Optional(settings.redirectUrls),
    branding: Type.Optional(settings.branding),
    paymentPolicy: Type.Optional(settings.paymentPolicy),
  },
  { title: 'MerchantChange', additionalProperties: false, examples: [{ name: 'Acme Money' }] },
);

export const NewSecretShape = Type.Object(
  {
    clientId: Type.String(),
    clientSecret: Type.String({ description: 'Shown this once; only its hash is kept.' }),
  },
  { title: 'NewSecret', examples: [{ clientId: 'acme', clientSecret: 'rms_6Rk3…' }] },
);

export const RotationShape = Type.Object(
  {
    endOthers: Type.Optional(
      Type.Boolean({ description: 'For a leaked secret: all others end, and all tokens with them.' }),
    ),
  },
  { title: 'SecretRotation', additionalProperties: false, examples: [{ endOthers: false }] },
);
