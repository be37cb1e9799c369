/** Reads a slurm.conf and checks the values of the keys that affect schedules. */
import { readFileSync } from 'node:fs';
import { InputError } from '../errors.js';
import { joinWithAnd } from '../format/numbers.js';
import { formatNameSuggestion, parseWholeNumberOrNaN, splitUnbracketed } from '../notation.js';
import { SLURM_KEYS } from './slurmKeys.js';

/** Keys, partitions and nodes of a slurm.conf. */
export interface SlurmConfiguration {
  /** Texts behind the equals signs, by the name of the parameter in lower case. */
  readonly entries: ReadonlyMap<string, string>;
  readonly partitionLines: readonly string[];
  readonly nodeLines: readonly string[];
  /** Sentences about keys and flags that Slurm does not have, and about files that were not read. */
  readonly remarks: readonly string[];
}

/** Valid values of a key. */
interface SlurmValueKind {
  readonly isValid: (text: string) => boolean;
  /** Description of valid values, for errors. */
  readonly expected: string;
}

const MAX_UINT32 = 2 ** 32 - 1;
const MAX_UINT16 = 2 ** 16 - 1;

function wholeNumber(minimum: number, maximum: number, ...unlimitedWords: readonly string[]): SlurmValueKind {
  return {
    isValid: (valueText) => {
      const parsedNumber = /^\d+$/.test(valueText) ? parseWholeNumberOrNaN(valueText) : Number.NaN;
      return (
        (parsedNumber >= minimum && parsedNumber <= maximum) ||
        unlimitedWords.includes(valueText.toUpperCase())
      );
    },
    expected: [`a whole number from ${minimum} to ${maximum}`, ...unlimitedWords].join(' or '),
  };
}

function oneOf(...acceptedWords: readonly string[]): SlurmValueKind {
  return {
    isValid: (valueText) =>
      acceptedWords.some((acceptedWord) => acceptedWord.toLowerCase() === valueText.toLowerCase()),
    expected: acceptedWords.join(' or '),
  };
}

const SLURM_TIME_PATTERN = /^(?:(\d+)-)?(\d+)(?::(\d+))?(?::(\d+))?$/;

const SLURM_TIME: SlurmValueKind = {
  isValid: (valueText) => SLURM_TIME_PATTERN.test(valueText),
  expected: 'a time such as 5, 12:00:00 or 7-0',
};

const SLURM_SWITCH: SlurmValueKind = {
  isValid: (valueText) => /^(yes|true|up|1|no|false|down|0)$/i.test(valueText),
  expected: 'YES or NO',
};

const SLURM_WEIGHT = wholeNumber(0, MAX_UINT32);

/** Kinds of the values that are read, by key. */
const SLURM_VALUE_KINDS: Readonly<Record<string, SlurmValueKind>> = {
  FairShareDampeningFactor: wholeNumber(1, MAX_UINT16),
  OverTimeLimit: wholeNumber(0, MAX_UINT16, 'UNLIMITED'),
  PriorityCalcPeriod: SLURM_TIME,
  PriorityDecayHalfLife: SLURM_TIME,
  PriorityFavorSmall: SLURM_SWITCH,
  PriorityMaxAge: SLURM_TIME,
  PriorityType: oneOf('priority/basic', 'priority/multifactor'),
  PriorityUsageResetPeriod: oneOf(...['NONE', 'NOW', 'DAILY', 'WEEKLY', 'MONTHLY', 'QUARTERLY', 'YEARLY']),
  PriorityWeightAge: SLURM_WEIGHT,
  PriorityWeightAssoc: SLURM_WEIGHT,
  PriorityWeightFairshare: SLURM_WEIGHT,
  PriorityWeightJobSize: SLURM_WEIGHT,
  PriorityWeightPartition: SLURM_WEIGHT,
  PriorityWeightQOS: SLURM_WEIGHT,
  SchedulerTimeSlice: wholeNumber(0, MAX_UINT16),
  SchedulerType: oneOf('sched/backfill', 'sched/builtin'),
};

/** Further keys that are read, whose values have kinds of their own. */
const OTHER_READ_KEYS = [
  ...['AccountingStorageEnforce', 'Epilog', 'NodeName', 'PartitionName', 'PreemptType'],
  ...['PriorityFlags', 'PrioritySiteFactorPlugin', 'PriorityWeightTRES', 'SchedulerParameters'],
];

/** Keys that affect simulations. */
export const READ_SLURM_KEYS: readonly string[] = [...Object.keys(SLURM_VALUE_KINDS), ...OTHER_READ_KEYS];

/** Keys of lines that describe an object by further keys. */
const OBJECT_KEYS = ['NodeName', 'PartitionName', 'DownNodes', 'NodeSet', 'SwitchName', 'FrontendName'];

