/**
 * Reads the interface between core and host, i.e. enumerations and exported functions, from the sources of
 * the core.
 */
import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** Files of the enumerations, in the order of docs/abi.md, and of the calls. */
const ENUMERATION_FILES = ['abi/abi.ts', 'abi/abiColumns.ts'];
const CALL_FILES = [
  ...['index.ts', 'engine/jobs.ts', 'engine/access.ts', 'engine/sealState.ts'],
  ...['allocators/registry.ts', 'memory/check.ts'],
];

/** Names of the core's exported functions in the order in which a host calls them. */
const CALL_NAMES_IN_ORDER = [
  ['abiVersion', 'firstAddress', 'arrangeJobs', 'jobColumnAddress', 'sealJobs', 'appendJobs'],
  ['withdrawJobs', 'refusedJob', 'prepare'],
  ['setOption', 'fitRoom', 'setRoom', 'room', 'arrange', 'columnAddress', 'policyDeclaration', 'begin'],
  [
    'placeJob',
    'takeState',
    'reserveJob',
    'runUntil',
    'runEvents',
    'takeJobs',
    'nextEventTime',
    'closeRun',
    'endJob',
    'removeJob',
    'holdJob',
    'releaseJob',
    'changeEstimate',
    'compact',
    'decide',
    'giveKeys',
    'isFeasible',
    'lookAhead',
    'nextInQueue',
    'rehearse',
    'extendLogs',
    'changePolicy',
    'changeRules',
    'changeSpeeds',
    'changeOutages',
    'scalar',
  ],
  [
    'measure',
    'measureBetween',
    'sharesHistories',
    'runTogether',
    'measureTogether',
    'liveBytes',
    'fork',
    'sameState',
  ],
  ['sealState', 'checkState', 'buildId', 'brokenInvariant'],
].flat();

/** Member of an enumeration. */
export interface EnumerationMember {
  readonly name: string;
  readonly value: number;
  readonly meaning: string;
}

/** Enumeration of the core. */
export interface Enumeration {
  readonly name: string;
  readonly meaning: string;
  readonly members: readonly EnumerationMember[];
}

/**
 * Exported function of the core. Types are those of AssemblyScript, or the enumeration whose members a number
 * stands for.
 */
export interface ExportedCall {
  readonly name: string;
  readonly parameters: readonly { readonly name: string; readonly type: string }[];
  readonly returns: string;
  readonly meaning: string;
}

function parseSourceFile(fileName: string): ts.SourceFile {
  const url = new URL(`../assembly/${fileName}`, import.meta.url);
  return ts.createSourceFile(fileName, readFileSync(url, 'utf8'), ts.ScriptTarget.Latest, true);
}

/** Comment before a declaration, joined to one line. */
function readCommentOf(node: ts.Node): string {
  const [comment] = ts.getJSDocCommentsAndTags(node);
  const text = ts.getTextOfJSDocComment(comment?.comment) ?? '';
  return text
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim()
    .replaceAll(' * ', ' × ');
}

function parseMember(member: ts.EnumMember): EnumerationMember {
  const memberName = member.name.getText();
  const meaningText = memberName === 'COUNT' ? 'How many there are.' : readCommentOf(member);
  return { name: memberName, value: Number(member.initializer?.getText()), meaning: meaningText };
}

/** Returns all enumerations, in source order. */
export function enumerations(): Enumeration[] {
  const enumDeclarations = ENUMERATION_FILES.flatMap((fileName) =>
    parseSourceFile(fileName).statements.filter(ts.isEnumDeclaration),
  );
  return enumDeclarations.map((declaration) => ({
    name: declaration.name.text,
    meaning: readCommentOf(declaration),
    members: declaration.members.map(parseMember),
  }));
}

function parseCall(declaration: ts.FunctionDeclaration): ExportedCall {
  const parameters = declaration.parameters.map(({ name: parameterName, type: parameterType }) => ({
    name: parameterName.getText(),
    type: parameterType?.getText() ?? '',
  }));
  const returns = declaration.type?.getText() ?? '';
  return { name: declaration.name?.text ?? '', parameters, returns, meaning: readCommentOf(declaration) };
}

/** Returns all calls, in the order in which hosts need them. */
export function parseCalls(): ExportedCall[] {
  const functions = CALL_FILES.flatMap((fileName) =>
    parseSourceFile(fileName).statements.filter(ts.isFunctionDeclaration),
  );
  const declarationByName = new Map(functions.map((declaration) => [declaration.name?.text, declaration]));
  return CALL_NAMES_IN_ORDER.map((callName) => {
    const declaration = declarationByName.get(callName);
    if (declaration === undefined) throw new Error(`the core has no call ${callName}`);
    return parseCall(declaration);
  });
}

