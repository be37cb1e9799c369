/** Places of records in a log: the unit in which a format counts them, and how they are printed. */

/** The unit of places in a format. */
export type PlaceUnit = 'line' | 'row' | 'job';

/** The places of records in a format. */
export interface RecordPlaceNames {
  /** Singular noun for what is counted. */
  readonly unit: PlaceUnit;
  /** Name of a place by the number that readers give it, such as `line 3`. */
  readonly nameOf: (number: number) => string;
}

/** Lines of a text, counted from 1. */
export const LINE_PLACE_NAMES: RecordPlaceNames = { unit: 'line', nameOf: (number) => `line ${number}` };

/** Rows of a table without lines. It is read as text, whose first line has the names of the columns. */
export const ROW_PLACE_NAMES: RecordPlaceNames = {
  unit: 'row',
  nameOf: (number) => (number === 1 ? 'the names of the columns' : `row ${number - 1}`),
};

/** Entries of the list of jobs in a JSON document, counted from 0 as in a path. */
export const JOB_PLACE_NAMES: RecordPlaceNames = { unit: 'job', nameOf: (number) => `jobs[${number}]` };

/** Places in one text, such as `lines 2, 3`: a unit that all have is named once. */
export function joinPlaceNames(names: readonly string[]): string {
  const [, unit] = /^(line|row) \d/.exec(names[0] ?? '') ?? [];
  const isShared =
    unit !== undefined && names.length > 1 && names.every((name) => name.startsWith(`${unit} `));
  return isShared
    ? `${unit}s ${names.map((name) => name.slice(unit.length + 1)).join(', ')}`
    : names.join(', ');
}
