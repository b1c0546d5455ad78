/** The shape of a problem document (RFC 9457) in the OpenAPI document. */
import Type from 'typebox';

const FieldFault = Type.Object(
  {
    field: Type.String({
      description: 'The field, with dots for nested fields: `address.city`. Empty for the body as a whole.',
    }),
    code: Type.String({
      description:
        'What is wrong, for programs: `required`, `unknown_field`, `wrong_type`, `wrong_format`, `not_allowed`, `too_short`, ' +
        '`too_long`, `too_small`, `too_large` or one that belongs to the field. New ones may be added.',
    }),
    message: Type.String({ description: 'What is wrong, for people.' }),
  },
  {
    title: 'FieldFault',
    additionalProperties: true,
    description:
      'A field that is invalid. Other members name what applies: `min`, `max`, `allowed`, `expected`, `example`.',
  },
);

export const Problem = Type.Object(
  {
    type: Type.String({ format: 'uri', description: 'The address of the page that explains this code.' }),
    title: Type.String({
      description: 'The problem in a few words. The same for every problem of this code.',
    }),
    status: Type.Integer({ minimum: 400, maximum: 599, description: 'The HTTP status of the response.' }),
    detail: Type.String({ description: 'What went wrong this time, for people.' }),
    code: Type.String({
      description:
        'What went wrong, for programs. Codes never change their meaning. Each response lists the codes that it may ' +
        'carry; new ones may be added, so treat an unknown code like its status.',
    }),
    requestId: Type.String({
      description: 'The request’s id in our log, also in the header `X-Request-Id`.',
    }),
    errors: Type.Optional(
      Type.Array(FieldFault, { description: 'All invalid fields, with the code `invalid_fields`.' }),
    ),
  },
  {
    title: 'Problem',
    additionalProperties: true,
    description:
      'What went wrong (RFC 9457). Some codes have more members, such as the limit that was exceeded; the examples show them.',
  },
);
