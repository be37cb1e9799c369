/** Long columns in few bytes: whole numbers only as wide as they need to be, values that repeat kept once. */

const FIRST_ROOM = 64;
const WIDTHS = [Uint8Array, Uint16Array, Uint32Array] as const;

/** Whole numbers below 2^32, each in one, two or four bytes: what the largest needs. */
export class NumberColumn {
  #numbers: Uint8Array | Uint16Array | Uint32Array = new Uint8Array(FIRST_ROOM);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  at(row: number): number {
    return this.#numbers[row];
  }

  push(number: number): void {
    const numbers = this.#numbers;
    const isWide = number >= 2 ** (8 * numbers.BYTES_PER_ELEMENT);
    if (isWide || this.#length === numbers.length) this.#resize(2 * numbers.length, number);
    this.#numbers[this.#length++] = number;
  }

  /** Gives back the room for more. */
  seal(): void {
    this.#resize(this.#length, 0);
  }

  #resize(room: number, number: number): void {
    const least = this.#numbers.BYTES_PER_ELEMENT;
    const Width = WIDTHS.find(
      ({ BYTES_PER_ELEMENT: bytes }) => bytes >= least && number < 2 ** (8 * bytes),
    ) as (typeof WIDTHS)[number];
    const resized = new Width(room);
    resized.set(this.#numbers.subarray(0, this.#length));
    this.#numbers = resized;
  }
}

/** Values that repeat: each distinct one is kept once. Values that print the same JSON are the same. */
export class InternedColumn<Value> {
  readonly #values: Value[] = [];
  /** Where plain values stand, by themselves, and lists and objects, by their JSON; undefined at the end. */
  #places: readonly [plain: Map<unknown, number>, byText: Map<string, number>] | undefined = [
    new Map(),
    new Map(),
  ];
  readonly #rows = new NumberColumn();

  get length(): number {
    return this.#rows.length;
  }

  /** How many distinct values there are. */
  get distinct(): number {
    return this.#values.length;
  }

  at(row: number): Value {
    return this.#values[this.#rows.at(row)];
  }

  /** Which of the distinct values stands in a row. */
  place(row: number): number {
    return this.#rows.at(row);
  }

  push(value: Value): void {
    if (this.#places === undefined) throw new Error('the column is sealed');
    const [plain, byText] = this.#places;
    const isPlain = typeof value !== 'object';
    this.#rows.push(
      isPlain ? this.#placeIn(plain, value, value) : this.#placeIn(byText, JSON.stringify(value), value),
    );
  }

  #placeIn<Key>(places: Map<Key, number>, key: Key, value: Value): number {
    const known = places.get(key);
    if (known !== undefined) return known;
    const place = this.#values.push(value) - 1;
    places.set(key, place);
    return place;
  }

  /** Ends the column: what served to find values again is given back. */
  seal(): void {
    this.#places = undefined;
    this.#rows.seal();
  }
}

/** Records of plain data, a column for each field. A field that a record lacks is undefined. */
export class RecordTable<Row extends object> {
  readonly #columns = new Map<keyof Row, InternedColumn<unknown>>();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(record: Row): void {
    for (const [name, value] of Object.entries(record)) this.#column(name as keyof Row).push(value);
    this.#length++;
    for (const column of this.#columns.values()) this.#fill(column);
  }

  /** One field of a record. */
  field<Name extends keyof Row>(row: number, name: Name): Row[Name] {
    return this.#columns.get(name)?.at(row) as Row[Name];
  }

  /** A record, its fields in the order in which the table first saw them. */
  at(row: number): Row {
    const record: Partial<Record<keyof Row, unknown>> = {};
    for (const [name, column] of this.#columns) {
      const value = column.at(row);
      if (value !== undefined) record[name] = value;
    }
    return record as Row;
  }

  /** Which records differ in nothing but one field: the number of the group of each, in the order of the first ones. */
  groups(besides: keyof Row): Uint32Array {
    const groups = new Uint32Array(this.#length);
    for (const [name, column] of this.#columns) if (name !== besides) regroup(groups, column);
    return groups;
  }

  /** Ends the table. */
  seal(): void {
    for (const column of this.#columns.values()) column.seal();
  }

  #column(name: keyof Row): InternedColumn<unknown> {
    const known = this.#columns.get(name);
    if (known !== undefined) return known;
    const column = new InternedColumn<unknown>();
    this.#fill(column);
    this.#columns.set(name, column);
    return column;
  }

  #fill(column: InternedColumn<unknown>): void {
    while (column.length < this.#length) column.push(undefined);
  }
}

/** Splits groups of rows by the values of a column, and numbers them anew in the order of their first rows; in place. */
function regroup(groups: Uint32Array, column: InternedColumn<unknown>): void {
  const { distinct } = column;
  if (distinct < 2) return;
  const numbers = new Map<number, number>();
  for (let row = 0; row < groups.length; row++) {
    const key = groups[row] * distinct + column.place(row);
    const known = numbers.get(key);
    groups[row] = known ?? numbers.size;
    if (known === undefined) numbers.set(key, groups[row]);
  }
}
