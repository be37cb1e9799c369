/** A study file as text, parsed; and studies held against the published schema. Every fault has its place. */
import type { ErrorObject } from 'ajv';
import type * as Yaml from 'yaml';
import { InputError } from '../errors.js';
import { escapeText } from '../format/text.js';
import { firstOf } from '../lists.js';
import { knownNames } from '../notation.js';

type Path = readonly (string | number)[];

/** A study file: plain data, and where its parts are. */
export interface StudyDocument {
  readonly data: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** `file, line 12`: where a key is (a list entry: where it begins), or the nearest part above it. */
  readonly locate: (path: Path) => string;
}

interface Schema {
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** Deeper no study goes; what does is a mistake or a trap. */
const MAX_LEVELS = 100;

/** Longer no study is, and parsing takes some hundred times its length in memory. */
export const MAX_BYTES = 2_000_000;

/**
 * Parses a study file.
 * @throws InputError with file and line for text that is too long, is no YAML, holds no keys, or refers to itself.
 */
export async function parseStudyDocument(text: string, file: string): Promise<StudyDocument> {
  if (new TextEncoder().encode(text).length > MAX_BYTES) {
    throw new InputError(
      `${file} is larger than ${MAX_BYTES / 1e6} MB, as no study file is; check that it is the right file, and write long lists of whole numbers as ranges, such as 1..1000`,
    );
  }
  const yaml = await import('yaml');
  const lines = new yaml.LineCounter();
  const at = (offset: number) => `${file}, line ${lines.linePos(offset).line}`;
  const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [fault] = document.errors;
  // The parser goes down into itself, and says only that it could not go further.
  if (fault?.code === 'RESOURCE_EXHAUSTION') throw nestingError(file);
  if (fault !== undefined) throw new InputError(`${at(fault.pos[0])}: ${fault.message}`);
  const data = plainData(document, file);
  const locate = (path: Path) => at(offsetOf(yaml, document.contents, path));
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    throw new InputError(
      `${file}: expected a study (title, simulate, axes, measures, ...), found something else`,
    );
  }
  return { data: data as Record<string, unknown>, text, locate };
}

/** Values of a document, none of which contains itself. */
function plainData(document: Yaml.Document, file: string): unknown {
  let data: unknown;
  try {
    data = document.toJS();
  } catch (error) {
    if (error instanceof RangeError) throw nestingError(file);
    if (error instanceof ReferenceError) {
      throw new InputError(`${file}: its aliases (*name) expand to too much; write their values out`);
    }
    throw error;
  }
  const check = (value: unknown, level: number): void => {
    if (typeof value === 'string') checkText(value, file);
    if (typeof value !== 'object' || value === null) return;
    if (level > MAX_LEVELS) throw nestingError(file);
    for (const [key, part] of Object.entries(value)) {
      checkText(key, file);
      check(part, level + 1);
    }
  };
  check(data, 1);
  return data;
}

/**
 * Characters that move the cursor, or change colours or the direction of text; a study needs none of them.
 */
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

function checkText(text: string, file: string): void {
  const [control] = CONTROLS.exec(text.replace(/[\n\t]/g, '')) ?? [];
  if (control === undefined) return;
  const code = control.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  throw new InputError(
    `${file}: '${escapeText(text.slice(0, 40))}' holds the control character U+${code}; delete it`,
  );
}

function nestingError(file: string): InputError {
  return new InputError(
    `${file}: values lie more than ${MAX_LEVELS} levels deep, or an alias (*name) contains itself; write out what is meant`,
  );
}

/** Offset of the key at a path; for a missing key, of the part that would hold it. */
function offsetOf(yaml: typeof Yaml, root: Yaml.Node | null, path: Path): number {
  let node: Yaml.Node | null | undefined = root;
  let offset = root?.range?.[0] ?? 0;
  for (const key of path) {
    if (yaml.isMap(node)) {
      const pair = node.items.find(
        (each) => yaml.isPair(each) && yaml.isScalar(each.key) && String(each.key.value) === String(key),
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
 * Holds a study, as plain data, against the schema.
 * @param locate says where the part at a path is.
 * @throws InputError with place and key for what does not follow it.
 */
export async function checkSchema(data: object, locate: (path: Path) => string): Promise<void> {
  const { default: validate } = await import('./studyCheck.js');
  if (validate(data)) return;
  const error = firstOf([...(validate.errors ?? [])].sort((a, b) => weight(b) - weight(a)));
  const parts = error.instancePath.split('/').slice(1);
  const path = parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  throw sentence(error, path, locate);
}

/** Rank of an error: unknown keys first, then the deepest; missing parts of alternatives last. */
function weight({ keyword, instancePath, schemaPath }: ErrorObject): number {
  const isAlternative = keyword === 'anyOf' || keyword === 'oneOf' || keyword === 'if';
  return (
    (keyword === 'additionalProperties' ? 1000 : 0) +
    instancePath.split('/').length * 2 -
    Number(isAlternative) -
    2 * Number(schemaPath.includes('/oneOf/'))
  );
}

function sentence(error: ErrorObject, path: Path, locate: (path: Path) => string): InputError {
  const { keyword, params, message = 'is not as expected' } = error;
  const key = path.length === 0 ? 'the study' : `'${path.join('.')}'`;
  if (keyword === 'additionalProperties') {
    const unknown = String(params.additionalProperty);
    const known = Object.keys((error.parentSchema as Schema).properties ?? {});
    return new InputError(
      `${locate([...path, unknown])}: unknown key '${unknown}' in ${key}${knownNames(unknown, known)}`,
    );
  }
  if (error.propertyName !== undefined && keyword === 'pattern') {
    return new InputError(
      `${locate([...path, error.propertyName])}: ${key}: expected a name of letters, digits and -, which begins with a letter, found ${found(error.propertyName)}`,
    );
  }
  const where = locate(path);
  if (keyword === 'required')
    return new InputError(`${where}: ${key} needs the key '${params.missingProperty}'`);
  if (keyword === 'minItems' || keyword === 'minProperties') {
    return new InputError(
      `${where}: ${key} is empty; give it ${params.limit === 1 ? 'a value' : `${params.limit} values`}`,
    );
  }
  if (keyword === 'enum') {
    const allowed = (params.allowedValues as unknown[]).join(', ');
    return new InputError(`${where}: ${key}: expected ${allowed}, found ${found(error.data)}`);
  }
  if (keyword === 'oneOf') {
    return new InputError(
      `${where}: ${key} needs 'reproduced', or 'measure', 'axis' and one of 'ascending' and 'descending', or 'measure' and one of 'atLeast' and 'atMost'`,
    );
  }
  return new InputError(`${where}: ${key} ${message}, found ${found(error.data)}`);
}

function found(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 60) ?? 'nothing';
}
