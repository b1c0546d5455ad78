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
