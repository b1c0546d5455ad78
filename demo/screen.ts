/** Draws the demo: in colour and paced on a terminal, plain and at once elsewhere. */
import { setTimeout as pause } from 'node:timers/promises';

export interface ScreenOptions {
  readonly write: (text: string) => void;
  readonly isColour: boolean;
  /** How long to wait after a step, so that people can read it. */
  readonly paceMs: number;
  readonly width: number;
}

const codes = {
  ...{ bold: '1', dim: '2', red: '31', green: '32', yellow: '33', blue: '34', magenta: '35', cyan: '36' },
} as const;
type Colour = keyof typeof codes;

const indent = '     ';
const longestString = 64;
const longestBody = 22;

export class Screen {
  #chapter = 0;

  constructor(readonly options: ScreenOptions) {}

  title(text: string, subtitle: string): void {
    const width = Math.min(this.options.width - 4, 96);
    this.line();
    this.line(`  ${this.#paint(text, 'bold', 'cyan')}`);
    this.line(`  ${this.#paint(subtitle, 'dim')}`);
    this.line(`  ${this.#paint('─'.repeat(width), 'dim')}`);
  }

  /** A numbered step of the story. */
  async chapter(text: string): Promise<void> {
    await pause(this.options.paceMs);
    this.#chapter += 1;
    this.line();
    this.line(
      `  ${this.#paint(String(this.#chapter).padStart(2), 'bold', 'blue')} ${this.#paint(text, 'bold')}`,
    );
  }

  request(method: string, path: string, body: unknown): void {
    this.line(`${indent}${this.#paint('→', 'blue')} ${this.#paint(method, 'blue')} ${path}`);
    if (body !== undefined) this.#json(body);
  }

  async answer(status: number, body: unknown): Promise<void> {
    await pause(this.options.paceMs / 2);
    const colour = status < 300 ? 'green' : 'red';
    this.line(`${indent}${this.#paint('←', colour)} ${this.#paint(String(status), 'bold', colour)}`);
    if (body !== undefined) this.#json(body);
  }

  webhook(type: string, sequence: number, details: string): void {
    const head = `${this.#paint('⚡', 'magenta')} ${this.#paint(type.padEnd(26), 'magenta')}`;
    const signed = `${this.#paint('✓', 'green')} ${this.#paint('signed', 'dim')}`;
    this.line(
      `${indent}${head} ${this.#paint(`#${sequence}`.padEnd(6), 'dim')} ${signed}  ${this.#paint(details, 'dim')}`,
    );
  }

  /** Something that has been shown to be true. */
  fact(text: string): void {
    this.line(`${indent}${this.#paint('✓', 'green')} ${text}`);
  }

  note(text: string): void {
    this.line(`${indent}${this.#paint(text, 'dim')}`);
  }

  failure(text: string): void {
    this.line(`${indent}${this.#paint('✗', 'bold', 'red')} ${this.#paint(text, 'red')}`);
  }

  /** Columns as wide as their widest cell; the columns in `right` are flush right. */
  table(rows: readonly (readonly string[])[], right: readonly number[] = []): void {
    const widths = (rows[0] ?? []).map((_, column) =>
      Math.max(...rows.map((row) => [...(row[column] ?? '')].length)),
    );
    for (const row of rows) {
      const cells = row.map((cell, column) => {
        const space = ' '.repeat(Math.max(0, (widths[column] ?? 0) - [...cell].length));
        return right.includes(column) ? `${space}${cell}` : `${cell}${space}`;
      });
      this.line(`${indent}${cells.join('  ').trimEnd()}`);
    }
  }

  heading(text: string): void {
    this.line();
    this.line(`${indent}${this.#paint(text, 'bold')}`);
  }

  end(isGood: boolean, text: string): void {
    this.line();
    this.line(`  ${this.#paint(isGood ? '●' : '✗', isGood ? 'green' : 'red')} ${this.#paint(text, 'bold')}`);
  }

  line(text = ''): void {
    this.options.write(`${text}\n`);
  }

  #json(value: unknown): void {
    const lines = JSON.stringify(shortened(value), undefined, 2).split('\n');
    const shown = lines.length > longestBody ? [...lines.slice(0, longestBody - 1), '…'] : lines;
    for (const line of shown) this.line(`${indent}  ${this.#coloured(line)}`);
  }

  /** Keys, texts and numbers of a line of JSON in their own colours. */
  #coloured(line: string): string {
    const parts = /^(\s*)("[^"]*":)?(.*)$/.exec(line);
    if (!parts) return line;
    const [, space = '', key = '', value = ''] = parts;
    const painted = /^ ?"/.test(value) ? this.#paint(value, 'green') : this.#paint(value, 'yellow');
    const isBracket = /^\s*[[\]{},]*$/.test(value);
    return `${space}${key === '' ? '' : this.#paint(key, 'cyan')}${isBracket ? this.#paint(value, 'dim') : painted}`;
  }

  #paint(text: string, ...colours: readonly Colour[]): string {
    if (!this.options.isColour || text === '') return text;
    return `\u001b[${colours.map((colour) => codes[colour]).join(';')}m${text}\u001b[0m`;
  }
}

/** Long texts are cut, so that an answer fits on the screen. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > longestString ? `${value.slice(0, longestString - 1)}…` : value;
  if (Array.isArray(value)) return value.map(shortened);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shortened(part)]));
}
