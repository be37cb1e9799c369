/** Outages: periods in which a site has fewer processors, their notation and their files. */
import { describeReceivedValue } from '../arguments.js';
import { InputError } from '../errors.js';
import { splitCsvLine } from '../format/csv.js';
import { formatCount } from '../format/numbers.js';
import {
  checkKnownNames,
  makeUnknownNameError,
  parseDateAsSeconds,
  parseNumberOrNaN,
  printDateAsShortAsPossible,
} from '../notation.js';

/** Outage as the library accepts it. */
export interface OutageInput {
  /** Number of the site, from 1. */
  readonly site: number;
  /** Begin: seconds on the clock of the simulation, or a date such as `2010-05-01T12:00`. */
  readonly from: number | string;
  /** End, in the same form as `from`; absent: the processors do not return. */
  readonly to?: number | string | undefined;
  /** Number of processors; absent: all processors of the site. */
  readonly processors?: number | undefined;
  /**
   * Numbers of the affected nodes of the site, from 1, such as `3 7-8`, instead of `processors`; for plans by
   * nodes.
   */
  readonly nodes?: string | undefined;
  /** True if plans know the outage from the beginning of the simulation; default: only from its begin. */
  readonly isPlanned?: boolean | undefined;
}

const OUTAGE_INPUT_FIELDS: readonly (keyof OutageInput)[] = [
  'site',
  'from',
  'to',
  'processors',
  'nodes',
  'isPlanned',
];

/** Outages as the library accepts them: the notation, or a list. */
export type OutagesInput = string | readonly OutageInput[];

/** Begin or end of an outage: seconds on the clock of the simulation, or seconds since 1970 if dated. */
interface OutageTime {
  readonly seconds: number;
  readonly isDated: boolean;
}

/** A parsed outage. */
export interface ParsedOutage {
  readonly site: number;
  readonly from: OutageTime;
  /** End; absent: the processors do not return. */
  readonly to: OutageTime | undefined;
  /** Number of processors; absent: all processors of the site. */
  readonly processors: number | undefined;
  /** Ranges of node numbers, from 1; absent: the outage is a number of processors. */
  readonly nodes: readonly (readonly [number, number])[] | undefined;
  readonly isPlanned: boolean;
}

/** Notation for the absence of outages. */
export const NO_OUTAGES_NOTATION = 'none';

/** Latest allowed time in seconds; all simulated times are earlier. */
const LATEST_OUTAGE_TIME = 1e20;
const ENDLESS_OUTAGE_WORD = 'ever';
const ALL_PROCESSORS_WORD = 'all';
const OUTAGE_CSV_COLUMNS = ['site', 'from', 'to', 'processors', 'nodes', 'planned'] as const;
const OUTAGE_CSV_COLUMNS_TEXT = 'site, from, to, processors or nodes, and planned';
const SITE_SENTENCE_BEGIN = 'the site is';
const PROCESSORS_SENTENCE_BEGIN = 'processors are';
const OUTAGE_CSV_YES_WORDS = ['yes', 'true', '1'];
const OUTAGE_CSV_NO_WORDS = ['no', 'false', '0', ''];

/** True if a text names a file with outages instead of being their notation. */
export function isOutageFileName(outagesText: string): boolean {
  return (
    outagesText !== NO_OUTAGES_NOTATION && !/^(?:planned:)?\d+x(?:\d+|all|\[[\d\s-]+\])@/.test(outagesText)
  );
}

const outageNotationsByFile = new Map<string, string>();

/** Registers the text of an outage file, so that its name can be used as an option value. */
export function provideOutageFile(fileName: string, csvText: string): void {
  outageNotationsByFile.set(fileName, parseOutageCsv(csvText, fileName));
}

/**
 * Checks outages and returns their notation.
 * @throws InputError for a file that has not been read, or an invalid outage.
 */
export function checkOutagesNotation(outagesInput: OutagesInput, errorContext: string): string {
  if (!Array.isArray(outagesInput) && typeof outagesInput !== 'string')
    throw new InputError(
      `${errorContext}: expected a list of outages or a text such as 1x64@3600..7200, found ${describeReceivedValue(outagesInput)}`,
    );
  if (typeof outagesInput !== 'string')
    return printOutages(outagesInput.map((each, i) => checkOutageInput(each, errorContext, i)));
  if (!isOutageFileName(outagesInput)) return printOutages(parseOutages(outagesInput, errorContext));
  const notation = outageNotationsByFile.get(outagesInput);
  if (notation !== undefined) return notation;
  throw new InputError(
    `${errorContext}: ${outagesInput} is a file, and files are read for the command line and for studies only; give the outages themselves`,
  );
}

/**
 * Parses a notation such as `1x64@3600..7200+planned:2xall@2010-05-01..2010-05-02+1x[3 7-8]@60..ever`.
 * @throws InputError for an invalid text.
 */
