/** Jobs as users of a live simulation submit them: their fields, and the checks of these. */
import { describeReceivedValue } from '../arguments.js';
import { InputError } from '../errors.js';
import { formatCount } from '../format/numbers.js';
import { checkKnownNames } from '../notation.js';

/** Name of a job, user, group, queue or partition: a text, or a number of at least 0. */
export type LiveName = string | number;

/** A job that is submitted to a live simulation. Times are in seconds. */
export interface SubmittedJob {
  /** Name or number of the job, different from those of all other jobs. Default: the next number, from 1. */
  readonly job?: LiveName | undefined;
  /** Submit time, not before the previous submission or the time of the simulation. */
  readonly submit: number;
  /** Runtime at speed 1. Default: unknown until `end` is called; requires a `requestedTime`. */
  readonly runtime?: number | undefined;
  /** Number of processors that the job requests. */
  readonly processors: number;
  /** Requested time, by which schedulers plan. Default: the runtime. */
  readonly requestedTime?: number | undefined;
  /** Home site, from 1. Default: 1. */
  readonly home?: number | undefined;
  readonly user?: LiveName | undefined;
  readonly group?: LiveName | undefined;
  readonly queue?: LiveName | undefined;
  readonly partition?: LiveName | undefined;
  /** Input data in bytes, copied if the job runs outside its home site; with the option `bandwidth`. Default: 0. */
  readonly data?: number | undefined;
  /**
   * Time from the submission to the cancellation of the job. Default: the job is not cancelled. A job with this
   * time is in no mean, whether it leaves the queue, is ended by the cancellation, or ends before it.
   */
  readonly patience?: number | undefined;
}

/** A job of the state from which a live simulation begins: it runs, or waits. Times are in seconds. */
export interface LiveStateJob extends SubmittedJob {
  /** Start. Default: the job waits. */
  readonly start?: number | undefined;
  /** Site on which the job runs, from 1. Required for a job that runs. */
  readonly site?: number | undefined;
  /** Start and site, from 1, reserved for a waiting job; only if reservations are kept. */
  readonly reservation?: { readonly start: number; readonly site: number } | undefined;
}

/** State from which a live simulation begins. */
export interface LiveState {
  /** Time of the first scheduling pass in seconds. */
  readonly time: number;
  /** Jobs that run or wait at that time, in order of submission. */
  readonly jobs: readonly LiveStateJob[];
}

/** Fields with names, and the field with the job's own. */
export const NAMED_LIVE_FIELDS = ['user', 'group', 'queue', 'partition'] as const;
export type NamedLiveField = (typeof NAMED_LIVE_FIELDS)[number];

type ValueCheck = (value: unknown) => string | undefined;

const MAX_PROCESSORS = 0x7fffffff;
const LATEST_TIME = 1e300;

/** Check of a number; returns what is expected instead. */
const makeNumberCheck =
  (expectedWords: string, isValid: (value: number) => boolean): ValueCheck =>
  (value) =>
    typeof value === 'number' && isValid(value) ? undefined : expectedWords;

/** Check of a time in seconds. */
export const checkTime = makeNumberCheck(
  'a number of seconds of at least 0',
  (value) => value >= 0 && value <= LATEST_TIME,
);
/** Check of a duration in seconds. */
export const checkDuration = makeNumberCheck(
  'a number of seconds of at least 0',
  (value) => value >= 0 && value < Infinity,
);
const checkWholeNumber = makeNumberCheck(
  'a whole number of at least 1',
  (value) => Number.isInteger(value) && value >= 1 && value <= MAX_PROCESSORS,
);
const checkBytes = makeNumberCheck(
  'a number of bytes of at least 0',
  (value) => value >= 0 && value < Infinity,
);
const checkName: ValueCheck = (nameValue) =>
  (typeof nameValue === 'string' && nameValue !== '') ||
  (Number.isSafeInteger(nameValue) && Number(nameValue) >= 0)
    ? undefined
    : 'a name, or a whole number of at least 0';
