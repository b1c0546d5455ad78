/** Jaro–Winkler similarity, as the usual way to compare a name with every entry of a list. */
const flags = new Uint8Array(1024);

export function jaroWinkler(left: string, right: string): number {
  if (left === right) return 1;
  const range = Math.max(0, Math.floor(Math.max(left.length, right.length) / 2) - 1);
  const rightFlags = flags.subarray(512, 512 + right.length).fill(0);
  const leftFlags = flags.subarray(0, left.length).fill(0);
  let matches = 0;
  for (let index = 0; index < left.length; index += 1) {
    const end = Math.min(right.length, index + range + 1);
    for (let other = Math.max(0, index - range); other < end; other += 1) {
      if (rightFlags[other] === 1 || left.charCodeAt(index) !== right.charCodeAt(other)) continue;
      leftFlags[index] = 1;
      rightFlags[other] = 1;
      matches += 1;
      break;
    }
  }
  if (matches === 0) return 0;
  const swapped = transpositions(left, right, leftFlags, rightFlags);
  const jaro = (matches / left.length + matches / right.length + (matches - swapped / 2) / matches) / 3;
  let prefix = 0;
  while (prefix < 4 && prefix < left.length && left[prefix] === right[prefix]) prefix += 1;
  return jaro + prefix * 0.1 * (1 - jaro);
}

function transpositions(left: string, right: string, leftFlags: Uint8Array, rightFlags: Uint8Array): number {
  let [count, other] = [0, 0];
  for (let index = 0; index < left.length; index += 1) {
    if (leftFlags[index] !== 1) continue;
    while (rightFlags[other] !== 1) other += 1;
    if (left.charCodeAt(index) !== right.charCodeAt(other)) count += 1;
    other += 1;
  }
  return count;
}
