/** Shapes of plain data, written once: a shape is a JSON Schema, and TypeScript reads the type of its values off it. */

/** A JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>;

/** A shape whose values are of a type. */
export interface Shape<Value> {
  readonly schema: Schema;
  /** Shapes with a name that this one speaks of, itself included. */
  readonly named: ReadonlyMap<string, Schema>;
  /** Only for the type. */
  readonly value?: Value;
}

/** The type of the values of a shape. */
export type ValueOf<S> = S extends Shape<infer Value> ? Value : never;

type Shapes = Readonly<Record<string, Shape<unknown>>>;
type Together<Needed, Further> = { readonly [Key in keyof Needed]: ValueOf<Needed[Key]> } & {
  readonly [Key in keyof Further]?: ValueOf<Further[Key]>;
};

function make<Value>(schema: Schema, parts: Iterable<Shape<unknown>> = []): Shape<Value> {
  const named = new Map<string, Schema>();
  for (const part of parts) for (const [name, meant] of part.named) named.set(name, meant);
  return { schema, named };
}

/** What a shape is for, in one sentence, or more that the schema says of it: examples, bounds. */
export function described<Value>(shape: Shape<Value>, more: string | Schema): Shape<Value> {
  const extra = typeof more === 'string' ? { description: more } : more;
  return { ...shape, schema: { ...shape.schema, ...extra } };
}

/** A shape that stands once in the schema, under a name, however often it is used. */
export function named<Value>(name: string, shape: Shape<Value>): Shape<Value> {
  return {
    schema: { $ref: `#/definitions/${name}` },
    named: new Map([...shape.named, [name, shape.schema]]),
  };
}

/** Text. */
export const text: Shape<string> = make({ type: 'string' });

/** Text of at least one character. */
export const filledText: Shape<string> = make({ type: 'string', minLength: 1 });

/** Text that matches a pattern. */
export function textLike(pattern: RegExp): Shape<string> {
  return make({ type: 'string', pattern: pattern.source });
}

/** A number. */
export const number: Shape<number> = make({ type: 'number' });

/** A whole number. */
export const wholeNumber: Shape<number> = make({ type: 'integer' });

/** True or false. */
export const truth: Shape<boolean> = make({ type: 'boolean' });

/** One of some words. */
export function oneOf<const Word extends string>(words: readonly Word[]): Shape<Word> {
  return make({ enum: words });
}

/** Values that are of one of some plain types. */
export function plain<Value extends string | number | boolean | null>(
  ...types: readonly ('string' | 'number' | 'boolean' | 'null')[]
): Shape<Value> {
  return make({ type: types });
}

/** Whatever one of some shapes takes. */
export function anyOf<Parts extends readonly Shape<unknown>[]>(
  ...parts: Parts
): Shape<ValueOf<Parts[number]>> {
  return make({ anyOf: parts.map(({ schema }) => schema) }, parts);
}

/** A list with at least so many entries. */
export function listOf<Value>(entry: Shape<Value>, atLeast = 0): Shape<readonly Value[]> {
  return make({ type: 'array', ...(atLeast > 0 ? { minItems: atLeast } : {}), items: entry.schema }, [entry]);
}

/** Any keys, each with a value of one shape. */
export function mapOf<Value>(entry: Shape<Value>, more: Schema = {}): Shape<Readonly<Record<string, Value>>> {
  return make({ type: 'object', ...more, additionalProperties: entry.schema }, [entry]);
}

/** Keys that must be there, keys that may, and no others. */
export function record<Needed extends Shapes, Further extends Shapes>(
  needed: Needed,
  further: Further,
  more: Schema = {},
): Shape<Together<Needed, Further>> {
  const parts = { ...needed, ...further };
  const required = Object.keys(needed);
  const properties = Object.fromEntries(Object.entries(parts).map(([key, { schema }]) => [key, schema]));
  return make(
    {
      type: 'object',
      additionalProperties: false,
      ...(required.length > 0 ? { required } : {}),
      ...more,
      properties,
    },
    Object.values(parts),
  );
}

/** The whole schema of a shape, as a document of its own. */
export function documentOf(shape: Shape<unknown>, head: Schema): Schema {
  return { ...head, ...shape.schema, definitions: Object.fromEntries(shape.named) };
}