/** Layout of a column, parsed from its comment: the type of its numbers and what each entry belongs to. */
interface ColumnType {
  readonly type: 'f64' | 'i32';
  /** Numbers per entry. */
  readonly width: number;
  /** Kind of thing that has an entry, such as `job`. */
  readonly per: string;
  /** Number of entries beyond one per owner. */
  readonly more: number;
  readonly meaning: string;
}

/** `f64 per job, one more. Seconds.`, `pairs of i32 per slot. ...`, `five f64 per policy. ...` */
const TYPED_COMMENT_PATTERN = /^(?:(pairs of|three|five) )?(f64|i32)(?: per (.*?))?(, one more)?\. (.*)$/;

/** Numbers per entry, by the word for them in comments, such as `pairs`. */
const WIDTH_BY_WORD: Readonly<Record<string, number>> = { 'pairs of': 2, three: 3, five: 5 };

/** Parses the comment of a column. */
export function parseColumnType({ name: memberName, meaning }: EnumerationMember): ColumnType {
  const match = TYPED_COMMENT_PATTERN.exec(meaning);
  if (match === null)
    throw new Error(`the comment of column ${memberName} does not begin with its type: ${meaning}`);
  const [, group, type, owner = 'entry of the log', extraEntries, remark] = match;
  const width = group === undefined ? 1 : WIDTH_BY_WORD[group];
  return {
    type: type as 'f64' | 'i32',
    width,
    per: owner.replaceAll('`', ''),
    more: extraEntries ? 1 : 0,
    meaning: remark,
  };
}

/**
 * Number of entries of a column by what an entry belongs to: the name of a `Room`, a `Scalar` or an
 * enumeration.
 */
const LENGTH_NAME_BY_OWNER: Readonly<Record<string, string>> = {
  processor: 'Processors',
  job: 'Jobs',
  site: 'Sites',
  slot: 'Sites',
  'home site and site': 'Sites × Sites',
  Metric: 'Metric',
  Decision: 'Decision',
  policy: 'Policies',
  'time of trials': 'Trials',
  'given choice': 'Choices',
  candidate: 'Policies',
  preemption: 'StopsLength',
  instruction: 'Program',
  account: 'Limits',
  outage: 'Outages',
  'set and site': 'SiteSets × Sites',
  'capacity step': 'CapacitySteps',
  'failed job': 'FailedJobs',
  'input and job': 'ProgramInputs × Jobs',
};

/** Returns the number of entries of a simulation's column, as such a name. */
export function findLengthNameOfColumn(column: EnumerationMember): string {
  const { per } = parseColumnType(column);
  const length = per === 'entry of the log' ? `${column.name}Length` : LENGTH_NAME_BY_OWNER[per];
  if (length === undefined)
    throw new Error(`how many there are per ${per}, as in ${column.name}, is not known`);
  return length;
}

/** Kind of an option's values. */
interface OptionKind {
  readonly kind: 'policy' | 'parameter' | 'choice' | 'switch' | 'count' | 'amount';
  /** Enumeration of an option's choices, and the number added to its members (1 if 0 means none). */
  readonly choices?: string;
  readonly plus?: number;
}

/** Parses the kind of values from the comment of an option. */
export function parseOptionKind({ name: memberName, meaning }: EnumerationMember): OptionKind {
  const [, addedNumber, choicesName] = /^(?:(1 \+ an?)|An?) `(\w+)`/.exec(meaning) ?? [];
  if (choicesName !== undefined)
    return { kind: 'choice', choices: choicesName, plus: addedNumber === undefined ? 0 : 1 };
  if (memberName === 'Policy') return { kind: 'policy' };
  if (memberName.startsWith('Parameter')) return { kind: 'parameter' };
  if (meaning.startsWith('1: ')) return { kind: 'switch' };
  return { kind: meaning.startsWith('n: ') ? 'count' : 'amount' };
}

/** Returns the members of an enumeration without COUNT. */
export function findMembersOfEnumeration(enumerationName: string): EnumerationMember[] {
  const [enumeration] = enumerations().filter(({ name: enumName }) => enumName === enumerationName);
  return enumeration.members.filter(({ name: memberName }) => memberName !== 'COUNT');
}
