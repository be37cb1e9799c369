/** Options of the times of passes, and of what a backfill pass plans. */
import { InputError } from '../errors.js';
import { checkNumber, parseNumber, unknownName } from '../notation.js';
import { coreWordOption, customOption, numberOption, timeOption } from './kinds.js';

/** Seconds from an event to the pass that it causes. */
export interface PassDelay {
  /** After the submission of a job. */
  readonly submit: number;
  /** After the end of a job. */
  readonly end: number;
}

// No simulated time is longer.
const DELAY_RANGE = { atLeast: 0, atMost: 1e15 };
const SECONDS_RANGE = { above: 0, atMost: 1e15 };
const NO_DELAY: PassDelay = { submit: 0, end: 0 };
/** Notation of passes that follow events at once. */
const AT_ONCE = 'none';
const DELAY_KEYS = ['submit', 'end'] as const;
const HEADING = 'Passes';

/**
 * A delay from its notation: one time for both events, or `submit=3,end=0`, also with a plus for the comma.
 * @throws InputError for an unknown event or a time out of range.
 */
function parseDelay(text: string, what: string): PassDelay {
  const seconds = (given: string) => parseNumber(given, what, { ...DELAY_RANGE, isTime: true });
  if (!text.includes('=')) {
    const both = seconds(text);
    return { submit: both, end: both };
  }
  const delay = { ...NO_DELAY };
  for (const part of text.split(/[,+]/)) {
    const [key = '', ...value] = part.split('=');
    const event = DELAY_KEYS.find((each) => each === key.trim());
    if (event === undefined) throw unknownName(`event of ${what}`, key.trim(), DELAY_KEYS);
    delay[event] = seconds(value.join('='));
  }
  return delay;
}

function checkDelay(given: PassDelay | number | string, what: string): PassDelay {
  if (typeof given === 'string') return given === AT_ONCE ? NO_DELAY : parseDelay(given, what);
  if (typeof given === 'number') {
    const both = checkNumber(given, what, DELAY_RANGE);
    return { submit: both, end: both };
  }
  if (typeof given !== 'object' || given === null) {
    throw new InputError(`${what}: expected seconds, or an object with submit and end, found ${given}`);
  }
  const { submit = 0, end = 0 } = given;
  return {
    submit: checkNumber(submit, `${what}, submit`, DELAY_RANGE),
    end: checkNumber(end, `${what}, end`, DELAY_RANGE),
  };
}

/** Notation of a delay, with a plus, since methods of a comparison separate options by commas. */
function printDelay({ submit, end }: PassDelay): string {
  return submit === 0 && end === 0 ? AT_ONCE : `submit=${submit}+end=${end}`;
}

/** Delay of a notation that `passDelay` holds. */
export function delayFromNotation(notation: string): PassDelay {
  return checkDelay(notation, 'pass delay');
}

