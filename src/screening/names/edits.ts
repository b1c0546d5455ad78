/** The number of typing errors between two words: a wrong, missing or extra letter, or two letters swapped. */

/** Returns `limit + 1` when there are more errors than `limit`. */
export function editsBetween(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) > limit) return limit + 1;
  if (left === right) return 0;
  const [first, second, leftEnd, rightEnd] = differing(left, right);
  if (limit === 1) return isOneEdit(left.slice(first, leftEnd), right.slice(second, rightEnd)) ? 1 : 2;
  return Math.min(limit + 1, fullDistance(left.slice(first, leftEnd), right.slice(second, rightEnd)));
}

/** The parts without the equal beginnings and endings. */
function differing(left: string, right: string): [number, number, number, number] {
  let start = 0;
  const shorter = Math.min(left.length, right.length);
  while (start < shorter && left.charCodeAt(start) === right.charCodeAt(start)) start += 1;
  let leftEnd = left.length;
  let rightEnd = right.length;
  while (leftEnd > start && rightEnd > start && left.charCodeAt(leftEnd - 1) === right.charCodeAt(rightEnd - 1)) {
    leftEnd -= 1;
    rightEnd -= 1;
  }
  return [start, start, leftEnd, rightEnd];
}

function isOneEdit(left: string, right: string): boolean {
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}

/** Optimal string alignment, with three rows. The words are short: both were cut to where they differ. */
function fullDistance(left: string, right: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isEqual = left[row - 1] === right[column - 1];
      let cost = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (isEqual ? 0 : 1),
      );
      const isSwapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (isSwapped) cost = Math.min(cost, (beforePrevious[column - 2] ?? 0) + 1);
      current.push(cost);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[right.length] ?? 0;
}
