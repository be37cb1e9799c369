/** Checks that need all records of a log: use beyond the machine, and records that occur twice. */
import { ColumnBuilder } from './columns.js';
import { peakUse } from './peakUse.js';
import { SWF_FIELDS } from './trace.js';

/** A finding of these checks. */
export interface WholeFinding {
  readonly rule: 'over-capacity' | 'duplicate-record';
  /** The line, or the number of the record in a format without lines. */
  readonly line: number;
  readonly example: string;
}

/** Collects the records of a log. */
export class WholeChecks {
  readonly #columns = new ColumnBuilder();
  readonly #lines: Float64Array[] = [];
  /** Job numbers that occur more than once. */
  readonly #repeated = new Set<number>();

  add(rows: Float64Array, lines: Float64Array): void {
    this.#columns.add(rows);
    this.#lines.push(lines.slice());
  }

  /** Marks a job number as one that occurred before. */
  repeat(job: number): void {
    this.#repeated.add(job);
  }

  /** @param machine processors of the machine, if the log gives them. */
  *findings(machine: number | undefined): Generator<WholeFinding> {
    const { count, columns } = this.#columns.finish();
    const peak = machine === undefined || count === 0 ? undefined : peakUse({ count, columns });
    if (machine !== undefined && peak !== undefined && peak.processors > machine) {
      const { processors, time, record } = peak;
      const example = `${processors} processors in use in second ${time}, when job ${columns.job[record]} started, on a machine of ${machine}`;
      yield { rule: 'over-capacity', line: this.#lineOf(record), example };
    }
    const seen = new Set<string>();
    for (let record = 0; record < count && this.#repeated.size > 0; record++) {
      const job = columns.job[record]!;
      if (!this.#repeated.has(job)) continue;
      const fields = SWF_FIELDS.map((field) => columns[field][record]).join(' ');
      if (seen.has(fields))
        yield { rule: 'duplicate-record', line: this.#lineOf(record), example: `job ${job} again` };
      seen.add(fields);
    }
  }

  #lineOf(record: number): number {
    let rest = record;
    for (const lines of this.#lines) {
      if (rest < lines.length) return lines[rest]!;
      rest -= lines.length;
    }
    return 0;
  }
}
