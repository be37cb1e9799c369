/** Names of users, queues and sites as the numbers that a log has for them. */

/** Fields of which other formats give names. */
export const NAMED_FIELDS = ['user', 'group', 'executable', 'queue', 'partition'] as const;
export type NamedField = (typeof NAMED_FIELDS)[number];

/** Where numbers and names stand in one column, names are numbered beyond any number that may come. */
const BEYOND_NUMBERS = 1e12;

/** The names of one field, numbered from 1 in the order in which they come; numbers stay what they are, if the first is one. */
class NameColumn {
  readonly #numbers = new Map<string, number>();
  #isNumeric: boolean | undefined;

  number(name: string): number {
    const isNumber = /^\d{1,12}$/.test(name);
    this.#isNumeric ??= isNumber;
    if (this.#isNumeric && isNumber) return Number(name);
    let number = this.#numbers.get(name);
    if (number === undefined) {
      number = this.#numbers.size + 1 + (this.#isNumeric ? BEYOND_NUMBERS : 0);
      this.#numbers.set(name, number);
    }
    return number;
  }

  entries(): Iterable<readonly [name: string, number: number]> {
    return this.#numbers;
  }
}

/** The names in the files of one log. */
export class Names {
  readonly #columns = Object.fromEntries(
    NAMED_FIELDS.map((field) => [field, new NameColumn()] as const),
  ) as Record<NamedField, NameColumn>;

  /** The number of a name; -1 for none. */
  number(field: NamedField, name: string): number {
    return name === '' || name === '-1' ? -1 : this.#columns[field].number(name);
  }

  /** Header lines that say which queues and partitions the numbers are. Users stay numbers, as in the archive. */
  headerLines(): string[] {
    return (['queue', 'partition'] as const).flatMap((field) => {
      const key = field === 'queue' ? 'Queue' : 'Partition';
      return [...this.#columns[field].entries()].map(([name, number]) => `; ${key}: ${number} ${name}`);
    });
  }
}
