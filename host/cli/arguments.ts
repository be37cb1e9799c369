/** The options and words given to a command. */
import { shellWord } from '../trace/quote.js';

export class Arguments {
  readonly #options: ReadonlyMap<string, readonly string[]>;
  /** The words without dashes, behind the command. */
  readonly words: readonly string[];

  constructor(options: ReadonlyMap<string, readonly string[]>, words: readonly string[]) {
    this.#options = options;
    this.words = words;
  }

  /** The same, with values for options that are not given. */
  withDefaults(defaults: Readonly<Record<string, string>>): Arguments {
    const values = Object.entries(defaults).map(([name, value]) => [name, [value]] as const);
    return new Arguments(new Map([...values, ...this.#options]), this.words);
  }

  /** The same, with the options and words of others where none are given. */
  over(base: Arguments): Arguments {
    const words = this.words.length > 0 ? this.words : base.words;
    return new Arguments(new Map([...base.#options, ...this.#options]), words);
  }

  /** The same without an option. */
  without(name: string): Arguments {
    return new Arguments(new Map([...this.#options].filter(([each]) => each !== name)), this.words);
  }

  /** What is given, as words of a shell, with some options replaced or added: `--load 1.2 --sort`. */
  line(changes: Readonly<Record<string, string>> = {}): string {
    const changed = Object.entries(changes).map(([name, value]) => [name, [value]] as const);
    const all = new Map<string, readonly string[]>([...this.#options, ...changed]);
    const options = [...all].flatMap(([name, values]) =>
      values.length === 0 ? [`--${name}`] : values.map((value) => `--${name} ${shellWord(value)}`),
    );
    return [...this.words.map(shellWord), ...options].join(' ');
  }

  /** The value of an option that stands at most once. */
  text(name: string): string | undefined {
    return this.#options.get(name)?.[0];
  }

  /** All values of an option that may be repeated. */
  texts(name: string): readonly string[] {
    return this.#options.get(name) ?? [];
  }

  /** All options with their values; a switch has none. */
  all(): Readonly<Record<string, readonly string[]>> {
    return Object.fromEntries(this.#options);
  }

  /** Whether a switch is on. */
  has(name: string): boolean {
    return this.#options.has(name);
  }

  /** The value read by a parser that gets the option's name for its errors, or undefined. */
  read<T>(name: string, parse: (text: string, what: string) => T): T | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : parse(text, `--${name}`);
  }
}
