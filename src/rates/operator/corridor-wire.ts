/** Converts corridors between the wire, with decimal numbers, and the domain, with integers of minor units. */
import type { Static } from 'typebox';
import { type FieldFault, RemesaError } from '../../errors.js';
import { amount } from '../../money/amount.js';
import type { CurrencyCode } from '../../money/currency.js';
import { amountFromLiteral, amountToLiteral } from '../../money/literal.js';
import { type Pair, pairKey } from '../board/guard.js';
import type { Corridor, EditedTerms, KycBand } from '../corridors/corridor.js';
import type {
  CorridorShape,
  CorridorsBody,
  CorridorTermsShape,
  OperatorCorridorShape,
  SaveCorridorBody,
} from './corridor-schemas.js';
import type { CorridorEdit } from './corridor-service.js';

/** The amounts of a corridor, which are read from their text, never from a float. */
const termFields = ['/minAmountIn', '/maxAmountIn', '/minAmountOut', '/feeFixed', '/kycBands/*/upTo'];
export const corridorLiterals = termFields;
export const corridorsLiterals = termFields.map((pointer) => `/*${pointer}`);

/** A number of the body as it was written, by JSON pointer. */
type Literal = (pointer: string) => string | undefined;

/** Reads the corridor that the path names. Throws `invalid_fields` with all faults. */
export function readCorridor(path: Pair, body: Static<typeof SaveCorridorBody>, literal: Literal): CorridorEdit {
  const { terms, faults } = readTerms(path, body, literal);
  if ((body.fiatIn ?? path.fiatIn) !== path.fiatIn)
    faults.push(notAllowed('fiatIn', 'must be the currency in the path'));
  if ((body.fiatOut ?? path.fiatOut) !== path.fiatOut)
    faults.push(notAllowed('fiatOut', 'must be the currency in the path'));
  refuse(faults);
  return { ...path, terms, version: body.version };
}

/** Reads many corridors. Throws `invalid_fields` with the faults of all of them. */
export function readCorridors(body: Static<typeof CorridorsBody>, literal: Literal): CorridorEdit[] {
  const seen = new Set<string>();
  const faults: FieldFault[] = [];
  const edits = body.map((corridor, index) => {
    const pair = { fiatIn: corridor.fiatIn as CurrencyCode, fiatOut: corridor.fiatOut as CurrencyCode };
    const read = readTerms(pair, corridor, (pointer) => literal(`/${index}${pointer}`));
    faults.push(...read.faults.map((fault) => ({ ...fault, field: `${index}.${fault.field}` })));
    const key = pairKey(pair.fiatIn, pair.fiatOut);
    if (seen.has(key)) faults.push(notAllowed(`${index}`, 'repeats an earlier corridor of the list'));
    seen.add(key);
    return { ...pair, terms: read.terms, version: corridor.version };
  });
  refuse(faults);
  return edits;
}

function refuse(faults: readonly FieldFault[]): void {
  if (faults.length === 0) return;
  throw new RemesaError(
    'invalid',
    'invalid_fields',
    faults.length === 1 ? 'One field is invalid.' : `${faults.length} fields are invalid.`,
    {
      errors: faults,
    },
  );
}

/** Returns the terms with all their faults. Amounts are read from the text of the numbers. */
function readTerms(
  { fiatIn, fiatOut }: Pair,
  body: Static<typeof CorridorTermsShape>,
  literal: Literal,
): { terms: EditedTerms; faults: FieldFault[] } {
  const faults: FieldFault[] = [];
  const read = (currency: CurrencyCode, pointer: string): bigint => {
    const result = amountFromLiteral(currency, literal(pointer) ?? '');
    if (!('fault' in result)) return result.minor;
    const { fault: code, ...limits } = result;
    faults.push({ field: pointer.slice(1).replaceAll('/', '.'), code, ...limits });
    return 0n;
  };
  const { rateToleranceBasisPoints, rateMaxAgeHours, onHold } = body;
  const { rateGuaranteeHours, paymentDueHours, maxUnpaidOrders, countsUnpaidOrders } = body;
  const terms: EditedTerms = {
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
    ...(rateToleranceBasisPoints === undefined ? {} : { rateToleranceBasisPoints }),
    ...(rateMaxAgeHours === undefined ? {} : { rateMaxAgeHours }),
    ...(onHold === undefined ? {} : { onHold }),
    ...(rateGuaranteeHours === undefined ? {} : { rateGuaranteeHours }),
    ...(paymentDueHours === undefined ? {} : { paymentDueHours }),
    ...(maxUnpaidOrders === undefined ? {} : { maxUnpaidOrders }),
    ...(countsUnpaidOrders === undefined ? {} : { countsUnpaidOrders }),
  };
  const isReadable = ({ field }: FieldFault) => !faults.some((fault) => `${fault.field}.`.startsWith(`${field}.`));
  if (fiatIn === fiatOut) faults.push(notAllowed('fiatOut', 'must differ from fiatIn'));
  faults.push(...contradictions(terms).filter(isReadable));
  return { terms, faults };
}

