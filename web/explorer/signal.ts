/** List of listeners that are notified of changes. */
export class ChangeSignal {
  readonly #listeners: (() => void)[] = [];
  readonly #schedule: (notifyListeners: () => void) => void;
  #isDue = false;

  /** @param schedule calls its argument when the listeners are due; by default at once. */
  constructor(schedule: (notifyListeners: () => void) => void = (notifyListeners) => notifyListeners()) {
    this.#schedule = schedule;
  }

  /** Adds a listener. */
  on(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /**
   * Calls all listeners in order of their addition; several calls before the listeners are due count once.
   */
  notify(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.#schedule(() => {
      this.#isDue = false;
      for (const listener of this.#listeners) listener();
    });
  }
}
