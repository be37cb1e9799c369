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

const root = STUDY_SCHEMA as unknown as Schema & { readonly definitions: Readonly<Record<string, Schema>> };

/** Descriptions of schema parts that many keys share. */
const SHARED: Readonly<Record<string, string>> = {
  label: 'text or number',
  names: 'a name, or a list of names',
  options: '[options](command-line.md#options-of-a-simulation)',
  axes: '[axes](#axes)',
  where: '[labels by axis](#axes)',
  step: '[step](#steps)',
};

const PLAIN: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'number',
  integer: 'whole number',
  boolean: 'true or false',
  null: 'null',
};

/** Describes the values of a key. */
function taken(schema: Schema): string {
  const shared = schema.$ref?.split('/').at(-1);
  if (shared !== undefined) return SHARED[shared] ?? taken(root.definitions[shared]);
  if (schema.enum !== undefined) return schema.enum.map((word) => `\`${word}\``).join(', ');
  if (schema.anyOf !== undefined) return schema.anyOf.map(taken).join(', or ');
  if (schema.items !== undefined) return `list of: ${taken(schema.items)}`;
  if (typeof schema.additionalProperties === 'object')
    return `by name: ${taken(schema.additionalProperties)}`;
  if (schema.properties !== undefined) return 'keys as below';
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  return types.map((type) => PLAIN[type]).join(' or ');
}

function keyTable({ properties = {}, required = [] }: Schema): string {
  const rows = Object.entries(properties).map(([key, schema]) => {
    const shared =
      schema.$ref === undefined ? undefined : root.definitions[schema.$ref.split('/').at(-1) ?? ''];
    const meaning = (schema.description ?? shared?.description ?? '').replaceAll('{axis}', '`{axis}`');
    return `| \`${key}\`${required.includes(key) ? ' *' : ''} | ${taken(schema)} | ${meaning} |`.replaceAll(
      / {2,}(?=\|)/g,
      ' ',
    );
  });
  return ['| key | takes | meaning |', '|---|---|---|', ...rows].join('\n');
}

function inside(key: string): Schema {
  const { additionalProperties, items } = root.properties?.[key] ?? {};
  return (additionalProperties || items) ?? {};
}

/** Tables of all keys of a study file, part by part; * marks required keys. */
export function studyKeyTables(): string {
  const published = inside('tables').properties?.published ?? {};
  const steps = root.definitions.step;
  const sections: readonly (readonly [string, Schema])[] = [
    ['The study', root],
    ['Parts', inside('parts')],
    ['Draws', root.properties?.draws ?? {}],
    ['Measures', inside('measures')],
    ['Steps', steps],
    ['The step improvement', steps.properties?.improvement ?? {}],
    ['The step standing', steps.properties?.standing ?? {}],
    ['Tables', inside('tables')],
    ['Published values of a table', published],
    ['Figures', inside('figures')],
    ['Checks', inside('checks')],
    ['Notes', inside('notes')],
  ];
  return sections.map(([title, schema]) => `### ${title}\n\n${keyTable(schema)}`).join('\n\n');
}