const checkReservation: ValueCheck = (reservationValue) =>
  typeof reservationValue === 'object' &&
  reservationValue !== null &&
  'start' in reservationValue &&
  'site' in reservationValue
    ? (checkTime(reservationValue.start) ?? checkWholeNumber(reservationValue.site)) &&
      'a start in seconds and a site from 1'
    : 'an object with start and site';

const JOB_FIELDS: Readonly<Record<keyof SubmittedJob, ValueCheck>> = {
  job: checkName,
  submit: checkTime,
  runtime: checkDuration,
  processors: checkWholeNumber,
  requestedTime: checkDuration,
  home: checkWholeNumber,
  user: checkName,
  group: checkName,
  queue: checkName,
  partition: checkName,
  data: checkBytes,
  patience: checkTime,
};
const STATE_JOB_FIELDS: Readonly<Record<keyof LiveStateJob, ValueCheck>> = {
  ...JOB_FIELDS,
  start: checkTime,
  site: checkWholeNumber,
  reservation: checkReservation,
};
const NEEDED_FIELDS = ['submit', 'processors'] as const;

/** Names of the fields of a submitted job. */
export const SUBMITTED_JOB_FIELDS = Object.keys(JOB_FIELDS) as readonly (keyof SubmittedJob)[];

/** Begin of messages about a job: the function, and the name of the job if it has one. */
export function makeLiveJobContext(callName: string, job: unknown): string {
  const jobName = typeof job === 'object' && job !== null && 'job' in job ? job.job : undefined;
  return jobName === undefined || checkName(jobName) !== undefined ? callName : `${callName}, job ${jobName}`;
}

/**
 * Checks the fields of a job, one by one and together.
 * @param callName function for errors, such as `submit`.
 * @throws InputError for an unknown, missing or invalid field, and a site that the grid does not have.
 */
export function checkSubmittedJob(job: SubmittedJob, callName: string, siteCount: number): void {
  checkFields(job, JOB_FIELDS, callName, siteCount);
}

/** Like `checkSubmittedJob`, for a job of a state. */
export function checkStateJob(job: LiveStateJob, callName: string, siteCount: number): void {
  checkFields(job, STATE_JOB_FIELDS, callName, siteCount);
  const context = makeLiveJobContext(callName, job);
  if ((job.start === undefined) !== (job.site === undefined))
    throw new InputError(`${context}: a job that runs has both a start and a site; give the other one, too`);
  if (job.start !== undefined && job.start < job.submit)
    throw new InputError(
      `${context}: it starts at ${job.start}, before its submission at ${job.submit}; correct one of them`,
    );
  if (job.start !== undefined && job.reservation !== undefined)
    throw new InputError(
      `${context}: a job that runs has no reservation; omit start and site, or reservation`,
    );
}

function checkFields(
  job: LiveStateJob,
  knownFields: Readonly<Record<string, ValueCheck>>,
  callName: string,
  siteCount: number,
): void {
  if (typeof job !== 'object' || job === null || Array.isArray(job)) {
    const receivedText = describeReceivedValue(job);
    throw new InputError(
      `${callName}: expected a job such as { submit: 0, runtime: 60, processors: 4 }, found ${receivedText}`,
    );
  }
  const context = makeLiveJobContext(callName, job);
  checkKnownNames(Object.keys(job), Object.keys(knownFields), 'field of a job');
  for (const [field, check] of Object.entries(knownFields)) {
    const fieldValue = job[field as keyof LiveStateJob];
    if (fieldValue === undefined && !(NEEDED_FIELDS as readonly string[]).includes(field)) continue;
    const expectedForm = check(fieldValue);
    if (expectedForm !== undefined)
      throw new InputError(
        `${context}, ${field}: expected ${expectedForm}, found ${describeReceivedValue(fieldValue)}`,
      );
  }
  if (job.runtime === undefined && job.requestedTime === undefined)
    throw new InputError(
      `${context}: expected a runtime, or a requestedTime until \`end\` tells when the job ends; found neither`,
    );
  for (const site of [job.home, job.site, job.reservation?.site])
    if (site !== undefined && site > siteCount)
      throw new InputError(
        `${context}: there is no site ${site}; the grid has ${formatCount(siteCount, 'site')}, numbered from 1`,
      );
}
