/** Parses study files (YAML) and validates them against the schema, reporting errors with their position. */
import type { ErrorObject } from 'ajv';
import type * as Yaml from 'yaml';
import { InputError } from '../errors.js';
import { escapeNonPrintingText } from '../format/text.js';
import { firstElement } from '../lists.js';
import { listKnownNames } from '../notation.js';

type YamlNodePath = readonly (string | number)[];

/** Parsed study file: plain data with positions. */
export interface ParsedStudyFile {
  readonly data: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** Returns the position of a key or list entry, `file, line 12`, or of the nearest enclosing part. */
  readonly locate: (nodePath: YamlNodePath) => string;
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** Largest nesting depth; deeper files are mistakes or attacks. */
const MAX_YAML_NESTING = 100;

/** Largest file size in bytes; parsing needs several hundred times as much memory. */
export const MAX_STUDY_FILE_BYTES = 2_000_000;

/**
 * Parses a study file.
 * @throws InputError with file and line for text that is too long, not YAML, without keys, or recursive.
 */
export async function parseStudyDocument(studyDocumentText: string, file: string): Promise<ParsedStudyFile> {
  if (new TextEncoder().encode(studyDocumentText).length > MAX_STUDY_FILE_BYTES) {
    throw new InputError(
      `${file} is larger than ${MAX_STUDY_FILE_BYTES / 1e6} MB, as no study file is; check that it is the right file, and write long lists of whole numbers as ranges, such as 1..1000`,
    );
  }
  const yaml = await import('yaml');
  const lines = new yaml.LineCounter();
  const describePositionOfOffset = (offset: number) => `${file}, line ${lines.linePos(offset).line}`;
  const document = yaml.parseDocument(studyDocumentText, { lineCounter: lines, prettyErrors: false });
  const [firstError] = document.errors;
  // The YAML parser recurses and only reports exhausted resources.
  if (firstError?.code === 'RESOURCE_EXHAUSTION') throw makeYamlNestingError(file);
  if (firstError !== undefined)
    throw new InputError(`${describePositionOfOffset(firstError.pos[0])}: ${firstError.message}`);
  const yamlData = yamlDocumentToData(document, file);
  const locate = (nodePath: YamlNodePath) =>
    describePositionOfOffset(findYamlOffset(yaml, document.contents, nodePath));
  if (typeof yamlData !== 'object' || yamlData === null || Array.isArray(yamlData)) {
    throw new InputError(
      `${file}: expected a study (title, simulate, axes, measures, ...), found something else`,
    );
  }
  return { data: yamlData as Record<string, unknown>, text: studyDocumentText, locate };
}

/** Values of a document as plain data, without cycles. */
function yamlDocumentToData(document: Yaml.Document, file: string): unknown {
  let data: unknown;
  try {
    data = document.toJS();
  } catch (error) {
    if (error instanceof RangeError) throw makeYamlNestingError(file);
    if (error instanceof ReferenceError) {
      throw new InputError(`${file}: its aliases (*name) expand to too much; write their values out`);
    }
    throw error;
  }
  const checkYamlValue = (yamlValue: unknown, level: number): void => {
    if (typeof yamlValue === 'string') checkStudyFileText(yamlValue, file);
    if (typeof yamlValue !== 'object' || yamlValue === null) return;
    if (level > MAX_YAML_NESTING) throw makeYamlNestingError(file);
    for (const [key, part] of Object.entries(yamlValue)) {
      checkStudyFileText(key, file);
      checkYamlValue(part, level + 1);
    }
  };
  checkYamlValue(data, 1);
  return data;
}

/** Control characters that affect terminals or text direction; not allowed in studies. */
const CONTROL_CHARACTER_PATTERN = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

function checkStudyFileText(keyOrValueText: string, file: string): void {
  const [control] = CONTROL_CHARACTER_PATTERN.exec(keyOrValueText.replace(/[\n\t]/g, '')) ?? [];
  if (control === undefined) return;
  const controlCharacterCode = control.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  throw new InputError(
    `${file}: '${escapeNonPrintingText(keyOrValueText.slice(0, 40))}' holds the control character U+${controlCharacterCode}; delete it`,
  );
}

function makeYamlNestingError(file: string): InputError {
  return new InputError(
    `${file}: values lie more than ${MAX_YAML_NESTING} levels deep, or an alias (*name) contains itself; write out what is meant`,
  );
}

/** Offset in the file of the key at a path; for a missing key, of the enclosing part. */
function findYamlOffset(yaml: typeof Yaml, root: Yaml.Node | null, nodePath: YamlNodePath): number {
  let node: Yaml.Node | null | undefined = root;
  let offset = root?.range?.[0] ?? 0;
  for (const key of nodePath) {
    if (yaml.isMap(node)) {
      const pair = node.items.find(
        (item) => yaml.isPair(item) && yaml.isScalar(item.key) && String(item.key.value) === String(key),
      );
      if (pair === undefined) return offset;
      offset = (pair.key as Yaml.Node).range?.[0] ?? offset;
      node = pair.value as Yaml.Node | null;
    } else {
      node = (node as { get?: (key: unknown, keep: boolean) => Yaml.Node | undefined } | null)?.get?.(
        key,
        true,
      );
      if (node === undefined) return offset;
      offset = node?.range?.[0] ?? offset;
    }
  }
  return offset;
}

/**
 * Validates a study against the schema.
 * @param locate returns the position of a path.
 * @throws InputError with position and key.
 */
export async function validateAgainstSchema(
  yamlData: object,
  locate: (nodePath: YamlNodePath) => string,
): Promise<void> {
  const { default: validate } = await import('./studyCheck.js');
  if (validate(yamlData)) return;
  const error = firstElement(
    [...(validate.errors ?? [])].sort((a, b) => rankSchemaError(b) - rankSchemaError(a)),
  );
  const escapedKeys = error.instancePath.split('/').slice(1);
  const path = escapedKeys.map((escapedKey) => escapedKey.replaceAll('~1', '/').replaceAll('~0', '~'));
  throw makeSchemaError(error, path, locate);
}

/** Rank of an error: unknown keys first, then the deepest; missing parts of alternatives last. */
function rankSchemaError({ keyword, instancePath, schemaPath }: ErrorObject): number {
  const isAlternativeKeyword = keyword === 'anyOf' || keyword === 'oneOf' || keyword === 'if';
  return (
    (keyword === 'additionalProperties' ? 1000 : 0) +
    instancePath.split('/').length * 2 -
    Number(isAlternativeKeyword) -
    2 * Number(schemaPath.includes('/oneOf/'))
  );
}

function makeSchemaError(
  error: ErrorObject,
  nodePath: YamlNodePath,
  locate: (nodePath: YamlNodePath) => string,
): InputError {
  const { keyword, params, message = 'is not as expected' } = error;
  const pathText = nodePath.length === 0 ? 'the study' : `'${nodePath.join('.')}'`;
  if (keyword === 'additionalProperties') {
    const unknown = String(params.additionalProperty);
    const knownKeys = Object.keys((error.parentSchema as ObjectSchema).properties ?? {});
    return new InputError(
      `${locate([...nodePath, unknown])}: unknown key '${unknown}' in ${pathText}${listKnownNames(unknown, knownKeys)}`,
    );
  }
  if (error.propertyName !== undefined && keyword === 'pattern') {
    return new InputError(
      `${locate([...nodePath, error.propertyName])}: ${pathText}: expected a name of letters, digits and -, which begins with a letter, found ${describeInvalidValue(error.propertyName)}`,
    );
  }
  const location = locate(nodePath);
  if (keyword === 'required')
    return new InputError(`${location}: ${pathText} needs the key '${params.missingProperty}'`);
  if (keyword === 'minItems' || keyword === 'minProperties') {
    return new InputError(
      `${location}: ${pathText} is empty; give it ${params.limit === 1 ? 'a value' : `${params.limit} values`}`,
    );
  }
  if (keyword === 'enum') {
    const allowedValuesText = (params.allowedValues as unknown[]).join(', ');
    return new InputError(
      `${location}: ${pathText}: expected ${allowedValuesText}, found ${describeInvalidValue(error.data)}`,
    );
  }
  if (keyword === 'oneOf') {
    return new InputError(
      `${location}: ${pathText} needs 'reproduced', or 'measure', 'axis' and one of 'ascending' and 'descending', or 'measure' and one of 'atLeast' and 'atMost'`,
    );
  }
  return new InputError(`${location}: ${pathText} ${message}, found ${describeInvalidValue(error.data)}`);
}

function describeInvalidValue(invalidValue: unknown): string {
  return JSON.stringify(invalidValue)?.slice(0, 60) ?? 'nothing';
}
