/** Limits the concurrent uploads of one form. A few more wait for their turn; the rest is refused. */
export class FormTurns {
  readonly #underWay = new Map<string, number>();
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(
    readonly atATime: number,
    readonly waiting: number,
  ) {}

  /** Resolves with true when it is this upload's turn, which the caller must end; with false when too many wait already. */
  async begin(form: string): Promise<boolean> {
    const underWay = this.#underWay.get(form) ?? 0;
    if (underWay < this.atATime) {
      this.#underWay.set(form, underWay + 1);
      return true;
    }
    const waiting = this.#waiting.get(form) ?? [];
    if (waiting.length >= this.waiting) return false;
    this.#waiting.set(form, waiting);
    await new Promise<void>((resolve) => waiting.push(resolve));
    return true;
  }

  /** Passes the turn on to the next waiting upload. */
  end(form: string): void {
    const waiting = this.#waiting.get(form);
    const next = waiting?.shift();
    if (waiting?.length === 0) this.#waiting.delete(form);
    if (next) {
      next();
      return;
    }
    const underWay = (this.#underWay.get(form) ?? 1) - 1;
    if (underWay > 0) this.#underWay.set(form, underWay);
    else this.#underWay.delete(form);
  }
}
