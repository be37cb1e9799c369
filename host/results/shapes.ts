/** Shapes of JSON documents, and checking documents against them */

/** Mismatch between a value and its shape, with the keys that lead to the value. */
export interface ShapeFault {
  readonly keys: readonly (string | number)[];
  /** Expected value in words: `a text or null`. */
  readonly expected: string;
  readonly found: unknown;
}

/** Shape that a JSON value must have. */
export interface Shape {
  readonly expected: string;
  /** True if the key may be missing in an object. */
  readonly isOptional?: boolean;
  readonly faultOf: (value: unknown) => ShapeFault | undefined;
}

/** Shapes of an object's values by key. */
export type Entries = Readonly<Record<string, Shape>>;

/** Shape defined by a test on the value. */
const shapeByTest = (expected: string, is: (value: unknown) => boolean): Shape => ({
  expected,
  faultOf: (found) => (is(found) ? undefined : { keys: [], expected, found }),
});

const TEXT_SHAPE = shapeByTest('a text', (value) => typeof value === 'string');
const NUMBER_SHAPE = shapeByTest('a number', (value) => typeof value === 'number');
const BOOLEAN_SHAPE = shapeByTest('true or false', (value) => typeof value === 'boolean');
const LIST_SHAPE = shapeByTest('a list', Array.isArray);
const OBJECT_SHAPE = shapeByTest(
  'an object',
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

export const string = () => TEXT_SHAPE;
export const number = () => NUMBER_SHAPE;
export const boolean = () => BOOLEAN_SHAPE;

/** Shape of a text out of a list. */
export const picklist = (texts: readonly string[]): Shape =>
  shapeByTest(texts.join(' or '), (value) => texts.includes(value as string));

/**
 * Shape that accepts any of several shapes; a mismatch is reported for the first with the right basic type.
 */
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

const NULL_SHAPE = shapeByTest('null', (value) => value === null);
export const nullable = (shape: Shape): Shape => union([shape, NULL_SHAPE]);

export const optional = (shape: Shape): Shape => ({ ...shape, isOptional: true });

const faultBelow = (key: string | number, fault: ShapeFault | undefined): ShapeFault | undefined =>
  fault && { ...fault, keys: [key, ...fault.keys] };

/** First mismatch among values by key. */
function firstFault(
  values: Iterable<readonly [string | number, unknown]>,
  shapeOf: (key: string | number) => Shape,
): ShapeFault | undefined {
  for (const [key, value] of values) {
    const fault = shapeOf(key).faultOf(value);
    if (fault !== undefined) return faultBelow(key, fault);
  }
  return undefined;
}

/** Shape of a list whose values have one shape. */
export const array = (shape: Shape): Shape => ({
  expected: LIST_SHAPE.expected,
  faultOf: (value) => LIST_SHAPE.faultOf(value) ?? firstFault((value as unknown[]).entries(), () => shape),
});

/** Shape of a list with one value per given shape. */
export const tuple = (shapes: readonly Shape[]): Shape => ({
  expected: LIST_SHAPE.expected,
  faultOf: (value) =>
    LIST_SHAPE.faultOf(value) ??
    firstFault(
      shapes.map((_, i) => [i, (value as unknown[])[i]] as const),
      (i) => shapes[i as number]!,
    ),
});

/** Shape of an object with at least the given keys. */
export const object = (entries: Entries): Shape => ({
  expected: OBJECT_SHAPE.expected,
  faultOf: (value) => {
    const wrong = OBJECT_SHAPE.faultOf(value);
    if (wrong !== undefined) return wrong;
    const own = value as Readonly<Record<string, unknown>>;
    const present = Object.keys(entries).filter((key) => own[key] !== undefined || !entries[key]!.isOptional);
    return firstFault(
      present.map((key) => [key, own[key]] as const),
      (key) => entries[key]!,
    );
  },
});

/** Shape of an object that depends on the text at one of its keys. */
export const variant = (key: string, shapes: Entries): Shape => ({
  expected: OBJECT_SHAPE.expected,
  faultOf: (value) => {
    const wrong = OBJECT_SHAPE.faultOf(value);
    if (wrong !== undefined) return wrong;
    const name = (value as Readonly<Record<string, unknown>>)[key];
    const fault = faultBelow(key, picklist(Object.keys(shapes)).faultOf(name));
    return fault ?? shapes[name as string]!.faultOf(value);
  },
});

/** Shape of an object whose values all have one shape. */
export const entriesOf = (shape: Shape): Shape => ({
  expected: OBJECT_SHAPE.expected,
  faultOf: (value) => OBJECT_SHAPE.faultOf(value) ?? firstFault(Object.entries(value as object), () => shape),
});
