/**
 * Lets a loop wait until a time has passed or it is woken. A wake-up that arrives while it works ends the next wait.
 */
export class IdleTimer {
  #isWoken = false;
  #endWait: (() => void) | undefined;

  wake(): void {
    this.#isWoken = true;
    this.#endWait?.();
  }

  async wait(milliseconds: number): Promise<void> {
    if (!this.#isWoken) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        this.#endWait = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#endWait = undefined;
    this.#isWoken = false;
  }
}
