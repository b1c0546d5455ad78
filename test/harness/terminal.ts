/** A terminal into which a test pastes the commands of a guide, one block after the other, as a reader would. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from './eventually.js';
import { root } from './programs.js';

export class Terminal {
  readonly #shell: ChildProcess;
  #output = '';
  #errors = '';
  #pasted = 0;

  constructor(environment: Readonly<Record<string, string>>) {
    this.#shell = spawn('bash', ['--noprofile', '--norc'], {
      cwd: root,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#shell.stdout?.on('data', (data) => {
      this.#output += data;
    });
    this.#shell.stderr?.on('data', (data) => {
      this.#errors += data;
    });
  }

  /**
   * Pastes a block and returns what it printed to standard output. Each `read` gets the next of the secrets. Throws
   * when a command wrote an error.
   */
  async paste(block: string, secrets: string[] = []): Promise<string> {
    this.#pasted += 1;
    const end = `the end of block ${this.#pasted}`;
    const lines = block
      .split('\n')
      .flatMap((line) => (line.startsWith('read ') ? [line, secrets.shift() ?? ''] : [line, 'echo']));
    const before = this.#output.length;
    this.#shell.stdin?.write(`${lines.join('\n')}\necho '${end}'\n`);
    await eventually(() => this.#output.includes(end), { what: `${end}:\n${block}`, withinMs: 120_000 });
    const printed = this.#output.slice(before, this.#output.indexOf(end));
    if (/^curl: /m.test(this.#errors)) throw new Error(`${block}\n${this.#errors}`);
    return printed;
  }

  /** What the commands told the reader beside their results. */
  get messages(): string {
    return this.#errors;
  }

  async close(): Promise<void> {
    if (this.#shell.exitCode !== null) return;
    const closed = once(this.#shell, 'close');
    this.#shell.stdin?.end();
    this.#shell.kill('SIGTERM');
    await closed;
  }
}
