/** Corridors between their shape on the wire, with decimal numbers, and their own, with integers of minor units. */
import type { Static } from 'typebox';
import { type FieldFault, RemesaError } from '../errors.js';
import { amount } from '../money/amount.js';
import type { CurrencyCode } from '../money/currency.js';
import { amountFromLiteral, amountToLiteral } from '../money/literal.js';
import type { Corridor, CorridorTerms } from './corridor.js';
import type { CorridorShape, CorridorTermsShape, OperatorCorridorShape } from './schemas.js';

/** Reads every amount from the literal that the operator wrote; all faults together. */
export function readTerms(
  fiatIn: CurrencyCode,
  fiatOut: CurrencyCode,
  body: Static<typeof CorridorTermsShape>,
  literal: (pointer: string) => string | undefined,
): CorridorTerms {
  const faults: FieldFault[] = [];
  const read = (currency: CurrencyCode, pointer: string): bigint => {
    const result = amountFromLiteral(currency, literal(pointer) ?? '');
    if (!('fault' in result)) return result.minor;
    const { fault: code, message } = result;
    faults.push({ field: pointer.slice(1).replaceAll('/', '.'), code, message });
    return 0n;
  };
  const terms: CorridorTerms = {
    isOpen: body.isOpen,
    minInMinor: read(fiatIn, '/minAmountIn'),
    maxInMinor: read(fiatIn, '/maxAmountIn'),
    minOutMinor: read(fiatOut, '/minAmountOut'),
    marginBasisPoints: body.marginBasisPoints,
    feeFixedMinor: read(fiatIn, '/feeFixed'),
    feeBasisPoints: body.feeBasisPoints,
    quoteLifetimeSeconds: body.quoteLifetimeSeconds,
    kycBands: body.kycBands.map(({ upTo, level }, index) => ({
      upToMinor: upTo === undefined ? undefined : read(fiatIn, `/kycBands/${index}/upTo`),
      level,
    })),
    payoutMethods: body.payoutMethods,
  };
  faults.push(...contradictions(terms));
  if (faults.length > 0) {
    throw new RemesaError('invalid', 'invalid_fields', `${faults.length} fields are not right.`, {
      errors: faults,
    });
  }
  return terms;
}

function contradictions(terms: CorridorTerms): FieldFault[] {
  const faults: FieldFault[] = [];
  const fault = (field: string, message: string) => faults.push({ field, code: 'not_allowed', message });
  if (terms.minInMinor <= 0n) fault('minAmountIn', 'must be more than nothing');
  if (terms.minOutMinor <= 0n) fault('minAmountOut', 'must be more than nothing');
  if (terms.maxInMinor < terms.minInMinor) fault('maxAmountIn', 'must not be less than minAmountIn');
  const ends = terms.kycBands.map((band) => band.upToMinor);
  const isRising = ends.every(
    (end, index) => index === 0 || (ends[index - 1] ?? 0n) < (end ?? terms.maxInMinor + 1n),
  );
  const isOpenAtTheEndOnly = ends.every((end, index) => (end === undefined) === (index === ends.length - 1));
  if (!isRising || !isOpenAtTheEndOnly) fault('kycBands', 'must rise, and only the last has no upTo');
  return faults;
}

export function publicCorridor(corridor: Corridor): Static<typeof CorridorShape> {
  const { fiatIn, fiatOut, isOpen, quoteLifetimeSeconds, kycBands, payoutMethods } = corridor;
  return {
    fiatIn,
    fiatOut,
    isOpen,
    minAmountIn: numberOf(fiatIn, corridor.minInMinor),
    maxAmountIn: numberOf(fiatIn, corridor.maxInMinor),
    minAmountOut: numberOf(fiatOut, corridor.minOutMinor),
    quoteLifetimeSeconds,
    kycBands: kycBands.map(({ upToMinor, level }) => ({
      ...(upToMinor === undefined ? {} : { upTo: numberOf(fiatIn, upToMinor) }),
      level,
    })),
    payoutMethods: [...payoutMethods],
  };
}

export function operatorCorridor(corridor: Corridor): Static<typeof OperatorCorridorShape> {
  const { fiatIn, marginBasisPoints, feeBasisPoints, version } = corridor;
  return {
    ...publicCorridor(corridor),
    marginBasisPoints,
    feeFixed: numberOf(fiatIn, corridor.feeFixedMinor),
    feeBasisPoints,
    version,
  };
}

/** Within fifteen digits a JSON number tells the amount exactly. */
function numberOf(currency: CurrencyCode, minor: bigint): number {
  return Number(amountToLiteral(amount(currency, minor)));
}
