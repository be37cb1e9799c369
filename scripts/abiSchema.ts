/** JSON Schema of docs/abi.json, the contract of the core for programs. */

/** Object with exactly these properties. */
const makeObjectSchema = (
  properties: Readonly<Record<string, object>>,
  optionalProperties: readonly string[] = [],
) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((propertyName) => !optionalProperties.includes(propertyName)),
  additionalProperties: false,
});

/** Schema of a text. */
export const makeTextSchema = (description: string) => ({ type: 'string', description });
const name = { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_-]*$' };
const makeWholeNumberSchema = (description: string) => ({ type: 'integer', minimum: 0, description });
const listOf = (items: object, description: string) => ({ type: 'array', minItems: 1, items, description });

const meaningTextSchema = makeTextSchema('In words; empty if the name says it.');
const member = { name, number: makeWholeNumberSchema('Value of the constant.'), meaning: meaningTextSchema };
const valueTypeSchema = { enum: ['f64', 'i32'], description: 'Doubles, or signed integers of 4 bytes.' };
const boundaryTypeSchema = {
  type: 'string',
  pattern: '^(address|i32|f64|[A-Z][A-Za-z]*)$',
  description: 'An address is an unsigned integer of 4 bytes; the name of an enumeration means an i32.',
};

/** Schema; docs/abi.md explains the contract. */
export const ABI_SCHEMA = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  $id: 'https://gridalloc.dev/abi.schema.json',
  title: 'Contract of the WebAssembly core of gridalloc: abi.json',
  ...makeObjectSchema({
    abiVersion: { type: 'integer', minimum: 1, description: 'What the call abiVersion returns.' },
    features: listOf({ type: 'string' }, 'WebAssembly features beyond version 1 that the core needs.'),
    calls: listOf(
      makeObjectSchema({
        name,
        parameters: { type: 'array', items: makeObjectSchema({ name, type: boundaryTypeSchema }) },
        returns: boundaryTypeSchema,
        meaning: meaningTextSchema,
      }),
      'Exported functions.',
    ),
    statuses: listOf(
      makeObjectSchema({ ...member, isRefusal: { type: 'boolean', description: 'Nothing has been done.' } }),
      'Results of calls.',
    ),
    options: listOf(
      makeObjectSchema(
        {
          ...member,
          kind: { enum: ['choice', 'policy', 'parameter', 'switch', 'count', 'amount'] },
          choices: makeTextSchema('Enumeration with the values of a choice.'),
          plus: { enum: [0, 1], description: 'Added to the value of the enumeration.' },
          default: { type: 'number' },
        },
        ['choices', 'plus'],
      ),
      'Options of a simulation, each a double.',
    ),
    jobColumns: listOf(
      makeObjectSchema({
        ...member,
        type: valueTypeSchema,
        more: makeWholeNumberSchema('Entries beyond one per job.'),
      }),
      'Columns of a job table.',
    ),
    columns: listOf(
      makeObjectSchema({
        ...member,
        type: valueTypeSchema,
        width: { type: 'integer', minimum: 1, description: 'Values per entry.' },
        length: makeTextSchema('Number of entries: a room, a scalar, a list of this document, or a product.'),
      }),
      'Columns of a simulation.',
    ),
    rooms: listOf(makeObjectSchema(member), 'Sizes that a simulation is laid out for.'),
    scalars: listOf(makeObjectSchema(member), 'Progress of a simulation.'),
    metrics: listOf(makeObjectSchema(member), 'Entries of the column Metric.'),
    enumerations: listOf(
      makeObjectSchema({
        name,
        meaning: meaningTextSchema,
        members: listOf(makeObjectSchema(member), 'Constants.'),
      }),
      'Enumerations whose values are options, or entries of columns.',
    ),
    policies: listOf(
      makeObjectSchema({
        number: makeWholeNumberSchema('Value of the option Policy.'),
        name,
        aliases: { type: 'array', items: { type: 'string' } },
        parameters: {
          type: 'array',
          maxItems: 6,
          items: makeObjectSchema({
            name,
            kind: { enum: ['number', 'whole', 'count', 'share', 'choice', 'policies'] },
            default: { type: ['number', 'string'] },
            choices: { type: 'array', items: { type: 'string' } },
          }),
        },
        summary: makeTextSchema('In words.'),
      }),
      'Allocators.',
    ),
  }),
};
