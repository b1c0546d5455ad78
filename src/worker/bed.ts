/** Where a loop rests. A wake-up that comes while it is still at work is remembered. */
export class Bed {
  #awake = false;
  #rise: (() => void) | undefined;

  wake(): void {
    this.#awake = true;
    this.#rise?.();
  }

  async rest(milliseconds: number): Promise<void> {
    if (!this.#awake) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        this.#rise = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#rise = undefined;
    this.#awake = false;
  }
}
