/** Something that others can listen to. */
export class Signal {
  readonly #listeners: (() => void)[] = [];
  readonly #soon: (tell: () => void) => void;
  #isDue = false;

  /** @param soon calls its argument when it is time to notify; by default at once. */
  constructor(soon: (tell: () => void) => void = (tell) => tell()) {
    this.#soon = soon;
  }

  /** Registers a function to call at every notification. */
  on(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Calls all listeners, in the order in which they came; once for several notifications in a row. */
  tell(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.#soon(() => {
      this.#isDue = false;
      for (const listener of this.#listeners) listener();
    });
  }
}
