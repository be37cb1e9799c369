/** Positions of records in a log, as messages name them: `line 3`, `row 2` or `jobs[0]`. */

/** Unit in which messages say where a record stands in a log: lines, rows or jobs. */
export type RecordPlaceUnit = 'line' | 'row' | 'job';

/** How messages name the position of a record in a log of one format. */
export interface RecordPlaceNames {
  /** Unit as a singular noun. */
  readonly unit: RecordPlaceUnit;
  /** Name of a position by its number, such as `line 3`. */
  readonly nameOf: (number: number) => string;
}

/** Names of lines, counted from 1. */
export const LINE_PLACE_NAMES: RecordPlaceNames = {
  unit: 'line',
  nameOf: (recordNumber) => `line ${recordNumber}`,
};

/** Names of rows of a Parquet table. They are read as text whose first line contains the column names. */
export const ROW_PLACE_NAMES: RecordPlaceNames = {
  unit: 'row',
  nameOf: (recordNumber) => (recordNumber === 1 ? 'the names of the columns' : `row ${recordNumber - 1}`),
};

/** Names of entries of a JSON list of jobs, counted from 0. */
export const JOB_PLACE_NAMES: RecordPlaceNames = {
  unit: 'job',
  nameOf: (recordNumber) => `jobs[${recordNumber}]`,
};

/** Joins names of places, such as `lines 2, 3`; a common unit is written once. */
export function joinPlaceNames(names: readonly string[]): string {
  const [, unit] = /^(line|row) \d/.exec(names[0] ?? '') ?? [];
  const isShared =
    unit !== undefined && names.length > 1 && names.every((placeName) => placeName.startsWith(`${unit} `));
  return isShared
    ? `${unit}s ${names.map((placeName) => placeName.slice(unit.length + 1)).join(', ')}`
    : names.join(', ');
}
