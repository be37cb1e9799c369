/** Something that others want to hear of. */
export class Signal {
  readonly #listeners: (() => void)[] = [];
  readonly #soon: (tell: () => void) => void;
  #isDue = false;

  /** @param soon calls what it is given when it is time to tell; at once unless told otherwise. */
  constructor(soon: (tell: () => void) => void = (tell) => tell()) {
    this.#soon = soon;
  }

  /** Has a function called whenever it is told. */
  on(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Tells all listeners, in the order in which they came; once, if it is told several times before it is time. */
  tell(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.#soon(() => {
      this.#isDue = false;
      for (const listener of this.#listeners) listener();
    });
  }
}
