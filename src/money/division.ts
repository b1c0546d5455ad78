/** Integer division whose name states the rounding. The operator `/` on `bigint` rounds towards zero. */

/** Rounds towards minus infinity. Throws a RangeError when the divisor is not positive. */
export function divideFloor(dividend: bigint, divisor: bigint): bigint {
  requirePositive(divisor);
  const quotient = dividend / divisor;
  return dividend % divisor < 0n ? quotient - 1n : quotient;
}

/** Rounds towards plus infinity. Throws a RangeError when the divisor is not positive. */
export function divideCeil(dividend: bigint, divisor: bigint): bigint {
  requirePositive(divisor);
  const quotient = dividend / divisor;
  return dividend % divisor > 0n ? quotient + 1n : quotient;
}

function requirePositive(divisor: bigint): void {
  if (divisor <= 0n) throw new RangeError(`the divisor must be positive, not ${divisor}`);
}

/**
 * By the largest remainder: each gets its proportion rounded down, and the units that are left go to those whose
 * proportion was cut most, the first ones first. The parts always sum to the total, and none exceeds its weight when
 * the total does not exceed the sum of the weights. Throws when there is something to divide and nobody to get it.
 */
export function divideByWeight(total: bigint, weights: readonly bigint[]): bigint[] {
  const sum = weights.reduce((all, weight) => all + weight, 0n);
  if (total === 0n) return weights.map(() => 0n);
  if (sum <= 0n || total < 0n || weights.some((weight) => weight < 0n)) throw new RangeError('nothing can be divided');
  const parts = weights.map((weight) => (total * weight) / sum);
  const left = Number(total - parts.reduce((all, part) => all + part, 0n));
  const byRemainder = weights
    .map((weight, index) => ({ index, remainder: (total * weight) % sum }))
    .sort((one, other) => Number(other.remainder > one.remainder) - Number(other.remainder < one.remainder));
  const getsMore = new Set(byRemainder.slice(0, left).map(({ index }) => index));
  return parts.map((part, index) => (getsMore.has(index) ? part + 1n : part));
}
