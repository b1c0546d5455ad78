/** Whole-number division in which the rounding is part of the name: `bigint` alone cuts towards zero. */

/** Towards minus infinity. */
export function divideFloor(dividend: bigint, divisor: bigint): bigint {
  refuseDivisor(divisor);
  const quotient = dividend / divisor;
  return dividend % divisor < 0n ? quotient - 1n : quotient;
}

/** Towards plus infinity. */
export function divideCeil(dividend: bigint, divisor: bigint): bigint {
  refuseDivisor(divisor);
  const quotient = dividend / divisor;
  return dividend % divisor > 0n ? quotient + 1n : quotient;
}

/** To the nearest; from the middle to the even one, so that many roundings lean to neither side. */
export function divideHalfEven(dividend: bigint, divisor: bigint): bigint {
  const floor = divideFloor(dividend, divisor);
  const twiceRest = 2n * (dividend - floor * divisor);
  if (twiceRest === divisor) return floor % 2n === 0n ? floor : floor + 1n;
  return twiceRest > divisor ? floor + 1n : floor;
}

function refuseDivisor(divisor: bigint): void {
  if (divisor <= 0n) throw new RangeError(`the divisor must be positive, not ${divisor}`);
}
