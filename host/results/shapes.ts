/** Shapes of JSON documents, and checks of documents against them. */

/** Mismatch between a value and its shape, with the keys that lead to the value. */
export interface ShapeMismatch {
  readonly keys: readonly (string | number)[];
  /** Expected value in words: `a text or null`. */
  readonly expected: string;
  readonly found: unknown;
}

/** Shape that a JSON value must have. */
export interface JsonShape {
  readonly expected: string;
  /** True if the key may be missing in an object. */
  readonly isOptional?: boolean;
  readonly mismatchOf: (value: unknown) => ShapeMismatch | undefined;
}

/** Shapes of an object's values by key. */
export type ShapesByKey = Readonly<Record<string, JsonShape>>;

/** Shape defined by a test on the value. */
const makeShapeByTest = (expectedForm: string, isAccepted: (value: unknown) => boolean): JsonShape => ({
  expected: expectedForm,
  mismatchOf: (foundValue) =>
    isAccepted(foundValue) ? undefined : { keys: [], expected: expectedForm, found: foundValue },
});

const TEXT_SHAPE = makeShapeByTest('a text', (value) => typeof value === 'string');
const NUMBER_SHAPE = makeShapeByTest('a number', (value) => typeof value === 'number');
const BOOLEAN_SHAPE = makeShapeByTest('true or false', (value) => typeof value === 'boolean');
const LIST_SHAPE = makeShapeByTest('a list', Array.isArray);
const OBJECT_SHAPE = makeShapeByTest(
  'an object',
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

/** Shape of a JSON value that is any text. */
export const getTextShape = () => TEXT_SHAPE;
export const getNumberShape = () => NUMBER_SHAPE;
export const getTrueOrFalseShape = () => BOOLEAN_SHAPE;

/** Shape of a JSON text that is one of several texts. */
export const makeListedTextShape = (allowedTexts: readonly string[]): JsonShape =>
  makeShapeByTest(allowedTexts.join(' or '), (value) => allowedTexts.includes(value as string));

/**
 * Shape that accepts any of several shapes; a mismatch is reported for the first shape that fits except
 * inside the value.
 */
export function makeUnionShape(shapes: readonly JsonShape[]): JsonShape {
  const expectedFormsText = shapes.map((shape) => shape.expected).join(' or ');
  return {
    expected: expectedFormsText,
    mismatchOf: (foundValue) => {
      const shapeMismatches = shapes.map((shape) => shape.mismatchOf(foundValue));
      if (shapeMismatches.includes(undefined)) return undefined;
      return (
        shapeMismatches.find((mismatch) => (mismatch?.keys.length ?? 0) > 0) ?? {
          keys: [],
          expected: expectedFormsText,
          found: foundValue,
        }
      );
    },
  };
}

const NULL_SHAPE = makeShapeByTest('null', (value) => value === null);
/** Shape of a JSON value that is null or has another shape. */
export const makeNullableShape = (shape: JsonShape): JsonShape => makeUnionShape([shape, NULL_SHAPE]);

/** Shape of a key that an object may lack. */
export const makeOptionalShape = (shape: JsonShape): JsonShape => ({ ...shape, isOptional: true });

const prefixMismatchWithKey = (
  fieldKey: string | number,
  mismatch: ShapeMismatch | undefined,
): ShapeMismatch | undefined => mismatch && { ...mismatch, keys: [fieldKey, ...mismatch.keys] };

/** First mismatch among values by key. */
function findFirstShapeMismatch(
  jsonValues: Iterable<readonly [string | number, unknown]>,
  findShapeOfKey: (key: string | number) => JsonShape,
): ShapeMismatch | undefined {
  for (const [key, value] of jsonValues) {
    const mismatch = findShapeOfKey(key).mismatchOf(value);
    if (mismatch !== undefined) return prefixMismatchWithKey(key, mismatch);
  }
  return undefined;
}

/** Shape of a list whose values have one shape. */
export const makeListShape = (shape: JsonShape): JsonShape => ({
  expected: LIST_SHAPE.expected,
  mismatchOf: (jsonValue) =>
    LIST_SHAPE.mismatchOf(jsonValue) ??
    findFirstShapeMismatch((jsonValue as unknown[]).entries(), () => shape),
});

/** Shape of a list with one value per given shape. */
export const makeTupleShape = (shapes: readonly JsonShape[]): JsonShape => ({
  expected: LIST_SHAPE.expected,
  mismatchOf: (jsonValue) =>
    LIST_SHAPE.mismatchOf(jsonValue) ??
    findFirstShapeMismatch(
      shapes.map((_, i) => [i, (jsonValue as unknown[])[i]] as const),
      (i) => shapes[i as number]!,
    ),
});

/** Shape of an object with at least the given keys. */
export const makeObjectShape = (fieldShapes: ShapesByKey): JsonShape => ({
  expected: OBJECT_SHAPE.expected,
  mismatchOf: (jsonValue) => {
    const objectMismatch = OBJECT_SHAPE.mismatchOf(jsonValue);
    if (objectMismatch !== undefined) return objectMismatch;
    const valuesByKey = jsonValue as Readonly<Record<string, unknown>>;
    const checkedKeys = Object.keys(fieldShapes).filter(
      (key) => valuesByKey[key] !== undefined || !fieldShapes[key]!.isOptional,
    );
    return findFirstShapeMismatch(
      checkedKeys.map((checkedKey) => [checkedKey, valuesByKey[checkedKey]] as const),
      (key) => fieldShapes[key]!,
    );
  },
});

/** Shape of an object that depends on the text at one of its keys. */
export const makeVariantShape = (fieldKey: string, shapes: ShapesByKey): JsonShape => ({
  expected: OBJECT_SHAPE.expected,
  mismatchOf: (jsonValue) => {
    const objectMismatch = OBJECT_SHAPE.mismatchOf(jsonValue);
    if (objectMismatch !== undefined) return objectMismatch;
    const variantName = (jsonValue as Readonly<Record<string, unknown>>)[fieldKey];
    const mismatch = prefixMismatchWithKey(
      fieldKey,
      makeListedTextShape(Object.keys(shapes)).mismatchOf(variantName),
    );
    return mismatch ?? shapes[variantName as string]!.mismatchOf(jsonValue);
  },
});

/** Shape of an object whose values all have one shape. */
export const makeValuesByKeyShape = (shape: JsonShape): JsonShape => ({
  expected: OBJECT_SHAPE.expected,
  mismatchOf: (jsonValue) =>
    OBJECT_SHAPE.mismatchOf(jsonValue) ??
    findFirstShapeMismatch(Object.entries(jsonValue as object), () => shape),
});