function contradictions(terms: EditedTerms): FieldFault[] {
  const { minInMinor, maxInMinor, minOutMinor, kycBands, payoutMethods } = terms;
  const faults: FieldFault[] = [];
  if (minInMinor <= 0n) faults.push(notAllowed('minAmountIn', 'must be greater than 0'));
  if (minOutMinor <= 0n) faults.push(notAllowed('minAmountOut', 'must be greater than 0'));
  if (maxInMinor < minInMinor) faults.push(notAllowed('maxAmountIn', 'must not be less than minAmountIn'));
  if (!kycBands.every((band, index) => isBelow(band, kycBands[index + 1])))
    faults.push(notAllowed('kycBands', 'must increase in upTo and level, and only the last band may lack upTo'));
  if (new Set(payoutMethods).size < payoutMethods.length)
    faults.push(notAllowed('payoutMethods', 'must name each method once'));
  return faults;
}

function isBelow(band: KycBand, next: KycBand | undefined): boolean {
  if (next === undefined || band.upToMinor === undefined) return next === band.upToMinor;
  return (next.upToMinor === undefined || band.upToMinor < next.upToMinor) && band.level < next.level;
}

function notAllowed(field: string, message: string): FieldFault {
  return { field, code: 'not_allowed', message };
}

/** A corridor whose rate is held looks closed. */
export function publicCorridor(corridor: Corridor, { isHeld }: { isHeld: boolean }): Static<typeof CorridorShape> {
  const { fiatIn, fiatOut, isOpen, quoteLifetimeSeconds, kycBands, payoutMethods } = corridor;
  const { rateGuaranteeHours, paymentDueHours, maxUnpaidOrders } = corridor;
  return {
    fiatIn,
    fiatOut,
    isOpen: isOpen && !isHeld,
    minAmountIn: numberOf(fiatIn, corridor.minInMinor),
    maxAmountIn: numberOf(fiatIn, corridor.maxInMinor),
    minAmountOut: numberOf(fiatOut, corridor.minOutMinor),
    quoteLifetimeSeconds,
    kycBands: kycBands.map(({ upToMinor, level }) => ({
      ...(upToMinor === undefined ? {} : { upTo: numberOf(fiatIn, upToMinor) }),
      level,
    })),
    payoutMethods: [...payoutMethods],
    rateGuaranteeHours,
    paymentDueHours,
    maxUnpaidOrders,
  };
}

export function operatorCorridor(corridor: Corridor): Static<typeof OperatorCorridorShape> {
  const { fiatIn, marginBasisPoints, feeBasisPoints, version } = corridor;
  const { rateToleranceBasisPoints, rateMaxAgeHours, onHold, countsUnpaidOrders } = corridor;
  return {
    ...publicCorridor(corridor, { isHeld: false }),
    marginBasisPoints,
    feeFixed: numberOf(fiatIn, corridor.feeFixedMinor),
    feeBasisPoints,
    rateToleranceBasisPoints,
    rateMaxAgeHours,
    onHold,
    countsUnpaidOrders,
    version,
  };
}

/** Exact, because amounts have at most fifteen digits. */
function numberOf(currency: CurrencyCode, minor: bigint): number {
  return Number(amountToLiteral(amount(currency, minor)));
}