/** Times of passes, and rules of the plan that a backfill pass makes. */
export const PASS_OPTIONS = {
  /** Seconds from an event to the pass that it causes; a pass covers all events since the last one. */
  passDelay: customOption<string, PassDelay | number | string>({
    heading: HEADING,
    help: 'time from an event to the pass that it causes: 3, or submit=3,end=0 (in lists of methods submit=3+end=0)',
    default: AT_ONCE,
    otherwise: 'a pass follows every event at once',
    read: (text, what) => printDelay(checkDelay(text, what)),
    check: (given, what) => printDelay(checkDelay(given, what)),
    core: (notation) => {
      const { submit, end } = delayFromNotation(notation);
      return { SubmitPassDelay: submit, EndPassDelay: end };
    },
  }),
  /** Least number of seconds between two passes that events cause; 0: none. */
  passGap: timeOption({
    heading: HEADING,
    help: 'least time between two passes that follow events',
    range: SECONDS_RANGE,
    default: 0,
    otherwise: 'none',
    core: 'PassGap',
  }),
  /** Seconds between backfill passes; 0: every pass backfills. */
  backfillInterval: timeOption({
    heading: HEADING,
    help: 'time between passes that backfill; passes after events then start jobs only up to the first that does not fit',
    range: SECONDS_RANGE,
    default: 0,
    otherwise: 'every pass backfills',
    core: (interval) => ({ BackfillInterval: interval, BackfillOffset: interval / 2 }),
  }),
  /** Seconds from the first submission to the first backfill pass. */
  backfillOffset: customOption<number | 'half', number | string>({
    heading: HEADING,
    help: 'time from the first submission to the first backfill pass',
    default: 'half',
    choices: ['half'],
    isOpen: true,
    otherwise: 'half the interval',
    read: (text, what) =>
      text === 'half' ? text : parseNumber(text, what, { ...DELAY_RANGE, isTime: true }),
    check: (given, what) => {
      if (given === 'half') return given;
      if (typeof given === 'string') return parseNumber(given, what, { ...DELAY_RANGE, isTime: true });
      return checkNumber(given, what, DELAY_RANGE);
    },
    print: String,
    core: (offset) => (offset === 'half' ? {} : { BackfillOffset: offset }),
  }),
  /** Whether processors are interchangeable in a plan, or each is a node of which a reservation holds particular ones. */
  planBy: coreWordOption({
    heading: HEADING,
    help: 'what a backfill pass plans: numbers of processors, or particular nodes, as Slurm does; on one site',
    core: 'PlanBy',
    words: { count: 'Processors', node: 'Nodes' },
    default: 'count',
  }),
  /** Processors of each node in a plan by nodes; jobs may share a node, reservations hold whole ones. */
  processorsPerNode: numberOption({
    heading: HEADING,
    help: 'a plan by nodes takes so many processors for a node; jobs may share it, a reservation holds it whole',
    range: { atLeast: 1, atMost: 16384 },
    isWhole: true,
    default: 1,
    core: 'NodeProcessors',
  }),
  /** Seconds from the end of a job until its processors are free, in a plan by nodes. */
  releaseDelay: timeOption({
    heading: HEADING,
    help: 'with a plan by nodes, time from the end of a job until its processors are free (epilogue of the job)',
    range: SECONDS_RANGE,
    default: 0,
    otherwise: 'processors are free at once',
    core: 'ReleaseDelay',
  }),
  /** Seconds; a plan by nodes takes the predicted ends of running jobs together in windows of this width. */
  endWindow: timeOption({
    heading: HEADING,
    help: 'a plan by nodes looks at predicted ends of running jobs in windows of this width, which double',
    range: SECONDS_RANGE,
    default: 0,
    otherwise: 'every end by itself',
    core: 'EndWindow',
  }),
  /** Whether a job may end in the instant in which a reservation of its nodes begins. */
  backfillOverlap: customOption<'open' | 'closed'>({
    heading: HEADING,
    help: 'in a plan by nodes, whether a job may end in the instant in which a reservation begins: yes (open) or no (closed)',
    default: 'open',
    choices: ['open', 'closed'],
    read: overlapFromText,
    check: overlapFromText,
    core: (overlap) => ({ ClosedOverlap: Number(overlap === 'closed') }),
  }),
  /** Seconds; begins and ends of reservations are rounded down to multiples of it, on the clock of 1970. */
  backfillResolution: timeOption({
    heading: HEADING,
    help: 'a plan by nodes rounds begins and ends of reservations down to multiples of this time',
    range: SECONDS_RANGE,
    default: 0,
    otherwise: 'not rounded',
    core: 'BackfillResolution',
  }),
  /** Largest number of jobs that a backfill pass looks at; 0: all. */
  backfillJobs: numberOption({
    heading: HEADING,
    help: 'a plan by nodes looks at no more jobs than these in a pass',
    range: { atLeast: 1, atMost: 2 ** 31 - 2 },
    isWhole: true,
    default: 0,
    otherwise: 'all',
    core: 'BackfillJobs',
  }),
  /** Number of segments of time at which a backfill pass ends; 0: no limit. */
  backfillSegments: numberOption({
    heading: HEADING,
    help: 'a pass that plans by nodes ends when its plan has this many segments of time; a reservation adds up to two',
    range: { atLeast: 1, atMost: 2 ** 31 - 2 },
    isWhole: true,
    default: 0,
    otherwise: 'no limit',
    core: 'BackfillSegments',
  }),
  /** Seconds; a job that would start later than so far ahead has no reservation; 0: no limit. */
  backfillWindow: timeOption({
    heading: HEADING,
    help: 'a plan by nodes reserves nothing for a job that would start later than this far ahead',
    range: SECONDS_RANGE,
    default: 0,
    otherwise: 'no limit',
    core: 'BackfillWindow',
  }),
};

function overlapFromText(given: string, what: string): 'open' | 'closed' {
  if (given === 'open' || given === 'closed') return given;
  throw unknownName(`value of ${what}`, given, ['open', 'closed']);
}