export function parseOutages(notation: string, errorContext = 'outages'): ParsedOutage[] {
  if (notation === NO_OUTAGES_NOTATION) return [];
  return notation.split('+').map((part) => {
    const [, plannedText, siteText, processorsText = '', nodesText, fromText, toText] =
      /^(planned:)?(\d+)x(?:(\d+|all)|\[([\d\s-]+)\])@(.+)\.\.(.+)$/.exec(part.trim()) ?? [];
    if (siteText === undefined)
      throw new InputError(
        `${errorContext}: expected an outage such as 1x64@3600..7200, found '${part.trim()}'`,
      );
    return checkParsedOutage(
      {
        site: Number(siteText),
        from: fromText!,
        ...(toText !== ENDLESS_OUTAGE_WORD && { to: toText! }),
        ...(processorsText !== ALL_PROCESSORS_WORD &&
          processorsText !== '' && { processors: Number(processorsText) }),
        ...(nodesText !== undefined && { nodes: nodesText }),
        isPlanned: plannedText !== undefined,
      },
      `${errorContext} ${part.trim()}`,
    );
  });
}

/** Formats outages in the order of the list. */
export function printOutages(outages: readonly ParsedOutage[]): string {
  if (outages.length === 0) return NO_OUTAGES_NOTATION;
  return outages
    .map(({ site, from, to, processors, nodes, isPlanned }) => {
      const timeRange = `${printOutageTime(from)}..${to === undefined ? ENDLESS_OUTAGE_WORD : printOutageTime(to)}`;
      const outageSizeText =
        nodes === undefined ? (processors ?? ALL_PROCESSORS_WORD) : `[${printNodeRanges(nodes)}]`;
      return `${isPlanned ? 'planned:' : ''}${site}x${outageSizeText}@${timeRange}`;
    })
    .join('+');
}

/** Formats ranges of nodes, such as `3 7-8`. */
function printNodeRanges(nodes: readonly (readonly [number, number])[]): string {
  return nodes.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(' ');
}

/** Parses ranges of nodes such as `3 7-8`. */
function parseNodeRanges(nodeRangesText: string, errorContext: string): (readonly [number, number])[] {
  const nodeRangeTexts = nodeRangesText.split(/[\s,]+/).filter((part) => part !== '');
  const makeNodeRangesError = () =>
    new InputError(`${errorContext}: nodes are numbers from 1 on, such as 3 7-8, not '${nodeRangesText}'`);
  const ranges = nodeRangeTexts.map((part) => {
    const [, firstText, lastText = firstText] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? [];
    const nodeRange = [Number(firstText), Number(lastText)] as const;
    if (firstText !== undefined && nodeRange[0] >= 1 && nodeRange[1] >= nodeRange[0]) return nodeRange;
    throw makeNodeRangesError();
  });
  for (const [index, [first, last]] of ranges.entries()) {
    const overlappingRange = ranges.slice(0, index).find((range) => range[0] <= last && range[1] >= first);
    if (overlappingRange !== undefined)
      throw new InputError(
        `${errorContext}: node ${Math.max(first, overlappingRange[0])} is given twice in '${nodeRangesText}'; give each node once`,
      );
  }
  if (ranges.length > 0) return ranges;
  throw makeNodeRangesError();
}

function printOutageTime({ seconds, isDated }: OutageTime): string {
  return isDated ? printDateAsShortAsPossible(seconds) : String(seconds);
}

/**
 * Converts a CSV file with the columns site, from, to, processors, nodes and planned to the notation.
 * @throws InputError with the line number for a wrong column, a row of another length or an invalid value.
 */
function parseOutageCsv(outageText: string, fileName: string): string {
  const fileDefect =
    outageText.trim() === '' ? 'is empty' : /[\0\uFFFD]/.test(outageText) ? 'is not text' : undefined;
  if (fileDefect !== undefined)
    throw new InputError(
      `${fileName} ${fileDefect}; expected a CSV file with the columns ${OUTAGE_CSV_COLUMNS_TEXT}`,
    );
  const [headerLine = '', ...lines] = outageText.replace(/^\uFEFF/, '').split(/\r?\n/);
  const columns = splitCsvLine(headerLine).map((each) => each.trim());
  checkOutageCsvColumns(columns, `${fileName}, line 1`);
  const outages = lines.flatMap((line, i) =>
    line.trim() === '' ? [] : [parseOutageCsvRow(line, columns, `${fileName}, line ${i + 2}`)],
  );
  if (outages.length > 0) return printOutages(outages);
  throw new InputError(`${fileName} has no row with an outage; add one, or give --outages none`);
}

function checkOutageCsvColumns(columns: readonly string[], headerLocation: string): void {
  for (const [i, columnName] of columns.entries()) {
    if (!isOutageCsvColumn(columnName))
      throw new InputError(
        `${headerLocation}: ${makeUnknownNameError('column', columnName, OUTAGE_CSV_COLUMNS).message}`,
      );
    if (columns.indexOf(columnName) < i)
      throw new InputError(`${headerLocation}: the column ${columnName} is there twice; remove one of them`);
  }
  for (const columnName of ['site', 'from', 'to'])
    if (!columns.includes(columnName))
      throw new InputError(`${headerLocation}: the column ${columnName} is missing`);
}

