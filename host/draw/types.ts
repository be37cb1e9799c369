/**
 * What a report is made of, as plain data that survives JSON: tables, figures, checks, notes. How it looks is decided
 * where it is drawn.
 */

import type { NumberFormat } from '../format/numbers.js';

/** A column of a table. */
export interface TableColumn {
  readonly title: string;
  /** Printed after the title, in brackets. */
  readonly unit?: string;
  /** Default: right when the column has a format, else left. */
  readonly align?: 'left' | 'right';
  /** Of its numbers; without one they are printed in shortest form. */
  readonly format?: NumberFormat;
  /** Whether its cells name their rows; the columns that do stand first. */
  readonly isHeading?: boolean;
}

/** A cell with more than a value. Numbers of one cell have one format. */
export interface DetailedCell {
  /** Ours: with several draws the mean. Null where there is none. */
  readonly value: number | string | null;
  /** What the paper prints in this place; a text where its digits count (`0.9` in a column of two decimals). */
  readonly published?: number | string;
  /** Lower bound of our values over the draws: of their interval, or the least. */
  readonly low?: number;
  /** The upper bound. */
  readonly high?: number;
  /** Whether the published value lies inside our bounds, or is reproduced where there is no range. */
  readonly isInside?: boolean;
  /** Whether the cell stands out, for instance as the best of its row. */
  readonly isEmphasized?: boolean;
  /** A remark, printed below the table with a number. */
  readonly note?: string;
}

/** A cell: a text or a number alone, null for an empty one, or a detailed one. */
export type TableCell = string | number | null | DetailedCell;

/** A cell taken apart: one without details has a value alone. */
export function detailed(cell: TableCell): DetailedCell {
  return typeof cell === 'object' && cell !== null ? cell : { value: cell };
}

/** A table; every row has one cell per column. */
export interface ReportTable {
  /** Letters, digits and dashes, beginning with a letter; unique among the tables of a report. */
  readonly id: string;
  readonly title: string;
  /** What the numbers mean and where they come from; may be empty. */
  readonly caption: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly TableCell[])[];
  /** What `low` and `high` of its cells are: the 95 % interval, or the range of single draws; default range. */
  readonly bounds?: 'interval' | 'range';
}

/** An axis of a figure. */
export interface FigureAxis {
  readonly title: string;
  /** Printed after the title, in brackets. */
  readonly unit?: string;
  /** Default linear. A logarithmic axis leaves out values that are not above 0. */
  readonly scale?: 'linear' | 'log';
  /** Of the numbers at its ticks; default as fits. */
  readonly format?: NumberFormat;
  /** Where its ticks stand and what they say; default at round numbers. */
  readonly ticks?: readonly { readonly value: number; readonly label: string }[];
  /** Whether its numbers are seconds since the first submit, and when that was in seconds since 1970 where it is known. */
  readonly time?: { readonly beginning?: number | undefined };
  /** The part of an axis of numbers that is shown; default all of it. */
  readonly range?: readonly [from: number, to: number];
}

/** A point; `low` and `high` are the bounds of y over draws. */
export interface FigurePoint {
  /** A number, or a category (then of all points of the figure). */
  readonly x: number | string;
  /** Null breaks the line. */
  readonly y: number | null;
  readonly low?: number;
  readonly high?: number;
}

/** Points that belong together; the same name is the same colour, marker and dash in every panel. */
export interface FigureSeries {
  readonly name: string;
  /** Where the colour means the same elsewhere on the page; default one of a row. */
  readonly color?: string;
  readonly points: readonly FigurePoint[];
}

/** One of the small multiples. */
export interface FigurePanel {
  /** May be empty when there is only one. */
  readonly title: string;
  readonly series: readonly FigureSeries[];
}

/** What the panels of a figure show of its settings: a measure, or its differences to one of the series. */
export interface FigureView {
  /** The measure, as its reader chooses it. */
  readonly measure: string;
  /** The series whose values are taken off; default none. */
  readonly baseline?: string;
  readonly y: FigureAxis;
  readonly panels: readonly FigurePanel[];
}

/** A figure of one or several panels over the same axes. */
export interface Figure {
  /** As of a table; unique among the figures. */
  readonly id: string;
  readonly title: string;
  /** What is to be seen; may be empty. */
  readonly caption: string;
  /**
   * `line` with markers; `step`: a value holds until the next, without markers; `bar`: groups of bars, on a logarithmic
   * y axis points, since bars have no foot there.
   */
  readonly kind: 'line' | 'step' | 'bar';
  readonly x: FigureAxis;
  readonly y: FigureAxis;
  /** Whether all panels have one y range; default false, each has its own. */
  readonly sharesY?: boolean;
  readonly panels: readonly FigurePanel[];
  /** The series of all figures of the page, by whose order they look; default those of this figure. */
  readonly namesOfPage?: readonly string[];
  /** What else its page can show in these places, over the same panels and series. */
  readonly views?: readonly FigureView[];
}

/** A statement that the results were held against. */
export interface ReportCheck {
  /** For instance `best-fit beats fastest-first at speed heterogeneity 0 and system loading 4`. */
  readonly sentence: string;
  readonly isTrue: boolean;
  /** The numbers behind it, as text: `2,618 against 3,204 s, 10 of 10 draws`. */
  readonly evidence: string;
}

/** A rule that a paper leaves open: what was decided, and what difference it makes. */
export interface ReportNote {
  readonly rule: string;
  readonly effect: string;
}

/** A label and its value, such as a version, a hash or seeds. */
export interface ReportFact {
  readonly label: string;
  readonly value: string;
  /** Whether it is a setting that nobody has changed. */
  readonly isUsual?: boolean;
}

/** A file of the folder in which the page of a report stands. */
export interface ReportFile {
  /** From that folder on. */
  readonly path: string;
  readonly meaning: string;
}

/** A whole report. Empty lists leave out their sections. */
export interface Report {
  readonly title: string;
  /** Sentences on what was run and what came out; a blank line begins a new paragraph. */
  readonly description: string;
  /** The paper, section and tables or figures that it follows; may be empty. */
  readonly source: string;
  /** Numbers to be seen first. */
  readonly highlights: readonly ReportFact[];
  readonly tables: readonly ReportTable[];
  readonly figures: readonly Figure[];
  readonly checks: readonly ReportCheck[];
  readonly notes: readonly ReportNote[];
  /** Commands that make it again, one per line. */
  readonly commands: readonly string[];
  readonly environment: readonly ReportFact[];
  /** What is beside the page; a table has its own as `tables/ID.csv` and the like. */
  readonly files: readonly ReportFile[];
}

/** The file of a study's folder that holds its Report. */
export const REPORT_FILE = 'report.json';

/** A part of a drawing as vega-lite describes it. */
export type Spec = Readonly<Record<string, unknown>>;
