/** Creates the jobs of a log that arrives in pieces, equal to those of the whole log. */
import { InputError } from '../errors.js';
import { makePrintableSourceName } from '../format/text.js';
import type { Grid } from '../grid/grid.js';
import type { Settings } from '../options/options.js';
import { type Filter, formatFilter } from '../trace/filter.js';
import type { LeftOut, Trace } from '../trace/trace.js';
import { makeDataSizeAdder } from '../workload/dataSizes.js';
import { makeEstimator } from '../workload/estimates.js';
import {
  defaultHomeRule,
  type HomeRule,
  makeWorkloadOfSelection,
  selectRecordsOfLog,
} from '../workload/make.js';
import type { Accounting, Workload } from '../workload/workload.js';
import { DEFAULT_ESTIMATE_SOURCE } from './experiment.js';
import { determineRequestedFilters, makeWorkloadOptions } from './workloadSettings.js';

/** A filter, with the numbers of records that it has dropped and let pass. */
interface FilterWithCounts {
  readonly filter: Filter;
  dropped: number;
  passed: number;
}

/** Numbers of jobs in the accounting that are added up. */
interface JobTotals {
  read: number;
  selected: number;
  kept: number;
  cancelled: number;
  withoutEstimate: number;
  unlimited: { jobs: number; seconds: number };
  split: { jobs: number; pieces: number };
  oversizeJobs: number;
}

/** Creates the jobs of consecutive pieces of a log. */
export class PieceJobs {
  readonly #settings: Settings;
  readonly #grid: Grid;
  readonly #filters: FilterWithCounts[];
  readonly #addEstimates: (workload: Workload) => Workload;
  readonly #addData: ((workload: Workload) => Workload) | undefined;
  #defaultHome: HomeRule | undefined;
  /** Seconds at which the clock of the jobs begins; undefined before the first job. */
  #zero: number | undefined;
  readonly #totals: JobTotals = {
    ...{ read: 0, selected: 0, kept: 0, cancelled: 0, withoutEstimate: 0, oversizeJobs: 0 },
    ...{ unlimited: { jobs: 0, seconds: 0 }, split: { jobs: 0, pieces: 0 } },
  };

  constructor(settings: Settings, grid: Grid) {
    const { estimates = DEFAULT_ESTIMATE_SOURCE, dataSize } = settings;
    this.#settings = settings;
    this.#grid = grid;
    this.#filters = determineRequestedFilters(settings).map((filter) => ({ filter, dropped: 0, passed: 0 }));
    for (const rule of ['runtime', 'processors'] as const) {
      if (!this.#filters.some(({ filter }) => filter.rule === rule))
        this.#filters.push({ filter: { rule }, dropped: 0, passed: 0 });
    }
    this.#addEstimates = makeEstimator(estimates);
    this.#addData = dataSize && makeDataSizeAdder(dataSize);
  }

  /** Rule that gives each job its home site if none is requested. */
  get defaultHome(): HomeRule {
    return this.#defaultHome ?? 'none';
  }

  /** Rule that gives each job its home site. */
  get home(): HomeRule {
    const { home, preset } = this.#settings;
    return home ?? preset?.home ?? this.defaultHome;
  }

  /** Number of records that have passed the filters. */
  get selected(): number {
    return this.#totals.selected;
  }

  /**
   * Creates the jobs of the next piece; there may be none.
   * @throws InputError as `makeWorkload`.
   */
  add(tracePiece: Trace): Workload {
    const settings = this.#settings;
    const home = this.#homeRuleOf(tracePiece);
    // Records that have passed count among the first ones.
    const filters = this.#filters.map(({ filter, passed }) =>
      filter.rule === 'first' ? { ...filter, count: Math.max(0, filter.count - passed) } : filter,
    );
    const selection = selectRecordsOfLog(tracePiece, filters, settings);
    let remainingJobCount = tracePiece.count;
    for (const [index, { count: recordCount }] of selection.dropped.entries()) {
      remainingJobCount -= recordCount;
      this.#filters[index]!.dropped += recordCount;
      this.#filters[index]!.passed += remainingJobCount;
    }
    const options = makeWorkloadOptions(settings, this.#grid, home);
    const workload = makeWorkloadOfSelection(selection, options, { zero: this.#zero });
    if (workload.count > 0 && settings.rebase) this.#zero ??= Math.floor(workload.log!.submit[0]!);
    const estimatedWorkload = this.#addEstimates(workload);
    const pieceWorkload = this.#addData?.(estimatedWorkload) ?? estimatedWorkload;
    this.#count(pieceWorkload.accounting, selection.records.count);
    return pieceWorkload;
  }

  /**
   * Rule that gives each job its home site: by default `queue` if the log has queues.
   * @throws InputError if only later pieces have queues.
   */
  #homeRuleOf(tracePiece: Trace): HomeRule {
    const { home, preset } = this.#settings;
    const knownHome = this.#defaultHome;
    if (knownHome !== 'queue') this.#defaultHome = defaultHomeRule(tracePiece);
    const homeRule = home ?? preset?.home;
    if (homeRule !== undefined) return homeRule;
    if (knownHome === 'none' && this.#defaultHome === 'queue' && this.#grid.capacities.length > 1) {
      throw new InputError(
        `${makePrintableSourceName(tracePiece.source)}: its first jobs have no queue and later ones do, by which --home is chosen from the whole log; give --home queue or --home none with --stream`,
      );
    }
    return this.defaultHome;
  }

  #count(accounting: Accounting, selectedRecordCount: number): void {
    const totals = this.#totals;
    totals.read += accounting.read;
    totals.selected += selectedRecordCount;
    totals.kept += accounting.kept;
    totals.cancelled += accounting.cancelled ?? 0;
    totals.withoutEstimate += accounting.withoutEstimate;
    totals.oversizeJobs += accounting.oversizeJobs.length;
    totals.split.jobs += accounting.split.jobs;
    totals.split.pieces += accounting.split.pieces;
    const { jobs: jobCount = 0, seconds = totals.unlimited.seconds } = accounting.unlimited ?? {};
    totals.unlimited = { jobs: totals.unlimited.jobs + jobCount, seconds };
  }

  /**
   * Accounting of all pieces; the numbers of the jobs dropped as too wide are not kept.
   * @param leftOut records dropped while the log was read.
   */
  accounting(leftOut: readonly LeftOut[] = []): Accounting {
    const { read, kept, cancelled, withoutEstimate, unlimited, split, oversizeJobs } = this.#totals;
    const droppedWhileReading = leftOut.map(({ rule, count: droppedCount }) => ({
      rule,
      count: droppedCount,
    }));
    const dropped = this.#filters.map(({ filter, dropped: count }) => ({
      rule: formatFilter(filter),
      count,
    }));
    const areOversizeJobsDropped = this.#settings.oversize === 'drop';
    return {
      read: read + droppedWhileReading.reduce((sum, { count }) => sum + count, 0),
      kept,
      dropped: [
        ...droppedWhileReading,
        ...dropped,
        ...(areOversizeJobsDropped ? [{ rule: 'oversize', count: oversizeJobs }] : []),
      ],
      oversizeJobs: [],
      ...(cancelled > 0 ? { cancelled } : {}),
      withoutEstimate,
      ...(unlimited.jobs > 0 ? { unlimited } : {}),
      split,
    };
  }
}
