/** What a study says: which simulations, what is made of their results, and what was published. */

import type { Label, Note, RawMeasure, RawStep, RawStudy, RawTable } from './schema.js';

export type { Label, Note } from './schema.js';

/** One value of an axis: its label, and the text that stands for `{axis}` in the options. */
export interface AxisEntry {
  readonly label: Label;
  readonly text: string;
  /** Where it stands, for error messages: `file, line 12`. */
  readonly place: string;
}

export interface Axis {
  readonly name: string;
  readonly entries: readonly AxisEntry[];
}

/** Options of `gridalloc simulate` by name; texts may hold `{axis}`, `$TRACE` and lists such as `ti[slt=1|2|3]`. */
export type OptionTexts = Readonly<Record<string, string>>;

/** Settings that belong together: the product of the axes, each value put into the options. */
export interface Part {
  /** Label on the axis `part`; undefined when the study has only one part. */
  readonly name: string | undefined;
  readonly options: OptionTexts;
  /** Where each option stands, and where it is missing. */
  readonly place: (option: string) => string;
  readonly axes: readonly Axis[];
}

/** Which labels of which axes; an axis that is not named keeps all. */
export type Where = Readonly<Record<string, readonly Label[]>>;

/** One step from the metric of single runs to the numbers of a table. */
export type Step =
  | {
      readonly kind: 'mean' | 'geometricMean' | 'least' | 'most' | 'sum' | 'deviation';
      readonly axes: readonly string[];
    }
  /** 1 - value / reference; the reference is the mean over the axes, or the least of some labels of one axis. */
  | { readonly kind: 'improvement'; readonly over: readonly string[]; readonly on: 'mean' | readonly Label[] }
  /** The label that is best over the odd replications, setting by setting, judged on the even ones. */
  | { readonly kind: 'choose'; readonly axes: readonly string[]; readonly best: 'least' | 'most' }
  /** 1 where the label is best (least) on the axis, close to the best without being it, or last (none is larger); else 0. */
  | {
      readonly kind: 'standing';
      readonly over: string;
      readonly of: Label;
      readonly is: NonNullable<RawStep['standing']>['is'];
      /** `close`: less than this share above the best. */
      readonly within: number;
    };

/** How numbers of a measure are shown. */
export interface MeasureFormat {
  readonly style: NonNullable<RawMeasure['format']>;
  readonly decimals?: number;
}

/** A number for each setting, made from a metric of the runs. */
export interface Measure {
  readonly name: string;
  readonly title: string;
  readonly unit?: string | undefined;
  readonly metric: string;
  readonly where: Where;
  readonly steps: readonly Step[];
  readonly format: MeasureFormat;
}

/** Replications: repetitions with other random numbers. */
export interface Draws {
  readonly axis: string;
  /**
   * `before`: a table shows what its steps make of the metric's mean over the replications; `after`: the mean over the
   * replications of what the steps make of each.
   */
  readonly average: NonNullable<NonNullable<RawStudy['replications']>['average']>;
  /** What stands beside a value: the 95 % interval of the mean, or the least and greatest of single replications. */
  readonly shows: NonNullable<NonNullable<RawStudy['replications']>['shows']>;
}

/** A number as printed: its value, and how many decimals it has (of a percentage: percent). */
export interface Published {
  readonly text: string;
  readonly value: number;
  readonly decimals: number;
  readonly isPercent: boolean;
}

export interface TableSpec {
  readonly id: string;
  readonly title: string;
  readonly caption: string;
  /** Several measures stand side by side, in each of the columns. */
  readonly measures: readonly string[];
  readonly where: Where;
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  /** Label of a last row with the sums. */
  readonly total: string | undefined;
  readonly emphasize: RawTable['emphasize'];
  /** Axes along which the least or most is sought; along a row if there are none. */
  readonly among: readonly string[];
  /** By label of the row (joined by ', '), then of the column. */
  readonly published: ReadonlyMap<string, ReadonlyMap<string, Published>>;
}

export interface FigureSpec {
  readonly id: string;
  readonly title: string;
  readonly caption: string;
  readonly measure: string;
  readonly where: Where;
  readonly panels: readonly string[];
  readonly x: string;
  readonly series: readonly string[];
  readonly xTitle: string;
  readonly yScale: 'linear' | 'log';
  readonly sharesY: boolean;
  /** The label of an axis to which differences are shown instead of values. */
  readonly baseline: { readonly axis: string; readonly label: Label } | undefined;
}

/** A statement to hold against the results. */
export interface CheckSpec {
  readonly sentence: string;
  readonly test:
    | {
        /** In every setting the measure rises (or falls) along these labels of the axis. */
        readonly kind: 'order';
        readonly measure: string;
        readonly where: Where;
        readonly axis: string;
        readonly direction: 'ascending' | 'descending';
        readonly labels: readonly Label[];
      }
    | {
        /** In every setting the measure is at least (or at most) the bound. */
        readonly kind: 'bound';
        readonly measure: string;
        readonly where: Where;
        readonly direction: 'atLeast' | 'atMost';
        readonly bound: number;
      }
    /** Every published cell of a table comes out: to the digits printed, or inside the interval or range shown. */
    | { readonly kind: 'reproduced'; readonly table: string };
}

/** A study, checked. */
export interface Study {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly source: string;
  /** `simulations`, or `workloads`: statistics of the jobs alone. */
  readonly kind: NonNullable<RawStudy['kind']>;
  readonly parts: readonly Part[];
  readonly draws: Draws | undefined;
  readonly measures: readonly Measure[];
  readonly tables: readonly TableSpec[];
  readonly figures: readonly FigureSpec[];
  readonly checks: readonly CheckSpec[];
  readonly notes: readonly Note[];
  /** The text it was read from, or a text that says the same. */
  readonly text: string;
  /** Where something stands, for error messages: `file, line 12`. */
  readonly locate: (path: readonly (string | number)[]) => string;
}

/** The axis that tells parts apart, and the axis of the alternatives in lists such as `ti[slt=1|2]`. */
export const PART_AXIS = 'part';
export const VARIANT_AXIS = 'variant';

/** The axis of a measure by home site: the entire grid, then each site that has jobs. */
export const HOME_AXIS = 'home site';
export const ENTIRE_GRID = 'entire grid';
