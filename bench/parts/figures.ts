/** Medians, spreads and tables. */

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** The median with the smallest and the largest: `0.72 (0.70–0.74)`. */
export function spread(values: readonly number[], digits = 2): string {
  const [least, most] = [Math.min(...values), Math.max(...values)].map((value) => value.toFixed(digits));
  return `${median(values).toFixed(digits)} (${least}–${most})`;
}

export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)));
  for (const cells of [head, widths.map((width) => '─'.repeat(width)), ...rows]) {
    console.log(line(cells).join('  '));
  }
}

/** Prints the verdict, and lets the process end with it. */
export function judge(what: string, isMet: boolean): void {
  console.log(`${isMet ? 'PASS' : 'FAIL'}  ${what}`);
  if (!isMet) process.exitCode = 1;
}
