/**
 * Shapes of plain data, written once: a shape is a JSON Schema and what a value that follows it means, with short forms
 * written out and defaults put in; TypeScript reads both types off it.
 */
import { firstOf } from '../lists.js';

/** A JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>;

/** A shape: of what type its values are in a file, and once they are read. */
export interface Shape<Raw, Value = Raw> {
  readonly schema: Schema;
  /** Shapes with a name that this one refers to, itself included. */
  readonly named: ReadonlyMap<string, Schema>;
  /** What a value means that follows the schema. */
  readonly read: (raw: Raw) => Value;
}

/** A shape with a value for where a record has none. */
export interface Optional<Raw, Value> extends Shape<Raw, Value> {
  readonly absent: Value;
}

/** The type of the values of a shape in a file. */
export type RawOf<S> = S extends Shape<infer Raw, infer _> ? Raw : never;

/** The type of the values of a shape once they are read. */
export type ValueOf<S> = S extends { readonly read: (raw: never) => infer Value } ? Value : never;

type Shapes = Readonly<Record<string, Shape<never, unknown>>>;
type Flat<Type> = { readonly [Key in keyof Type]: Type[Key] } & {};
type Raws<Needed, Further> = Flat<
  { readonly [Key in keyof Needed]: RawOf<Needed[Key]> } & {
    readonly [Key in keyof Further]?: RawOf<Further[Key]>;
  }
>;
type Values<Needed, Further> = Flat<
  { readonly [Key in keyof Needed | WithDefault<Further>]: ValueOf<(Needed & Further)[Key]> } & {
    readonly [Key in Exclude<keyof Further, WithDefault<Further>>]?: ValueOf<Further[Key]>;
  }
>;
type WithDefault<Further> = keyof {
  [Key in keyof Further as Further[Key] extends { readonly absent: unknown } ? Key : never]: unknown;
} &
  keyof Further;

function make<Raw, Value>(
  schema: Schema,
  read: (raw: Raw) => Value,
  parts: Iterable<Shape<never, unknown>> = [],
): Shape<Raw, Value> {
  const named = new Map<string, Schema>();
  for (const part of parts) for (const [name, meant] of part.named) named.set(name, meant);
  return { schema, named, read };
}

/** A shape whose values mean themselves. */
function asItIs<Value>(schema: Schema, parts: Iterable<Shape<never, unknown>> = []): Shape<Value> {
  return make(schema, (raw: Value) => raw, parts);
}

/** A shape whose values, once they are read, mean something else. */
export function meaning<Raw, Between, Value>(
  shape: Shape<Raw, Between>,
  then: (value: Between) => Value,
): Shape<Raw, Value> {
  return { ...shape, read: (raw) => then(shape.read(raw)) };
}

/** A shape and what a record that lacks it has in its place. */
export function orElse<Raw, Value>(shape: Shape<Raw, Value>, absent: NoInfer<Value>): Optional<Raw, Value> {
  return { ...shape, absent };
}

/** What a shape is for, in one sentence, or more that the schema says of it: examples, bounds. */
export function described<S extends Shape<never, unknown>>(shape: S, more: string | Schema): S {
  const extra = typeof more === 'string' ? { description: more } : more;
  return { ...shape, schema: { ...shape.schema, ...extra } };
}

/** A shape that the schema has once, under a name, however often it is used. */
export function named<Raw, Value>(name: string, shape: Shape<Raw, Value>): Shape<Raw, Value> {
  return {
    ...shape,
    schema: { $ref: `#/definitions/${name}` },
    named: new Map([...shape.named, [name, shape.schema]]),
  };
}

/** Text. */
export const text: Shape<string> = asItIs({ type: 'string' });

/** Text of at least one character. */
export const filledText: Shape<string> = asItIs({ type: 'string', minLength: 1 });

/** Text that matches a pattern. */
export function textLike(pattern: RegExp): Shape<string> {
  return asItIs({ type: 'string', pattern: pattern.source });
}

/** A number. */
export const number: Shape<number> = asItIs({ type: 'number' });

