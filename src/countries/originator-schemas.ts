/** What must be known of a sender, on the wire. */
import Type, { type Static } from 'typebox';
import { type OriginatorDemand, originatorParts } from './originator.js';

const PartShape = Type.Enum([...originatorParts]);

export const OriginatorDemandShape = Type.Object(
  {
    name: Type.String({ description: 'What asks for it.' }),
    article: Type.String({ description: 'The article of the law.' }),
    source: Type.String({ description: 'Where it is published.' }),
    appliesTo: Type.Enum(['all', 'out_of_eea', 'from_us'], {
      description:
        'To which transfers: all, those of a licensee in the EEA to a country outside, or those of senders in the United States.',
    }),
    fromUsd: Type.Number({ description: 'From which value of the order, in US dollars, as limits count it.' }),
    anyOf: Type.Array(Type.Array(PartShape), {
      description:
        'One of these lists must be known completely. `address` is in the profile; the form of a KYC level asks for the others.',
    }),
  },
  { title: 'OriginatorDemand' },
);

export const originatorDemandExample = {
  name: 'Transmittal of funds',
  article: '31 CFR 1010.410(f)(1)',
  source: 'https://www.ecfr.gov/current/title-31/section-1010.410',
  appliesTo: 'from_us' as const,
  fromUsd: 3000,
  anyOf: [['address' as const]],
};

export function viewOfDemand(demand: OriginatorDemand): Static<typeof OriginatorDemandShape> {
  const { name, article, source, appliesTo, fromUsdMinor, anyOf } = demand;
  return {
    name,
    article,
    source,
    appliesTo,
    fromUsd: Number(fromUsdMinor) / 100,
    anyOf: anyOf.map((parts) => [...parts]),
  };
}