/** Kinds of the values that are read in lines of nodes and of partitions. */
const OBJECT_VALUE_KINDS: Readonly<Record<string, Readonly<Record<string, SlurmValueKind>>>> = {
  nodename: Object.fromEntries(
    ['CPUs', 'Boards', 'Sockets', 'SocketsPerBoard', 'CoresPerSocket', 'ThreadsPerCore'].map((key) => [
      key,
      wholeNumber(1, MAX_UINT16),
    ]),
  ),
  partitionname: {
    PriorityJobFactor: wholeNumber(0, MAX_UINT16),
    Priority: wholeNumber(0, MAX_UINT16),
  },
};

const PRIORITY_FLAGS = [
  ...['ACCRUE_ALWAYS', 'CALCULATE_RUNNING', 'DEPTH_OBLIVIOUS', 'FAIR_TREE', 'INCR_ONLY', 'MAX_TRES'],
  ...['MAX_TRES_GRES', 'NO_FAIR_TREE', 'NO_NORMAL_ALL', 'NO_NORMAL_ASSOC', 'NO_NORMAL_PART'],
  ...['NO_NORMAL_QOS', 'NO_NORMAL_TRES', 'SMALL_RELATIVE_TO_TIME', 'TICKET_BASED'],
];

/** Largest number of wrong letters in a misspelt name; Slurm has other names that are similar. */
const MAX_MISSPELT_LETTERS = 2;

/** Largest number of unknown names that one sentence lists. */
const MAX_LISTED_UNKNOWN_NAMES = 5;

/** Line of a slurm.conf, without its comment and joined with the lines that continue it. */
interface SlurmLine {
  /** Number of the first line, from 1. */
  readonly number: number;
  readonly text: string;
}

/**
 * Parses a slurm.conf.
 * @throws InputError for a file that cannot be read or is no slurm.conf, and for an invalid value.
 */
export function parseSlurmFile(path: string): SlurmConfiguration {
  const configurationEntries = new Map<string, string>();
  const objectLines = new Map<string, string[]>();
  const unknownKeys = new Set<string>();
  const includedFiles: string[] = [];
  let knownKeyCount = 0;
  for (const slurmLine of splitSlurmLines(readSlurmFile(path))) {
    const included = /^include\s+(\S+)/i.exec(slurmLine.text)?.[1];
    if (included !== undefined) includedFiles.push(included);
    const keyValuePairs = [...slurmLine.text.matchAll(/(?<!\S)(\w+)\s*=\s*(\S*)/g)].map(
      ([, key, valueText]) => [key!, valueText!] as const,
    );
    const [firstPair] = keyValuePairs;
    if (firstPair === undefined) continue;
    const isObject = findName(firstPair[0], OBJECT_KEYS) !== undefined;
    for (const [key, valueText] of isObject ? [firstPair] : keyValuePairs) {
      if (findName(key, SLURM_KEYS) === undefined) unknownKeys.add(key);
      else knownKeyCount += 1;
      if (!isObject) {
        checkSlurmValue(SLURM_VALUE_KINDS, key, valueText, `${path}, line ${slurmLine.number}`);
        configurationEntries.set(key.toLowerCase(), valueText);
      }
    }
    if (!isObject) continue;
    const objectKind = firstPair[0].toLowerCase();
    for (const [key, valueText] of keyValuePairs.slice(1))
      checkSlurmValue(
        OBJECT_VALUE_KINDS[objectKind] ?? {},
        key,
        valueText,
        `${path}, line ${slurmLine.number}`,
      );
    objectLines.set(objectKind, [...(objectLines.get(objectKind) ?? []), slurmLine.text]);
  }
  if (knownKeyCount === 0)
    throw new InputError(
      `--scheduler: ${path} is not a slurm.conf, since no line has a key of Slurm, such as SchedulerType=sched/backfill; give slurm, slurm[...] or the path of a slurm.conf`,
    );
  const flags = (configurationEntries.get('priorityflags') ?? '').split(',').filter((flag) => flag !== '');
  return {
    entries: configurationEntries,
    partitionLines: objectLines.get('partitionname') ?? [],
    nodeLines: objectLines.get('nodename') ?? [],
    remarks: [
      ...unknownNameRemarks('key', [...unknownKeys], SLURM_KEYS),
      ...unknownNameRemarks('flag', flags, PRIORITY_FLAGS),
      ...(includedFiles.length === 0
        ? []
        : [`Included files are not read: ${joinWithAnd(includedFiles)}. Copy their keys into this file.`]),
    ],
  };
}

