/** The shapes of merchants on the wire. */

import Type from 'typebox';
import { time } from '../http/shapes.js';
import { locales } from '../locale.js';
import { notifySenders } from './merchant.js';

const Origin = Type.String({
  pattern: '^https?://[^/?#\\s]{1,255}$',
  description: 'An origin: scheme, host and port, without a path.',
});
const RedirectUrl = Type.String({
  pattern: '^https?://[^\\s]{1,2000}$',
  description: 'An address that begins with `https://` or `http://`.',
});

const BrandingShape = Type.Object(
  {
    displayName: Type.Optional(Type.String({ minLength: 1, maxLength: 80, description: 'The name that users see.' })),
    color: Type.Optional(
      Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: 'The colour of buttons, as `#rrggbb`.' }),
    ),
    logoUrl: Type.Optional(
      Type.String({
        pattern: '^(https://[^\\s]{1,2000}|data:image/(png|jpeg|webp|svg\\+xml);base64,[A-Za-z0-9+/=]{1,40000})$',
        description:
          'The logo. The hosted forms show only a `data:` address, because they load nothing from other servers.',
      }),
    ),
    supportEmail: Type.Optional(
      Type.String({ format: 'email', maxLength: 254, description: 'Where users can ask for help.' }),
    ),
    supportUrl: Type.Optional(RedirectUrl),
    languages: Type.Optional(
      Type.Array(Type.Enum([...locales]), {
        minItems: 1,
        uniqueItems: true,
        description:
          'The languages of the hosted pages, the usual one first. Who asks for another gets the usual one. Absent: all, and English.',
      }),
    ),
  },
  {
    title: 'Branding',
    additionalProperties: false,
    description: 'How the merchant appears on the hosted forms.',
  },
);

const settings = {
  name: Type.String({ minLength: 1, maxLength: 120, description: 'The name of the merchant.' }),
  allowedOrigins: Type.Array(Origin, {
    maxItems: 50,
    description: 'The origins that may show the hosted forms in a frame.',
  }),
  redirectUrls: Type.Array(RedirectUrl, {
    maxItems: 50,
    description: 'The addresses that the hosted forms may lead back to.',
  }),
  branding: BrandingShape,
  notifySenders: Type.Enum([...notifySenders], {
    description:
      'Whether we tell senders by mail when their money has come, was sent, has arrived or went back, and when we need something from them. Usually you tell them yourself, from your notifications.',
  }),
};

const example = {
  clientId: 'acme',
  name: 'Acme Transfers',
  status: 'active',
  allowedOrigins: ['https://acme.example'],
  redirectUrls: ['https://acme.example/done'],
  branding: { color: '#0a7d55', supportEmail: 'help@acme.example' },
  notifySenders: 'none',
  createdAt: '2026-11-15T09:30:00.000Z',
};

export const MerchantShape = Type.Object(
  {
    clientId: Type.String({ description: 'The client id of the merchant.' }),
    ...settings,
    status: Type.Enum(['active', 'suspended'], {
      description: 'The tokens of a suspended merchant are refused.',
    }),
    createdAt: time('When the merchant was created.'),
  },
  { title: 'Merchant', examples: [example] },
);

export const NewMerchantShape = Type.Object(
  {
    clientId: Type.Optional(
      Type.String({
        pattern: '^[a-z0-9][a-z0-9_-]{2,63}$',
        description: 'The client id. Absent: one is generated.',
      }),
    ),
    name: settings.name,
    allowedOrigins: Type.Optional(settings.allowedOrigins),
    redirectUrls: Type.Optional(settings.redirectUrls),
    branding: Type.Optional(settings.branding),
    notifySenders: Type.Optional(settings.notifySenders),
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
    notifySenders: Type.Optional(settings.notifySenders),
  },
  { title: 'MerchantChange', additionalProperties: false, examples: [{ name: 'Acme Money' }] },
);

export const NewSecretShape = Type.Object(
  {
    clientId: Type.String({ description: 'The client id of the merchant.' }),
    clientSecret: Type.String({ description: 'The secret. Shown once; only its hash is stored.' }),
  },
  { title: 'NewSecret', examples: [{ clientId: 'acme', clientSecret: 'rms_6Rk3…' }] },
);

export const RotationShape = Type.Object(
  {
    endOthers: Type.Optional(
      Type.Boolean({ description: 'For a leaked secret: all other secrets and all tokens end at once.' }),
    ),
  },
  { title: 'SecretRotation', additionalProperties: false, examples: [{ endOthers: false }] },
);
