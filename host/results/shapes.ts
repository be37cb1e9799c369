/** Shapes of JSON documents, and the first value in a document that does not fit */

/** A value that is not what it must be, and the keys that lead to it. */
export interface Fault {
  readonly keys: readonly (string | number)[];
  /** Expected value in words: `a text or null`. */
  readonly expected: string;
  readonly found: unknown;
}

/** Shape that a JSON value must have. */
export interface Shape {
  readonly expected: string;
  /** True if an object may lack it. */
  readonly isOptional?: boolean;
  readonly faultOf: (value: unknown) => Fault | undefined;
}

/** Shapes by key. */
export type Entries = Readonly<Record<string, Shape>>;

/** A value for which something is true. */
const plain = (expected: string, is: (value: unknown) => boolean): Shape => ({
  expected,
  faultOf: (found) => (is(found) ? undefined : { keys: [], expected, found }),
});

const TEXT = plain('a text', (value) => typeof value === 'string');
const NUMBER = plain('a number', (value) => typeof value === 'number');
const BOOLEAN = plain('true or false', (value) => typeof value === 'boolean');
const LIST = plain('a list', Array.isArray);
const OBJECT = plain(
  'an object',
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

export const string = () => TEXT;
export const number = () => NUMBER;
export const boolean = () => BOOLEAN;

/** One of some texts. */
export const picklist = (texts: readonly string[]): Shape =>
  plain(texts.join(' or '), (value) => texts.includes(value as string));

/** One of some shapes; the fault of a value is that of the first for which its own type is right. */
export function union(shapes: readonly Shape[]): Shape {
  const expected = shapes.map((shape) => shape.expected).join(' or ');
  return {
    expected,
    faultOf: (found) => {
      const faults = shapes.map((shape) => shape.faultOf(found));
      if (faults.includes(undefined)) return undefined;
      return faults.find((fault) => (fault?.keys.length ?? 0) > 0) ?? { keys: [], expected, found };
    },
  };
}

const NULL = plain('null', (value) => value === null);
export const nullable = (shape: Shape): Shape => union([shape, NULL]);

export const optional = (shape: Shape): Shape => ({ ...shape, isOptional: true });

const below = (key: string | number, fault: Fault | undefined): Fault | undefined =>
  fault && { ...fault, keys: [key, ...fault.keys] };

/** The first fault among some values by key. */
function firstFault(
  values: Iterable<readonly [string | number, unknown]>,
  shapeOf: (key: string | number) => Shape,
): Fault | undefined {
  for (const [key, value] of values) {
    const fault = shapeOf(key).faultOf(value);
    if (fault !== undefined) return below(key, fault);
  }
  return undefined;
}

/** A list of values of one shape. */
export const array = (shape: Shape): Shape => ({
  expected: LIST.expected,
  faultOf: (value) => LIST.faultOf(value) ?? firstFault((value as unknown[]).entries(), () => shape),
});

/** A list with one value of each shape. */
export const tuple = (shapes: readonly Shape[]): Shape => ({
  expected: LIST.expected,
  faultOf: (value) =>
    LIST.faultOf(value) ??
    firstFault(
      shapes.map((_, i) => [i, (value as unknown[])[i]] as const),
      (i) => shapes[i as number]!,
    ),
});

/** An object with at least these entries. */
export const object = (entries: Entries): Shape => ({
  expected: OBJECT.expected,
  faultOf: (value) => {
    const wrong = OBJECT.faultOf(value);
    if (wrong !== undefined) return wrong;
    const own = value as Readonly<Record<string, unknown>>;
    const present = Object.keys(entries).filter((key) => own[key] !== undefined || !entries[key]!.isOptional);
    return firstFault(
      present.map((key) => [key, own[key]] as const),
      (key) => entries[key]!,
    );
  },
});

/** An object of the shape that a text in it names. */
export const variant = (key: string, shapes: Entries): Shape => ({
  expected: OBJECT.expected,
  faultOf: (value) => {
    const wrong = OBJECT.faultOf(value);
    if (wrong !== undefined) return wrong;
    const name = (value as Readonly<Record<string, unknown>>)[key];
    const fault = below(key, picklist(Object.keys(shapes)).faultOf(name));
    return fault ?? shapes[name as string]!.faultOf(value);
  },
});

/** An object whose values are all of one shape. */
export const entriesOf = (shape: Shape): Shape => ({
  expected: OBJECT.expected,
  faultOf: (value) => OBJECT.faultOf(value) ?? firstFault(Object.entries(value as object), () => shape),
});
