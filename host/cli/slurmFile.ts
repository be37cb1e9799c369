/** Reads a slurm.conf and checks the values of the keys that affect schedules. */
import { readFileSync } from 'node:fs';
import { InputError } from '../errors.js';
import { joinWithAnd } from '../format/numbers.js';
import { formatNameSuggestion, parseWholeNumberOrNaN, splitOutsideBrackets } from '../notation.js';
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

function makeWholeNumberKind(
  minimum: number,
  maximum: number,
  ...unlimitedWords: readonly string[]
): SlurmValueKind {
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

function makeWordChoiceKind(...acceptedWords: readonly string[]): SlurmValueKind {
  return {
    isValid: (valueText) =>
      acceptedWords.some((acceptedWord) => acceptedWord.toLowerCase() === valueText.toLowerCase()),
    expected: acceptedWords.join(' or '),
  };
}

const SLURM_TIME_PATTERN = /^(?:(\d+)-)?(\d+)(?::(\d+))?(?::(\d+))?$/;

const SLURM_TIME_KIND: SlurmValueKind = {
  isValid: (valueText) => SLURM_TIME_PATTERN.test(valueText),
  expected: 'a time such as 5, 12:00:00 or 7-0',
};

const SLURM_YES_OR_NO_KIND: SlurmValueKind = {
  isValid: (valueText) => /^(yes|true|up|1|no|false|down|0)$/i.test(valueText),
  expected: 'YES or NO',
};

const SLURM_WEIGHT_KIND = makeWholeNumberKind(0, MAX_UINT32);

/** Kinds of the values that are read, by key. */
const SLURM_VALUE_KINDS: Readonly<Record<string, SlurmValueKind>> = {
  FairShareDampeningFactor: makeWholeNumberKind(1, MAX_UINT16),
  OverTimeLimit: makeWholeNumberKind(0, MAX_UINT16, 'UNLIMITED'),
  PriorityCalcPeriod: SLURM_TIME_KIND,
  PriorityDecayHalfLife: SLURM_TIME_KIND,
  PriorityFavorSmall: SLURM_YES_OR_NO_KIND,
  PriorityMaxAge: SLURM_TIME_KIND,
  PriorityType: makeWordChoiceKind('priority/basic', 'priority/multifactor'),
  PriorityUsageResetPeriod: makeWordChoiceKind(
    ...['NONE', 'NOW', 'DAILY', 'WEEKLY', 'MONTHLY', 'QUARTERLY', 'YEARLY'],
  ),
  PriorityWeightAge: SLURM_WEIGHT_KIND,
  PriorityWeightAssoc: SLURM_WEIGHT_KIND,
  PriorityWeightFairshare: SLURM_WEIGHT_KIND,
  PriorityWeightJobSize: SLURM_WEIGHT_KIND,
  PriorityWeightPartition: SLURM_WEIGHT_KIND,
  PriorityWeightQOS: SLURM_WEIGHT_KIND,
  SchedulerTimeSlice: makeWholeNumberKind(0, MAX_UINT16),
  SchedulerType: makeWordChoiceKind('sched/backfill', 'sched/builtin'),
};

/** Further keys that are read, whose values have kinds of their own. */
const OTHER_READ_KEYS = [
  ...['AccountingStorageEnforce', 'Epilog', 'NodeName', 'PartitionName', 'PreemptType'],
  ...['PriorityFlags', 'PrioritySiteFactorPlugin', 'PriorityWeightTRES', 'SchedulerParameters'],
];

/** Keys that affect simulations. */
export const READ_SLURM_KEYS: readonly string[] = [...Object.keys(SLURM_VALUE_KINDS), ...OTHER_READ_KEYS];

/** Keys of lines that describe an object by further keys. */
const SLURM_OBJECT_KEYS = ['NodeName', 'PartitionName', 'DownNodes', 'NodeSet', 'SwitchName', 'FrontendName'];

/** Kinds of the values that are read in lines of nodes and of partitions. */
const OBJECT_VALUE_KINDS: Readonly<Record<string, Readonly<Record<string, SlurmValueKind>>>> = {
  nodename: Object.fromEntries(
    ['CPUs', 'Boards', 'Sockets', 'SocketsPerBoard', 'CoresPerSocket', 'ThreadsPerCore'].map((key) => [
      key,
      makeWholeNumberKind(1, MAX_UINT16),
    ]),
  ),
  partitionname: {
    PriorityJobFactor: makeWholeNumberKind(0, MAX_UINT16),
    Priority: makeWholeNumberKind(0, MAX_UINT16),
  },
};

const KNOWN_PRIORITY_FLAGS = [
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
    const includedPath = /^include\s+(\S+)/i.exec(slurmLine.text)?.[1];
    if (includedPath !== undefined) includedFiles.push(includedPath);
    const keyValuePairs = [...slurmLine.text.matchAll(/(?<!\S)(\w+)\s*=\s*(\S*)/g)].map(
      ([, key, valueText]) => [key!, valueText!] as const,
    );
    const [firstPair] = keyValuePairs;
    if (firstPair === undefined) continue;
    const isObjectLine = findNameIgnoringCase(firstPair[0], SLURM_OBJECT_KEYS) !== undefined;
    for (const [key, valueText] of isObjectLine ? [firstPair] : keyValuePairs) {
      if (findNameIgnoringCase(key, SLURM_KEYS) === undefined) unknownKeys.add(key);
      else knownKeyCount += 1;
      if (!isObjectLine) {
        checkSlurmValue(SLURM_VALUE_KINDS, key, valueText, `${path}, line ${slurmLine.number}`);
        configurationEntries.set(key.toLowerCase(), valueText);
      }
    }
    if (!isObjectLine) continue;
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
  const priorityFlags = (configurationEntries.get('priorityflags') ?? '')
    .split(',')
    .filter((flag) => flag !== '');
  return {
    entries: configurationEntries,
    partitionLines: objectLines.get('partitionname') ?? [],
    nodeLines: objectLines.get('nodename') ?? [],
    remarks: [
      ...remarkOnUnknownNames('key', [...unknownKeys], SLURM_KEYS),
      ...remarkOnUnknownNames('flag', priorityFlags, KNOWN_PRIORITY_FLAGS),
      ...(includedFiles.length === 0
        ? []
        : [`Included files are not read: ${joinWithAnd(includedFiles)}. Copy their keys into this file.`]),
    ],
  };
}

/** Lines with a text, without comments; a backslash at the end continues a line. */
function splitSlurmLines(fileText: string): SlurmLine[] {
  const lines: SlurmLine[] = [];
  let unfinishedLine: SlurmLine | undefined;
  for (const [index, raw] of fileText
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const lineWithoutComment = raw.replace(/(^|[^\\])#.*/, '$1').trim();
    const continuesOnNextLine = lineWithoutComment.endsWith('\\');
    const lineSoFar: SlurmLine = unfinishedLine ?? { number: index + 1, text: '' };
    const line = {
      ...lineSoFar,
      text: `${lineSoFar.text} ${continuesOnNextLine ? lineWithoutComment.slice(0, -1) : lineWithoutComment}`.trim(),
    };
    unfinishedLine = continuesOnNextLine ? line : undefined;
    if (!continuesOnNextLine && line.text !== '') lines.push(line);
  }
  return unfinishedLine === undefined ? lines : [...lines, unfinishedLine];
}

/** Known name equal to a name without regard to case. */
function findNameIgnoringCase(wantedName: string, knownNames: readonly string[]): string | undefined {
  return knownNames.find((knownName) => knownName.toLowerCase() === wantedName.toLowerCase());
}

function checkSlurmValue(
  valueKinds: Readonly<Record<string, SlurmValueKind>>,
  settingName: string,
  valueText: string,
  valueLocation: string,
): void {
  const knownKey = findNameIgnoringCase(settingName, Object.keys(valueKinds));
  if (knownKey === undefined || valueKinds[knownKey]!.isValid(valueText)) return;
  throw new InputError(
    `${valueLocation}, ${knownKey}: expected ${valueKinds[knownKey]!.expected}, found '${valueText}'`,
  );
}

/** Suggestion for a name that is nearly a known one; empty if there is none. */
export function suggestSlurmName(unknownName: string, knownNames: readonly string[]): string {
  return formatNameSuggestion(unknownName, knownNames, (nearestName) => nearestName, MAX_MISSPELT_LETTERS);
}

/** Sentences about names that Slurm does not have: one for each misspelt name, and one for all others. */
function remarkOnUnknownNames(
  nameKind: string,
  names: readonly string[],
  knownNames: readonly string[],
): string[] {
  const unknownNames = names.filter((name) => findNameIgnoringCase(name, knownNames) === undefined);
  const remarks: string[] = [];
  const namesWithoutSuggestion: string[] = [];
  for (const unknownName of unknownNames) {
    const suggestion = suggestSlurmName(unknownName, knownNames);
    if (suggestion === '') namesWithoutSuggestion.push(unknownName);
    else remarks.push(`Unknown ${nameKind} ${unknownName} is ignored${suggestion}`);
  }
  const listedNames = namesWithoutSuggestion.slice(0, MAX_LISTED_UNKNOWN_NAMES);
  if (namesWithoutSuggestion.length > listedNames.length)
    listedNames.push(`${namesWithoutSuggestion.length - listedNames.length} more`);
  const isSingleName = namesWithoutSuggestion.length === 1;
  if (namesWithoutSuggestion.length > 0)
    remarks.push(
      `Unknown ${isSingleName ? `${nameKind} is` : `${nameKind}s are`} ignored: ${joinWithAnd(listedNames)}.`,
    );
  return remarks;
}

/**
 * Parses a time in slurm.conf as seconds: minutes, minutes:seconds, hours:minutes:seconds, days-hours,
 * days-hours:minutes or days-hours:minutes:seconds. Rounds up to whole minutes.
 */
export function parseSlurmTime(slurmTimeText: string): number {
  const [, days, one, two, three] = SLURM_TIME_PATTERN.exec(slurmTimeText)!;
  const hasHours = days !== undefined || three !== undefined;
  const [hours, minutes, seconds] = hasHours ? [one, two, three] : ['0', one, two];
  const timeAmounts = [days, hours, minutes, seconds].map((part) => Number(part ?? 0));
  const totalSeconds =
    ((timeAmounts[0]! * 24 + timeAmounts[1]!) * 60 + timeAmounts[2]!) * 60 + timeAmounts[3]!;
  return 60 * Math.ceil(totalSeconds / 60);
}

function readSlurmFile(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    const isList = splitOutsideBrackets(path.replaceAll(';', ','), ',').length > 1;
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
