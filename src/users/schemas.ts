/** The shapes of users on the wire, as in the contract. */
import Type from 'typebox';
import { maxLengths, type ProfileField } from './user.js';

function text(field: ProfileField, description: string) {
  return Type.String({ description: `${description}; at most ${maxLengths[field]} characters.` });
}

const fields = {
  firstName: text('firstName', 'First name, in any script'),
  lastName: text('lastName', 'Last name, in any script'),
  email: text('email', 'E-mail address'),
  address: text('address', 'Street address'),
  city: text('city', 'City'),
  stateProvince: text('stateProvince', 'State or province'),
  countryCode: Type.String({
    description: 'ISO 3166-1 country code of two or three letters; it is stored as two.',
  }),
  postalCode: text('postalCode', 'Postal code'),
};

export const profileExample = {
  firstName: 'Ana',
  lastName: 'Reyes Núñez',
  email: 'ana.reyes@example.com',
  address: '12 Calle del Sol',
  city: 'Valencia',
  stateProvince: 'Valencia',
  countryCode: 'ES',
  postalCode: '46001',
};

export const ProfileShape = Type.Object(fields, {
  title: 'UserDetails',
  description: 'What you have told about the user.',
  additionalProperties: false,
  examples: [profileExample],
});

export const NewUserShape = Type.Object(fields, {
  title: 'NewUser',
  additionalProperties: false,
  examples: [profileExample],
});

export const UserChangeShape = Type.Partial(Type.Object(fields), {
  title: 'UserChange',
  additionalProperties: false,
  examples: [{ city: 'Alicante', postalCode: '03001' }],
});

export const UserShape = Type.Object(
  {
    id: Type.Integer({
      description:
        'The id of the user, assigned by the service. A number of up to 53 bits: keep it as a 64-bit integer or as text.',
    }),
    externalClientId: Type.String({
      description: 'A second id of the user, for your client side, assigned by the service.',
    }),
  },
  { title: 'User', examples: [{ id: 241958564297829, externalClientId: 'cli_7ZQ4M1K8V2T9X5B3N6H0C7D2FW' }] },
);

export const PageQuery = Type.Object(
  {
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, description: 'The size of a page. Absent: all users.' }),
    ),
    after: Type.Optional(Type.Integer({ minimum: 0, description: 'Only users with a larger id.' })),
  },
  { additionalProperties: false },
);
