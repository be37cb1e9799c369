/** Options for the times of scheduling passes, and for the plan of a backfill pass. */
import { InputError } from '../errors.js';
import {
  checkFiniteNumberInRange,
  checkKnownNames,
  makeUnknownNameError,
  parseNumber,
  removeEnclosingBrackets,
} from '../notation.js';
import {
  defineCoreWordOption,
  defineCustomOption,
  defineNumberOption,
  defineTimeOption,
  defineTimeOrWordOption,
} from './kinds.js';

/** Delay in seconds from an event to the scheduling pass it causes. */
export interface PassDelay {
  /** Delay after the submission of a job. */
  readonly submit: number;
  /** Delay after the end of a job. */
  readonly end: number;
}

// No simulated time is longer.
const PASS_DELAY_RANGE = { atLeast: 0, atMost: 1e15 };
const PASS_SECONDS_RANGE = { above: 0, atMost: 1e15 };
const NO_PASS_DELAY: PassDelay = { submit: 0, end: 0 };
/** Notation for passes that follow events immediately. */
const NO_PASS_DELAY_NOTATION = 'none';
/** Pattern of a text that begins with a word, such as the name of an event. */
const PASS_DELAY_WORD_PATTERN = /^\s*[a-z]/i;
const PASS_DELAY_KEYS = ['submit', 'end'] as const;
const PASS_OPTIONS_HEADING = 'Passes';

/**
 * Parses a delay: one time for both events, or `submit=3,end=0`, also with a plus instead of the comma, or
 * in square brackets.
 * @throws InputError for an unknown event or a time out of range.
 */
function parsePassDelay(bracketedText: string, errorContext: string): PassDelay {
  const passDelayText = removeEnclosingBrackets(bracketedText);
  const parseSeconds = (delayText: string) =>
    parseNumber(delayText, errorContext, { ...PASS_DELAY_RANGE, isTime: true });
  if (!passDelayText.includes('=') && !PASS_DELAY_WORD_PATTERN.test(passDelayText)) {
    const delayAfterSubmitAndEnd = parseSeconds(passDelayText);
    return { submit: delayAfterSubmitAndEnd, end: delayAfterSubmitAndEnd };
  }
  const passDelay: Partial<Record<keyof PassDelay, number>> = {};
  for (const part of passDelayText.split(/[,+]/)) {
    const [key = '', ...value] = part.split('=');
    if (value.length === 0)
      throw new InputError(
        `${errorContext}: expected seconds such as 3, or submit=SECONDS,end=SECONDS, found '${part.trim()}' without seconds`,
      );
    const event = PASS_DELAY_KEYS.find((knownKey) => knownKey === key.trim());
    if (event === undefined)
      throw makeUnknownNameError(`event of ${errorContext}`, key.trim(), PASS_DELAY_KEYS);
    if (passDelay[event] !== undefined) throw new InputError(`${errorContext}: ${event} is given twice`);
    passDelay[event] = parseSeconds(value.join('='));
  }
  return { ...NO_PASS_DELAY, ...passDelay };
}

function checkPassDelay(delayInput: PassDelay | number | string, errorContext: string): PassDelay {
  if (typeof delayInput === 'string')
    return delayInput === NO_PASS_DELAY_NOTATION ? NO_PASS_DELAY : parsePassDelay(delayInput, errorContext);
  if (typeof delayInput === 'number') {
    const delayAfterSubmitAndEnd = checkFiniteNumberInRange(delayInput, errorContext, PASS_DELAY_RANGE);
    return { submit: delayAfterSubmitAndEnd, end: delayAfterSubmitAndEnd };
  }
  if (typeof delayInput !== 'object' || delayInput === null) {
    throw new InputError(
      `${errorContext}: expected seconds, or an object with submit and end, found ${delayInput}`,
    );
  }
  if (Array.isArray(delayInput))
    throw new InputError(`${errorContext}: expected seconds, or an object with submit and end, found a list`);
  checkKnownNames(Object.keys(delayInput), PASS_DELAY_KEYS, `event of ${errorContext}`);
  const { submit = 0, end = 0 } = delayInput;
  return {
    submit: checkFiniteNumberInRange(submit, `${errorContext}, submit`, PASS_DELAY_RANGE),
    end: checkFiniteNumberInRange(end, `${errorContext}, end`, PASS_DELAY_RANGE),
  };
}

