/** Corridors between their shape on the wire, with decimal numbers, and their own, with integers of minor units. */
import type { Static } from 'typebox';
import { type FieldFault, RemesaError } from '../errors.js';
import { amount } from '../money/amount.js';
import type { CurrencyCode } from '../money/currency.js';
import { amountFromLiteral, amountToLiteral } from '../money/literal.js';
import type { Corridor, CorridorTerms, KycBand } from './corridor.js';
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
    const { fault: code, ...further } = result;
    faults.push({ field: pointer.slice(1).replaceAll('/', '.'), code, ...further });
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
  const isReadable = ({ field }: FieldFault) =>
    !faults.some((fault) => `${fault.field}.`.startsWith(`${field}.`));
  if (fiatIn === fiatOut) faults.push(notAllowed('fiatOut', 'must be another currency than fiatIn'));
  faults.push(...contradictions(terms).filter(isReadable));
  if (faults.length > 0) {
    throw new RemesaError('invalid', 'invalid_fields', `${faults.length} fields are invalid.`, {
      errors: faults,
    });
  }
  return terms;
}

function contradictions(terms: CorridorTerms): FieldFault[] {
  const { minInMinor, maxInMinor, minOutMinor, kycBands, payoutMethods } = terms;
  const faults: FieldFault[] = [];
  if (minInMinor <= 0n) faults.push(notAllowed('minAmountIn', 'must be more than nothing'));
  if (minOutMinor <= 0n) faults.push(notAllowed('minAmountOut', 'must be more than nothing'));
  if (maxInMinor < minInMinor) faults.push(notAllowed('maxAmountIn', 'must not be less than minAmountIn'));
  if (!kycBands.every((band, index) => isBelow(band, kycBands[index + 1])))
    faults.push(notAllowed('kycBands', 'must rise in upTo and level, and only the last has no upTo'));
  if (new Set(payoutMethods).size < payoutMethods.length)
    faults.push(notAllowed('payoutMethods', 'must name each way once'));
  return faults;
}

function isBelow(band: KycBand, next: KycBand | undefined): boolean {
  if (next === undefined || band.upToMinor === undefined) return next === band.upToMinor;
  return (next.upToMinor === undefined || band.upToMinor < next.upToMinor) && band.level < next.level;
}

function notAllowed(field: string, message: string): FieldFault {
  return { field, code: 'not_allowed', message };
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
