/** The shapes of links to the form, and of the path of its first document. */
import Type from 'typebox';
import { LevelShape, time, ZoneShape } from '../kyc/cases/schemas.js';
import { locales } from '../locale.js';

export const RegisterPath = Type.Object({ kycLevel: LevelShape, zone: ZoneShape });

export const NewLinkShape = Type.Object(
  {
    kycLevel: LevelShape,
    zone: ZoneShape,
    redirectUrl: Type.Optional(
      Type.String({
        maxLength: 2000,
        description:
          'Where the last page of the form leads: exactly one of the redirect urls that are registered for you.',
      }),
    ),
    locale: Type.Optional(
      Type.Enum([...locales], {
        description: 'The language of the form. Absent: the language of the user’s browser.',
      }),
    ),
  },
  {
    title: 'NewKycLink',
    additionalProperties: false,
    examples: [{ kycLevel: 'LEVEL_2', zone: 'EEA', locale: 'es' }],
  },
);

export const LinkShape = Type.Object(
  {
    url: Type.String({
      description:
        'The address of the form, for the user’s browser. Anyone who has it can fill in the form: treat it as a secret.',
    }),
    expiresAt: time('When the link ends. It is extended while the user fills in the form, up to 24 hours.'),
  },
  {
    title: 'KycLink',
    examples: [{ url: 'https://remesa.example/kyc/form/q8Zb…', expiresAt: '2026-11-15T10:30:00.000Z' }],
  },
);
