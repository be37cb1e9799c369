/**
 * Replaces every value in every JSON file of a result folder by values of all other JSON types:
 * each command that reads the folder must succeed, or end with one sentence that names the file.
 */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sampleTestCases } from '../cases.js';
import { runGridalloc } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** A value of each JSON type. */
const REPLACEMENT_JSON_VALUES: readonly JsonValue[] = [null, true, 1.5, 'x', [], {}];

const jsonTypeOf = (jsonValue: JsonValue) =>
  jsonValue === null ? 'null' : Array.isArray(jsonValue) ? 'list' : typeof jsonValue;

/** Path of a value in a JSON document: keys and indices. */
type JsonPath = readonly (string | number)[];

/** Paths of all values in a document; of lists only the first and the last entry. */
function valuePathsOf(jsonValue: JsonValue, parentPath: JsonPath = []): JsonPath[] {
  if (typeof jsonValue !== 'object' || jsonValue === null) return [parentPath];
  const childKeys = Array.isArray(jsonValue)
    ? [...new Set([0, jsonValue.length - 1])].filter((i) => i in jsonValue)
    : Object.keys(jsonValue);
  const childValuesByKey = jsonValue as { readonly [key: string | number]: JsonValue };
  return [
    parentPath,
    ...childKeys.flatMap((key) => valuePathsOf(childValuesByKey[key]!, [...parentPath, key])),
  ];
}

/** A copy of a document with another value at a path. */
function replaceValueAt(
  newValue: JsonValue,
  [key, ...remainingPath]: JsonPath,
  replacement: JsonValue,
): JsonValue {
  if (key === undefined) return replacement;
  const copy: Record<string | number, JsonValue> = Array.isArray(newValue)
    ? ([...newValue] as never)
    : { ...(newValue as object) };
  copy[key] = replaceValueAt(copy[key]!, remainingPath, replacement);
  return copy as JsonValue;
}

function valueAtJsonPath(jsonValue: JsonValue, valuePath: JsonPath): JsonValue {
  return valuePath.reduce<JsonValue>(
    (inner, key) => (inner as Record<string | number, JsonValue>)[key]!,
    jsonValue,
  );
}

/** Text of a document as in its file: plans have one line per list entry. */
function textOf(document: JsonValue, file: string): string {
  const fileText = `${JSON.stringify(document)}\n`;
  if (file !== 'plan.json') return fileText;
  return fileText
    .replace(/,("(?:workloads|sources|runs|points)":\[)/g, ',\n$1\n')
    .replaceAll(/\},\{/g, '},\n{')
    .replaceAll(/\}\],/g, '}\n],')
    .replace(/\}\]\}\n$/, '}\n]}\n');
}

interface ResultFolderCase {
  /** Command that creates the folder, run once. */
  readonly make: readonly string[];
  readonly files: readonly string[];
  /** Commands that read the folder. FOLDER stands for its path, OUT for a new file or folder. */
  readonly commands: readonly (readonly string[])[];
}

const LOG = 'traces/queues.swf';
const RESULT_FOLDER_CASES: Readonly<Record<string, ResultFolderCase>> = {
  simulation: {
    make: ['simulate', LOG, '--sites', '4,8', '--oversize', 'drop', '--discipline', 'easy', '--by', 'user'],
    files: ['config.json', 'summary.json'],
    commands: [
      ['report', 'FOLDER'],
      ['diff', 'FOLDER', 'FOLDER'],
      ['jobs', 'FOLDER'],
      ['explain', 'FOLDER', '2'],
      ['explore', 'FOLDER', '--out', 'OUT.html'],
      ['simulate', '--config', 'FOLDER', '--out', 'OUT'],
    ],
  },
  comparison: {
    make: ['compare', LOG, '--discipline', 'fcfs,easy', '--replications', '10'],
    files: ['comparison.json', 'report.json', 'plan.json', 'environment.json'],
    commands: [
      ['report', 'FOLDER'],
      ['explore', 'FOLDER', '--out', 'OUT.html'],
      ['study', 'status', 'FOLDER'],
      ['study', 'merge', 'FOLDER'],
      ['compare', LOG, '--discipline', 'fcfs,easy', '--replications', '10', '--out', 'FOLDER'],
    ],
  },
};

describe.each(Object.entries(RESULT_FOLDER_CASES))('a folder of a %s', (name, { make, files, commands }) => {
  const baseFolder = makeTemporaryFolder();
  const undamagedResultFolder = join(baseFolder, 'whole');

  /** Runs a command on a folder. */
  const runCommandOnFolder = (command: readonly string[], folder: string, id: string) =>
    runGridalloc([
      ...command.map((word) => word.replace('FOLDER', folder).replace('OUT', join(baseFolder, id))),
      '--quiet',
    ]);

  test('is made and read', async () => {
    expect(await runGridalloc([...make, '--quiet', '--out', undamagedResultFolder])).toMatchObject({
      exitCode: 0,
    });
    for (const [i, command] of commands.entries())
      expect(await runCommandOnFolder(command, undamagedResultFolder, `whole-${i}`)).toMatchObject({
        exitCode: 0,
        stderr: '',
      });
  });

  test.each(files)('%s', { timeout: 600_000 }, async (file) => {
    const fileText = readFileSync(join(undamagedResultFolder, file), 'utf8');
    const document = JSON.parse(fileText) as JsonValue;
    const faults: string[] = [];
    let triedCommandCount = 0;
    for (const valuePath of sampleTestCases(valuePathsOf(document), 30)) {
      const originalJsonType = jsonTypeOf(valueAtJsonPath(document, valuePath));
      for (const value of REPLACEMENT_JSON_VALUES.filter(
        (jsonValue) => jsonTypeOf(jsonValue) !== originalJsonType,
      )) {
        for (const command of commands) {
          const id = `${name}-${triedCommandCount++}`;
          const folder = join(baseFolder, 'changed');
          cpSync(undamagedResultFolder, folder, { recursive: true });
          writeFileSync(join(folder, file), textOf(replaceValueAt(document, valuePath, value), file));
          const { exitCode, stderr } = await runCommandOnFolder(command, folder, id);
          // Options that take values of several types may fail because a replaced value does not suit the
          // log.
          const isFileNamedInError =
            exitCode === 2 && (stderr.includes(basename(file)) || stderr.includes(`${LOG}: `));
          if (exitCode !== 0 && !isFileNamedInError)
            faults.push(
              `${valuePath.join('.')}: ${JSON.stringify(value)}: ${command.slice(0, 2).join(' ')}: ${exitCode} ${stderr.trim().split('\n')[0]}`,
            );
        }
      }
    }
    expect(faults).toEqual([]);
    expect(triedCommandCount).toBeGreaterThan(20);
  });
});
