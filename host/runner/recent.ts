/** A map that forgets what was not asked for the longest. */
export class Recent<Value> {
  readonly #values = new Map<string, Value>();
  readonly #most: number;

  /** @param most how many values it keeps. */
  constructor(most: number) {
    this.#most = most;
  }

  /** The value of a key, made where it is not there. */
  get(key: string, make: () => Value): Value {
    const value = this.known(key) ?? make();
    this.set(key, value);
    return value;
  }

  /** The value of a key, or undefined. */
  known(key: string): Value | undefined {
    return this.#values.get(key);
  }

  /** Keeps a value. */
  set(key: string, value: Value): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size > this.#most) this.#values.delete(this.#values.keys().next().value as string);
  }
}