function parseOutageCsvRow(line: string, columns: readonly string[], rowLocation: string): ParsedOutage {
  const cells = splitCsvLine(line).map((each) => each.trim());
  if (cells.length !== columns.length) {
    const advice = cells.length < columns.length ? '; end the row with a comma for each empty value' : '';
    throw new InputError(
      `${rowLocation}: expected ${formatCount(columns.length, 'value')} (${columns.join(', ')}), found ${cells.length}${advice}`,
    );
  }
  const readTextOfColumn = (columnName: string) => cells[columns.indexOf(columnName)] ?? '';
  const parseColumnNumber = (columnName: string, subject: string) => {
    const cellNumber = parseNumberOrNaN(readTextOfColumn(columnName));
    if (!Number.isNaN(cellNumber)) return cellNumber;
    throw new InputError(
      `${rowLocation}: ${subject} a whole number from 1 on, not '${readTextOfColumn(columnName)}'`,
    );
  };
  return checkParsedOutage(
    {
      site: parseColumnNumber('site', SITE_SENTENCE_BEGIN),
      from: readTextOfColumn('from'),
      ...(readTextOfColumn('to') !== '' && { to: readTextOfColumn('to') }),
      ...(readTextOfColumn('processors') !== '' && {
        processors: parseColumnNumber('processors', PROCESSORS_SENTENCE_BEGIN),
      }),
      ...(readTextOfColumn('nodes') !== '' && { nodes: readTextOfColumn('nodes') }),
      isPlanned: parseYesOrNo(readTextOfColumn('planned'), rowLocation),
    },
    rowLocation,
  );
}

function isOutageCsvColumn(columnName: string): columnName is (typeof OUTAGE_CSV_COLUMNS)[number] {
  return OUTAGE_CSV_COLUMNS.some((outageCsvColumn) => outageCsvColumn === columnName);
}

function parseYesOrNo(yesOrNoText: string, errorContext: string): boolean {
  if (OUTAGE_CSV_YES_WORDS.includes(yesOrNoText)) return true;
  if (OUTAGE_CSV_NO_WORDS.includes(yesOrNoText)) return false;
  throw new InputError(`${errorContext}: planned is yes or no, not '${yesOrNoText}'`);
}

function checkOutageInput(outage: OutageInput, errorContext: string, index: number): ParsedOutage {
  if (typeof outage !== 'object' || outage === null)
    throw new InputError(`${errorContext}: expected objects with site, from and to, found ${outage}`);
  checkKnownNames(Object.keys(outage), OUTAGE_INPUT_FIELDS, 'field of an outage');
  const { isPlanned } = outage;
  if (isPlanned !== undefined && typeof isPlanned !== 'boolean')
    throw new InputError(
      `${errorContext}, outage ${index + 1}, isPlanned: expected true or false, found ${describeReceivedValue(isPlanned)}`,
    );
  return checkParsedOutage(outage, `${errorContext}, outage ${index + 1}`);
}

function checkParsedOutage(outage: OutageInput, errorContext: string): ParsedOutage {
  const { site, processors, isPlanned = false } = outage;
  if (!(Number.isSafeInteger(site) && site >= 1))
    throw new InputError(`${errorContext}: ${SITE_SENTENCE_BEGIN} a whole number from 1 on, not ${site}`);
  if (processors !== undefined && !(Number.isSafeInteger(processors) && processors >= 1))
    throw new InputError(
      `${errorContext}: ${PROCESSORS_SENTENCE_BEGIN} a whole number from 1 on, not ${processors}`,
    );
  if (outage.nodes !== undefined && processors !== undefined)
    throw new InputError(`${errorContext}: an outage has processors or nodes, not both`);
  const nodes = outage.nodes === undefined ? undefined : parseNodeRanges(outage.nodes, errorContext);
  const outageBeginTime = checkOutageTime(outage.from, `${errorContext}, from`);
  const to = outage.to === undefined ? undefined : checkOutageTime(outage.to, `${errorContext}, to`);
  if (to !== undefined && to.isDated === outageBeginTime.isDated && !(to.seconds > outageBeginTime.seconds))
    throw new InputError(
      to.seconds === outageBeginTime.seconds
        ? `${errorContext}: the outage begins and ends at ${outage.from}; give a later end`
        : `${errorContext}: the outage ends at ${outage.to}, before it begins, at ${outage.from}`,
    );
  return { site, from: outageBeginTime, to, processors, nodes, isPlanned };
}

function checkOutageTime(time: number | string, errorContext: string): OutageTime {
  const timeText = String(time).trim();
  const date = parseDateAsSeconds(timeText);
  if (!Number.isNaN(date)) return { seconds: date, isDated: true };
  const seconds = parseNumberOrNaN(timeText, { isTime: true });
  if (Math.abs(seconds) <= LATEST_OUTAGE_TIME) return { seconds, isDated: false };
  throw new InputError(
    `${errorContext}: expected seconds, or a date such as 2010-05-01T12:00, found '${timeText}'`,
  );
}
