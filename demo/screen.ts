/** Draws the demo: in colour and paced on a terminal, plain and at once elsewhere. No line is wider than the screen. */
import { setTimeout as pause } from 'node:timers/promises';
import { columns, cut, sideBySide, wrap } from './layout.js';

export interface ScreenOptions {
  readonly write: (text: string) => void;
  readonly isColour: boolean;
  /** How long to wait after a step, so that people can read it. */
  readonly paceMs: number;
  readonly width: number;
  /** Ends every wait: somebody wants to stop. */
  readonly signal: AbortSignal;
}

/** Readable on a light and on a dark background: no yellow, no blue. */
const codes = { bold: '1', dim: '2', red: '31', green: '32', magenta: '35', cyan: '36' } as const;
type Colour = keyof typeof codes;

const indent = '     ';
const widest = 96;
const longestBody = 24;

export class Screen {
  #chapter = 0;
  /** What is left of a line beside the indent. */
  readonly #room: number;

  constructor(readonly options: ScreenOptions) {
    this.#room = Math.min(options.width, widest) - indent.length - 1;
  }

  title(text: string, subtitle: string): void {
    this.line();
    this.line(`  ${this.#paint(text, 'bold', 'cyan')}`);
    for (const line of wrap(subtitle, this.#room)) this.line(`  ${this.#paint(line, 'dim')}`);
    this.line(`  ${this.#paint('─'.repeat(this.#room + 2), 'dim')}`);
  }

  /** A numbered step of the story. */
  async chapter(text: string): Promise<void> {
    await this.wait(this.options.paceMs);
    this.#chapter += 1;
    this.line();
    const [first = '', ...more] = wrap(text, this.#room);
    const number = this.#paint(String(this.#chapter).padStart(2), 'bold', 'cyan');
    this.line(`  ${number} ${this.#paint(first, 'bold')}`);
    for (const line of more) this.line(`${indent}${this.#paint(line, 'bold')}`);
  }

  request(method: string, path: string, body: unknown): void {
    const line = cut(path, this.#room - method.length - 3);
    this.line(`${indent}${this.#paint('→', 'cyan')} ${this.#paint(method, 'bold', 'cyan')} ${line}`);
    if (body !== undefined) this.#json(body);
  }

  async answer(status: number, body: unknown): Promise<void> {
    await this.wait(this.options.paceMs / 2);
    const colour = status < 300 ? 'green' : 'red';
    this.line(`${indent}${this.#paint('←', colour)} ${this.#paint(String(status), 'bold', colour)}`);
    if (body !== undefined) this.#json(body);
  }

  webhook(type: string, sequence: number, status: string): void {
    const head = `${this.#paint('◆', 'magenta')} ${this.#paint(type.padEnd(26), 'magenta')}`;
    const signed = `${this.#paint('✓', 'green')} signed`;
    this.line(`${indent}${head} ${this.#paint(`#${sequence}`.padEnd(5), 'dim')} ${status.padEnd(17)} ${signed}`);
  }

  /** Something that has been shown to be true. */
  fact(text: string): void {
    this.#marked('✓', text, ['green']);
  }

  failure(text: string): void {
    this.#marked('✗', text, ['bold', 'red']);
  }

  /** `depth`: how far it is moved to the right, below what it belongs to. */
  note(text: string, depth = 0): void {
    const space = ' '.repeat(depth);
    for (const line of wrap(text, this.#room - depth)) this.line(`${indent}${space}${this.#paint(line, 'dim')}`);
  }

  table(rows: readonly (readonly string[])[], right: readonly number[] = []): void {
    for (const line of columns(rows, this.#room, right)) this.line(`${indent}${line}`);
  }

  names(names: readonly string[]): void {
    for (const line of sideBySide(names, this.#room)) this.line(`${indent}${line}`);
  }

  heading(text: string): void {
    this.line();
    this.line(`${indent}${this.#paint(text, 'bold')}`);
  }

  end(isGood: boolean, text: string): void {
    this.line();
    this.line(`  ${this.#paint(isGood ? '●' : '✗', isGood ? 'green' : 'red')}  ${this.#paint(text, 'bold')}`);
    this.line();
  }

  line(text = ''): void {
    this.options.write(`${text}\n`);
  }

  /** Throws an `AbortError` when somebody wants to stop. */
  wait(milliseconds: number): Promise<void> {
    return pause(milliseconds, undefined, { signal: this.options.signal });
  }

  #marked(mark: string, text: string, colours: readonly Colour[]): void {
    const [first = '', ...more] = wrap(text, this.#room - 2);
    this.line(`${indent}${this.#paint(mark, ...colours)} ${first}`);
    for (const line of more) this.line(`${indent}  ${line}`);
  }

  #json(value: unknown): void {
    const lines = JSON.stringify(value, undefined, 2).split('\n');
    const shown = lines.length > longestBody ? [...lines.slice(0, longestBody - 1), '…'] : lines;
    for (const line of shown) this.line(`${indent}  ${this.#coloured(cut(line, this.#room - 2))}`);
  }

  /** The keys and the texts of a line of JSON in their own colours. */
  #coloured(line: string): string {
    const parts = /^(\s*)("[^"]*":)?(.*)$/.exec(line);
    if (!parts) return line;
    const [, space = '', key = '', value = ''] = parts;
    const colours: Colour[] = /^ ?"/.test(value) ? ['green'] : /^[\s[\]{},…]*$/.test(value) ? ['dim'] : [];
    return `${space}${this.#paint(key, 'cyan')}${this.#paint(value, ...colours)}`;
  }

  #paint(text: string, ...colours: readonly Colour[]): string {
    if (!this.options.isColour || text === '' || colours.length === 0) return text;
    return `\u001b[${colours.map((colour) => codes[colour]).join(';')}m${text}\u001b[0m`;
  }
}
