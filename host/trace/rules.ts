/** What a readable log can still have wrong: things that a simulation would trip over or a reader should know. */
import { SWF_FIELDS } from './trace.js';

/** What each warning means; none of them keeps a log from being read. */
export const WARNING_RULES = {
  'unknown-runtime': 'The run time (field 4) is unknown, zero or negative; simulations drop such records.',
  'unknown-processors':
    'Neither field 5 nor field 8 gives a positive number of processors; simulations drop such records.',
  'too-wide': 'The job holds more processors than the header says the machine has.',
  'duplicate-job': 'The job number (field 1) occurred before; the parts of a checkpointed job share one.',
  'overrun-request': 'The job ran longer than it requested (field 9).',
  'unknown-status': 'The status (field 11) is none of -1, 0, 1, 2, 3, 4, 5.',
  step: 'The record is a step of a job, and not a job; it is left out.',
  unfinished: 'The job had not ended when the log was written; it is left out.',
  profile: 'The job does not say how long it takes, since that depends on the machine; it is left out.',
  'missing-machine': 'The header gives no size of the machine, neither MaxProcs nor MaxNodes.',
  'max-jobs': 'MaxJobs in the header is not the number of records, as in logs from which jobs were removed.',
  'max-records': 'MaxRecords in the header is not the number of records, so the file may be incomplete.',
} as const;

/** The name of a warning. */
export type WarningRule = keyof typeof WARNING_RULES;

/** The place of each field in a record. */
const AT = Object.fromEntries(SWF_FIELDS.map((field, index) => [field, index])) as Record<
  (typeof SWF_FIELDS)[number],
  number
>;

/** Looks at one record after the other. Keeps a bit per job number, and nothing else of them. */
export class RecordRules {
  readonly #maxProcessors: number;
  readonly #jobs = new NumberSet();
  readonly #warn: (rule: WarningRule, line: number, example: string) => void;

  /** @param warn is told of every warning, with the line and what stands there. */
  constructor(
    maxProcessors: number | undefined,
    warn: (rule: WarningRule, line: number, example: string) => void,
  ) {
    this.#maxProcessors = maxProcessors ?? Number.POSITIVE_INFINITY;
    this.#warn = warn;
  }

  /** Checks the record whose 18 numbers start at `offset`. */
  check(rows: Float64Array, offset: number, line: number): void {
    const job = rows[offset + AT.job];
    const runtime = rows[offset + AT.runtime];
    const allocated = rows[offset + AT.processors];
    const processors = allocated > 0 ? allocated : rows[offset + AT.requestedProcessors];
    const requestedTime = rows[offset + AT.requestedTime];
    const status = rows[offset + AT.status];
    if (runtime <= 0) this.#warn('unknown-runtime', line, `runtime ${runtime}`);
    if (processors <= 0) this.#warn('unknown-processors', line, `${allocated} and ${processors} processors`);
    if (processors > this.#maxProcessors) {
      this.#warn('too-wide', line, `${processors} processors on a machine of ${this.#maxProcessors}`);
    }
    if (job >= 0 && !this.#jobs.add(job)) this.#warn('duplicate-job', line, `job ${job} again`);
    if (requestedTime > 0 && runtime > requestedTime) {
      this.#warn('overrun-request', line, `runtime ${runtime}, requested ${requestedTime}`);
    }
    if (status < -1 || status > 5) this.#warn('unknown-status', line, `status ${status}`);
  }
}

const PAGE_BITS = 4096;

/** A set of whole numbers from 0, small where they lie close together. */
class NumberSet {
  readonly #pages = new Map<number, Uint8Array>();

  /** Adds the number; false if it was there. */
  add(value: number): boolean {
    const pageNumber = Math.floor(value / PAGE_BITS);
    let page = this.#pages.get(pageNumber);
    if (page === undefined) {
      page = new Uint8Array(PAGE_BITS / 8);
      this.#pages.set(pageNumber, page);
    }
    const bit = value - pageNumber * PAGE_BITS;
    const mask = 1 << (bit & 7);
    const isNew = (page[bit >> 3] & mask) === 0;
    page[bit >> 3] |= mask;
    return isNew;
  }
}
