/** A study as its file has it, after the schema has been checked. */
import type { Label, Measure, Note, TableSpec } from './definition.js';

export type Names = string | readonly string[];
export type RawOptions = Readonly<
  Record<string, string | number | boolean | readonly (string | number | boolean)[]>
>;
export type RawAxes = Readonly<Record<string, readonly Label[] | Readonly<Record<string, Label>> | string>>;
export type RawWhere = Readonly<Record<string, Label | readonly Label[]>>;

export interface RawPart {
  readonly simulate?: RawOptions;
  readonly axes?: RawAxes;
}

export interface RawMeasure {
  readonly title?: string;
  readonly unit?: string;
  readonly metric: string;
  readonly where?: RawWhere;
  readonly steps?: readonly RawStep[];
  readonly format?: Measure['format']['style'];
  readonly decimals?: number;
}

export interface RawStep {
  readonly improvement?: { readonly over: Names; readonly on: 'mean' | readonly Label[] };
  readonly standing?: {
    over: string;
    of: Label;
    is: readonly ('best' | 'close' | 'last')[];
    within?: number;
  };
  readonly [reduction: string]: unknown;
}

export interface RawTable {
  readonly title: string;
  readonly caption?: string;
  readonly measures: Names;
  readonly where?: RawWhere;
  readonly rows: Names;
  readonly columns?: Names;
  readonly total?: string;
  readonly emphasize?: TableSpec['emphasize'];
  readonly published?: {
    readonly columns: readonly Label[];
    readonly rows: Readonly<Record<string, readonly (number | string | null)[]>>;
  };
}

export interface RawFigure {
  readonly title: string;
  readonly caption?: string;
  readonly measure: string;
  readonly where?: RawWhere;
  readonly panels?: Names;
  readonly x: string;
  readonly series?: Names;
  readonly xTitle?: string;
  readonly yScale?: 'linear' | 'log';
  readonly sharesY?: boolean;
}

export interface RawCheck {
  readonly sentence: string;
  readonly measure?: string;
  readonly where?: RawWhere;
  readonly axis?: string;
  readonly ascending?: readonly Label[];
  readonly descending?: readonly Label[];
  readonly atLeast?: number;
  readonly atMost?: number;
  readonly reproduced?: string;
}

/** A study as the schema has it. */
export interface RawStudy extends RawPart {
  readonly title: string;
  readonly description?: string;
  readonly source?: string;
  readonly kind?: 'simulations' | 'workloads';
  readonly parts?: Readonly<Record<string, RawPart>>;
  readonly draws?: { readonly axis: string; readonly count: number; readonly average?: 'before' | 'after' };
  readonly measures: Readonly<Record<string, RawMeasure>>;
  readonly tables?: Readonly<Record<string, RawTable>>;
  readonly figures?: Readonly<Record<string, RawFigure>>;
  readonly checks?: readonly RawCheck[];
  readonly notes?: readonly Note[];
}
