/** Something that others want to hear of. */
export class Signal {
  readonly #listeners: (() => void)[] = [];

  /** Has a function called whenever it is told. */
  on(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Tells all listeners, in the order in which they came. */
  tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