/** Formats a delay, with a plus as separator, since commas separate the options of a method. */
function printPassDelay({ submit, end }: PassDelay): string {
  return submit === 0 && end === 0 ? NO_PASS_DELAY_NOTATION : `submit=${submit}+end=${end}`;
}

/** Parses a checked notation of the option passDelay. */
export function parseCheckedPassDelay(notation: string): PassDelay {
  return checkPassDelay(notation, 'pass delay');
}

/** Notation of a pass delay with the delay after ends of jobs set to 0. */
export function removeEndDelay(notation: string): string {
  return printPassDelay({ ...parseCheckedPassDelay(notation), end: 0 });
}

/** Options for the times of scheduling passes, and for the plan of a backfill pass. */
export const PASS_OPTIONS = {
  /** Seconds from an event to the pass it causes; a pass handles all events since the previous one. */
  passDelay: defineCustomOption<string, PassDelay | number | string>({
    heading: PASS_OPTIONS_HEADING,
    help: 'delay from an event to the scheduling pass it causes: 3, or submit=3,end=0 (in lists of methods submit=3+end=0); end counts from when the processors of the job are free',
    default: NO_PASS_DELAY_NOTATION,
    otherwise: 'a pass follows every event immediately',
    read: (optionText, errorContext) => printPassDelay(checkPassDelay(optionText, errorContext)),
    check: (delayInput, errorContext) => printPassDelay(checkPassDelay(delayInput, errorContext)),
    core: (notation) => {
      const { submit, end } = parseCheckedPassDelay(notation);
      return { SubmitPassDelay: submit, EndPassDelay: end };
    },
  }),
  /** Minimum number of seconds between two passes caused by events; 0: no minimum. */
  passGap: defineTimeOption({
    heading: PASS_OPTIONS_HEADING,
    help: 'minimum time between two scheduling passes caused by events',
    range: PASS_SECONDS_RANGE,
    default: 0,
    otherwise: 'none',
    core: 'PassGap',
  }),
  /** Seconds between backfill passes; 0: every pass backfills. */
  backfillInterval: defineTimeOption({
    heading: PASS_OPTIONS_HEADING,
    help: 'time between passes that backfill; the other passes, after events, start jobs in queue order until one does not fit',
    range: PASS_SECONDS_RANGE,
    default: 0,
    otherwise: 'every pass backfills',
    core: (interval) => ({ BackfillInterval: interval, BackfillOffset: interval / 2 }),
  }),
  /** Seconds from the first submission to the first backfill pass. */
  backfillOffset: defineTimeOrWordOption({
    heading: PASS_OPTIONS_HEADING,
    help: 'time from the first submission to the first backfill pass',
    range: PASS_DELAY_RANGE,
    word: 'half',
    default: 'half',
    otherwise: 'half the interval',
    core: (offset) => (offset === 'half' ? {} : { BackfillOffset: offset }),
  }),
  /** Resources of a plan: interchangeable processors, or particular nodes for each reservation. */
  planBy: defineCoreWordOption({
    heading: PASS_OPTIONS_HEADING,
    help: 'resources of a plan: a number of processors (count), or particular nodes as in Slurm (node; on several sites with one queue only with a policy)',
    core: 'PlanBy',
    words: { count: 'Processors', node: 'Nodes' },
    default: 'count',
  }),
  /**
   * Number of processors per node in a plan by nodes. Jobs may share a node; reservations take whole nodes.
   */
  processorsPerNode: defineNumberOption({
    heading: PASS_OPTIONS_HEADING,
    help: 'number of processors per node, the last of a site may have fewer; jobs may share a node, reservations take whole nodes; only with --plan-by node',
    range: { atLeast: 1, atMost: 16384 },
    isWhole: true,
    default: 1,
    core: 'NodeProcessors',
  }),
  /** Seconds from the end of a job until its processors are free, in a plan by nodes. */
  releaseDelay: defineTimeOption({
    heading: PASS_OPTIONS_HEADING,
    help: 'time from the end of a job until its processors are free, such as for an epilog; only with --plan-by node',
    range: PASS_SECONDS_RANGE,
    default: 0,
    otherwise: 'processors are free at once',
    core: 'ReleaseDelay',
  }),
  /** Width in seconds of the windows in which a backfill pass combines the predicted ends of running jobs. */
  endWindow: defineTimeOption({
    heading: PASS_OPTIONS_HEADING,
    help: 'a backfill pass takes predicted ends of running jobs together in groups: ends up to 1, 2, 4, ... times this time after the first multiple of it (on the clock of 1970) that follows the first end',
    range: PASS_SECONDS_RANGE,
    default: 0,
    otherwise: 'every end is tried by itself',
    core: 'EndWindow',
  }),
  /** Rule for a backfilled job that would end exactly when a reservation of its processors begins. */
  backfillOverlap: defineCustomOption<'open' | 'closed'>({
    heading: PASS_OPTIONS_HEADING,
    help: 'whether a backfilled job may end at the instant at which a reservation of its processors begins: yes (open) or no (closed)',
    default: 'open',
    choices: ['open', 'closed'],
    read: parseOverlap,
    check: parseOverlap,
    core: (overlap) => ({ ClosedOverlap: Number(overlap === 'closed') }),
  }),
  /**
   * Resolution in seconds to which begins and ends of reservations are rounded down, on the clock of 1970.
   */
  backfillResolution: defineTimeOption({
    heading: PASS_OPTIONS_HEADING,
    help: 'backfill passes round begins and ends of reservations down to multiples of this time',
    range: PASS_SECONDS_RANGE,
    default: 0,
    otherwise: 'not rounded',
    core: 'BackfillResolution',
  }),
  /** Maximum number of jobs that a backfill pass considers; 0: all. */
  backfillJobs: defineNumberOption({
    heading: PASS_OPTIONS_HEADING,
    help: 'maximum number of jobs that a backfill pass considers; only with --plan-by node',
    range: { atLeast: 1, atMost: 2 ** 31 - 2 },
    isWhole: true,
    default: 0,
    otherwise: 'all',
    core: 'BackfillJobs',
  }),
  /** Number of time segments after which a backfill pass stops; 0: no limit. */
  backfillSegments: defineNumberOption({
    heading: PASS_OPTIONS_HEADING,
    help: 'a backfill pass ends when its plan has this many time segments, of which a reservation adds up to two; only with --plan-by node',
    range: { atLeast: 1, atMost: 2 ** 31 - 2 },
    isWhole: true,
    default: 0,
    otherwise: 'no limit',
    core: 'BackfillSegments',
  }),
  /** Planning horizon in seconds: a job that would start later gets no reservation; 0: no limit. */
  backfillWindow: defineTimeOption({
    heading: PASS_OPTIONS_HEADING,
    help: 'planning horizon: a job that would start later than this after a backfill pass gets no reservation; only with --plan-by node',
    range: PASS_SECONDS_RANGE,
    default: 0,
    otherwise: 'no limit',
    core: 'BackfillWindow',
  }),
};

function parseOverlap(overlapText: string, errorContext: string): 'open' | 'closed' {
  if (overlapText === 'open' || overlapText === 'closed') return overlapText;
  throw makeUnknownNameError(`value of ${errorContext}`, String(overlapText), ['open', 'closed']);
}