/** A whole number. */
export const wholeNumber: Shape<number> = asItIs({ type: 'integer' });

/** True or false. */
export const truth: Shape<boolean> = asItIs({ type: 'boolean' });

/** One of some words. */
export function oneOf<const Word extends string>(words: readonly Word[]): Shape<Word> {
  return asItIs({ enum: words });
}

/** Values that are of one of some plain types. */
export function plain<Value extends string | number | boolean | null>(
  ...types: readonly ('string' | 'number' | 'boolean' | 'null')[]
): Shape<Value> {
  return asItIs({ type: types });
}

/** Whatever one of some shapes takes whose values mean themselves. */
export function anyOf<Parts extends readonly Shape<never, unknown>[]>(
  ...parts: Parts
): Shape<RawOf<Parts[number]>> {
  return asItIs({ anyOf: parts.map(({ schema }) => schema) }, parts);
}

/** A list with at least so many entries. */
export function listOf<Raw, Value>(
  entry: Shape<Raw, Value>,
  atLeast = 0,
): Shape<readonly Raw[], readonly Value[]> {
  const least = atLeast > 0 ? { minItems: atLeast } : {};
  return make({ type: 'array', ...least, items: entry.schema }, (raw) => raw.map(entry.read), [entry]);
}

/** One value or a list of at least one, read as a list. */
export function oneOrMore<Value extends string | number>(
  one: Shape<Value>,
  many: Shape<readonly Value[]>,
): Shape<Value | readonly Value[], readonly Value[]> {
  const read = (raw: Value | readonly Value[]) => (typeof raw === 'object' ? raw : [raw]);
  return make({ anyOf: [one.schema, many.schema] }, read, [one, many]);
}

type MapOf<Value> = Readonly<Record<string, Value>>;

/** Any keys, each with a value of one shape. */
export function mapOf<Raw, Value>(
  entry: Shape<Raw, Value>,
  more: Schema = {},
): Shape<MapOf<Raw>, MapOf<Value>> {
  return make(
    { type: 'object', ...more, additionalProperties: entry.schema },
    (raw) => Object.fromEntries(Object.entries(raw).map(([key, value]) => [key, entry.read(value)])),
    [entry],
  );
}

/** Keys that must be there, keys that may, and no others. */
export function record<Needed extends Shapes, Further extends Shapes>(
  needed: Needed,
  further: Further,
  more: Schema = {},
): Shape<Raws<Needed, Further>, Values<Needed, Further>> {
  const parts: Record<string, Shape<never, unknown>> = { ...needed, ...further };
  const required = Object.keys(needed);
  const properties = Object.fromEntries(Object.entries(parts).map(([key, { schema }]) => [key, schema]));
  const read = (raw: Raws<Needed, Further>) => {
    const values: Record<string, unknown> = {};
    for (const [key, part] of Object.entries(parts)) {
      const own = (raw as Record<string, unknown>)[key];
      if (own !== undefined) values[key] = part.read(own as never);
      else if ('absent' in part) values[key] = part.absent;
    }
    return values as Values<Needed, Further>;
  };
  return make(
    {
      type: 'object',
      additionalProperties: false,
      ...(required.length > 0 ? { required } : {}),
      ...more,
      properties,
    },
    read,
    Object.values(parts),
  );
}

/** One key of several, read as the key and its value. */
export function choiceOf<Choices extends Shapes>(
  choices: Choices,
): Shape<
  Raws<unknown, Choices>,
  { [Key in keyof Choices]: { readonly kind: Key; readonly given: ValueOf<Choices[Key]> } }[keyof Choices]
> {
  return meaning(record({}, choices, { minProperties: 1, maxProperties: 1 }), (values) => {
    const [kind, given] = firstOf(Object.entries(values));
    return { kind, given: given as never };
  });
}

/** The whole schema of a shape, as a document of its own. */
export function documentOf(shape: Pick<Shape<unknown>, 'schema' | 'named'>, head: Schema): Schema {
  return { ...head, ...shape.schema, definitions: Object.fromEntries(shape.named) };
}
