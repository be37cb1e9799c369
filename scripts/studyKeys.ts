/** Generates the tables of the keys of a study file from its schema. */
import { STUDY_SCHEMA } from '../host/study/schema.js';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | false;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

const rootSchema = STUDY_SCHEMA as unknown as Schema & {
  readonly definitions: Readonly<Record<string, Schema>>;
};

/** Descriptions of the schema definitions that many keys of a study refer to. */
const DEFINITION_NAMES: Readonly<Record<string, string>> = {
  label: 'text or number',
  names: 'a name, or a list of names',
  options: '[options](command-line.md#options-of-a-simulation)',
  axes: '[axes](#axes)',
  where: '[labels by axis](#axes)',
  step: '[step](#steps)',
};

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'number',
  integer: 'whole number',
  boolean: 'true or false',
  null: 'null',
};

/** Describes the values of a key. */
function describeAcceptedValues(schema: Schema): string {
  const definitionName = schema.$ref?.split('/').at(-1);
  if (definitionName !== undefined)
    return DEFINITION_NAMES[definitionName] ?? describeAcceptedValues(rootSchema.definitions[definitionName]);
  if (schema.enum !== undefined) return schema.enum.map((word) => `\`${word}\``).join(', ');
  if (schema.anyOf !== undefined) return schema.anyOf.map(describeAcceptedValues).join(', or ');
  if (schema.items !== undefined) return `list of: ${describeAcceptedValues(schema.items)}`;
  if (typeof schema.additionalProperties === 'object')
    return `by name: ${describeAcceptedValues(schema.additionalProperties)}`;
  if (schema.properties !== undefined) return 'keys as below';
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  return types.map((type) => TYPE_NAMES[type]).join(' or ');
}

function makeKeyTable({ properties = {}, required = [] }: Schema): string {
  const rows = Object.entries(properties).map(([propertyKey, schema]) => {
    const sharedSchema =
      schema.$ref === undefined ? undefined : rootSchema.definitions[schema.$ref.split('/').at(-1) ?? ''];
    const meaningText = (schema.description ?? sharedSchema?.description ?? '').replaceAll(
      '{axis}',
      '`{axis}`',
    );
    return `| \`${propertyKey}\`${required.includes(propertyKey) ? ' *' : ''} | ${describeAcceptedValues(schema)} | ${meaningText} |`.replaceAll(
      / {2,}(?=\|)/g,
      ' ',
    );
  });
  return ['| key | takes | meaning |', '|---|---|---|', ...rows].join('\n');
}

function findInnerSchema(key: string): Schema {
  const { additionalProperties, items } = rootSchema.properties?.[key] ?? {};
  return (additionalProperties || items) ?? {};
}

/** Tables of all keys of a study file, part by part; * marks required keys. */
export function makeStudyKeyTables(): string {
  const publishedSchema = findInnerSchema('tables').properties?.published ?? {};
  const steps = rootSchema.definitions.step;
  const sections: readonly (readonly [string, Schema])[] = [
    ['The study', rootSchema],
    ['Parts', findInnerSchema('parts')],
    ['Draws', rootSchema.properties?.draws ?? {}],
    ['Measures', findInnerSchema('measures')],
    ['Steps', steps],
    ['The step improvement', steps.properties?.improvement ?? {}],
    ['The step standing', steps.properties?.standing ?? {}],
    ['Tables', findInnerSchema('tables')],
    ['Published values of a table', publishedSchema],
    ['Figures', findInnerSchema('figures')],
    ['Checks', findInnerSchema('checks')],
    ['Notes', findInnerSchema('notes')],
  ];
  return sections.map(([title, schema]) => `### ${title}\n\n${makeKeyTable(schema)}`).join('\n\n');
}