/** Lines with a text, without comments; a backslash at the end continues a line. */
function splitSlurmLines(fileText: string): SlurmLine[] {
  const lines: SlurmLine[] = [];
  let openLine: SlurmLine | undefined;
  for (const [index, raw] of fileText
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const lineWithoutComment = raw.replace(/(^|[^\\])#.*/, '$1').trim();
    const isContinued = lineWithoutComment.endsWith('\\');
    const lineSoFar: SlurmLine = openLine ?? { number: index + 1, text: '' };
    const line = {
      ...lineSoFar,
      text: `${lineSoFar.text} ${isContinued ? lineWithoutComment.slice(0, -1) : lineWithoutComment}`.trim(),
    };
    openLine = isContinued ? line : undefined;
    if (!isContinued && line.text !== '') lines.push(line);
  }
  return openLine === undefined ? lines : [...lines, openLine];
}

/** Known name equal to a name without regard to case. */
function findName(wantedName: string, knownNames: readonly string[]): string | undefined {
  return knownNames.find((knownName) => knownName.toLowerCase() === wantedName.toLowerCase());
}

function checkSlurmValue(
  kinds: Readonly<Record<string, SlurmValueKind>>,
  settingName: string,
  valueText: string,
  valueLocation: string,
): void {
  const knownKey = findName(settingName, Object.keys(kinds));
  if (knownKey === undefined || kinds[knownKey]!.isValid(valueText)) return;
  throw new InputError(
    `${valueLocation}, ${knownKey}: expected ${kinds[knownKey]!.expected}, found '${valueText}'`,
  );
}

/** Suggestion for a name that is nearly a known one; empty if there is none. */
export function suggestSlurmName(unknownName: string, knownNames: readonly string[]): string {
  return formatNameSuggestion(unknownName, knownNames, (near) => near, MAX_MISSPELT_LETTERS);
}

/** Sentences about names that Slurm does not have: one for each misspelt name, and one for all others. */
function unknownNameRemarks(
  nameKind: string,
  names: readonly string[],
  knownNames: readonly string[],
): string[] {
  const unknownNames = names.filter((name) => findName(name, knownNames) === undefined);
  const remarks: string[] = [];
  const unsuggestedNames: string[] = [];
  for (const unknownName of unknownNames) {
    const suggestion = suggestSlurmName(unknownName, knownNames);
    if (suggestion === '') unsuggestedNames.push(unknownName);
    else remarks.push(`Unknown ${nameKind} ${unknownName} is ignored${suggestion}`);
  }
  const listedNames = unsuggestedNames.slice(0, MAX_LISTED_UNKNOWN_NAMES);
  if (unsuggestedNames.length > listedNames.length)
    listedNames.push(`${unsuggestedNames.length - listedNames.length} more`);
  const isOne = unsuggestedNames.length === 1;
  if (unsuggestedNames.length > 0)
    remarks.push(
      `Unknown ${isOne ? `${nameKind} is` : `${nameKind}s are`} ignored: ${joinWithAnd(listedNames)}.`,
    );
  return remarks;
}

/**
 * Parses a time in slurm.conf as seconds: minutes, minutes:seconds, hours:minutes:seconds, days-hours,
 * days-hours:minutes or days-hours:minutes:seconds. Rounds up to whole minutes.
 */
export function parseSlurmTime(slurmTimeText: string): number {
  const [, days, one, two, three] = SLURM_TIME_PATTERN.exec(slurmTimeText)!;
  const isInHours = days !== undefined || three !== undefined;
  const [hours, minutes, seconds] = isInHours ? [one, two, three] : ['0', one, two];
  const amounts = [days, hours, minutes, seconds].map((part) => Number(part ?? 0));
  const totalSeconds = ((amounts[0]! * 24 + amounts[1]!) * 60 + amounts[2]!) * 60 + amounts[3]!;
  return 60 * Math.ceil(totalSeconds / 60);
}

function readSlurmFile(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    const isList = splitUnbracketed(path.replaceAll(';', ','), ',').length > 1;
    const hint = isList
      ? "; it takes one scheduler; several are compared by gridalloc compare --method 'scheduler=slurm' --method 'scheduler=slurm[bf_interval=60]'"
      : formatNameSuggestion(path.replace(/\[.*/s, ''), ['slurm']);
    throw new InputError(
      `--scheduler: expected slurm, slurm[...] or the path of a slurm.conf, found '${path}', which cannot be read${hint}`,
    );
  }
  const fileDefect = text.trim() === '' ? 'empty' : text.includes('\0') ? 'not text' : undefined;
  if (fileDefect === undefined) return text;
  throw new InputError(
    `--scheduler: ${path} is ${fileDefect}; expected slurm, slurm[...] or the path of a slurm.conf`,
  );
}
