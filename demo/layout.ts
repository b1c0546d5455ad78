/** Fits texts into the width of a screen. Pure. */

/** Breaks a text between words into lines of this width. A longer word, such as an address, keeps its line. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && lengthOf(line) + 1 + lengthOf(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** Ends a text that is too long with `…`. */
export function cut(text: string, width: number): string {
  return lengthOf(text) > width ? `${[...text].slice(0, Math.max(0, width - 1)).join('')}…` : text;
}

/**
 * Columns as wide as their widest cell, with two spaces between; those in `right` are flush right. The last one is
 * wrapped where the line would be wider than the screen.
 */
export function columns(rows: readonly (readonly string[])[], width: number, right: readonly number[] = []): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => lengthOf(row[column] ?? ''))));
  const before = widths.slice(0, -1).reduce((sum, each) => sum + each + 2, 0);
  return rows.flatMap((row) => {
    const cells = row.slice(0, -1).map((cell, column) => padded(cell, widths[column] ?? 0, right.includes(column)));
    const isRight = right.includes(row.length - 1);
    const last = padded(row.at(-1) ?? '', widths.at(-1) ?? 0, isRight);
    const [first = '', ...more] = isRight ? [last] : wrap(row.at(-1) ?? '', Math.max(20, width - before));
    return [[...cells, first].join('  ').trimEnd(), ...more.map((line) => `${' '.repeat(before)}${line}`)];
  });
}

/** Short texts side by side, as many as fit. */
export function sideBySide(texts: readonly string[], width: number): string[] {
  const each = Math.max(...texts.map(lengthOf)) + 2;
  const perLine = Math.max(1, Math.floor((width + 2) / each));
  const lines: string[] = [];
  for (let index = 0; index < texts.length; index += perLine) {
    const line = texts.slice(index, index + perLine).map((text) => padded(text, each, false));
    lines.push(line.join('').trimEnd());
  }
  return lines;
}

function padded(text: string, width: number, isRight: boolean): string {
  const space = ' '.repeat(Math.max(0, width - lengthOf(text)));
  return isRight ? `${space}${text}` : `${text}${space}`;
}

function lengthOf(text: string): number {
  return [...text].length;
}
