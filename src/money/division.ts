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

/**
 * Rounds to the nearest integer, and a half to the even one, so that many roundings do not add up in one direction.
 * Throws a RangeError when the divisor is not positive.
 */
export function divideHalfEven(dividend: bigint, divisor: bigint): bigint {
  const floor = divideFloor(dividend, divisor);
  const twiceRemainder = 2n * (dividend - floor * divisor);
  if (twiceRemainder === divisor) return floor % 2n === 0n ? floor : floor + 1n;
  return twiceRemainder > divisor ? floor + 1n : floor;
}

function requirePositive(divisor: bigint): void {
  if (divisor <= 0n) throw new RangeError(`the divisor must be positive, not ${divisor}`);
}
