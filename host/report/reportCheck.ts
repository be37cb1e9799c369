/** Whether a document read from a file is a Report. */

import type { Report } from '../draw/types.js';
import { InputError } from '../errors.js';

type Document = Readonly<Record<string, unknown>>;

const TEXTS = ['title', 'description', 'source'];
const LISTS = ['highlights', 'tables', 'figures', 'checks', 'notes', 'commands', 'environment'];
const ID = /^[A-Za-z][A-Za-z0-9-]*$/;

function isDocument(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What is wrong with a report, in words; undefined if nothing is. */
function faultOf(report: unknown): string | undefined {
  if (!isDocument(report)) return 'expected an object';
  const text = TEXTS.find((key) => typeof report[key] !== 'string');
  if (text !== undefined) return `${text}: expected a text`;
  const list = LISTS.find((key) => !Array.isArray(report[key]));
  if (list !== undefined) return `${list}: expected a list`;
  return entriesFault(report as unknown as Report);
}

function entriesFault({ tables, figures }: Report): string | undefined {
  const ids = new Set<string>();
  for (const { id } of [...tables, ...figures]) {
    if (typeof id !== 'string' || !ID.test(id)) return `'${id}' is no id of a table or figure`;
    if (ids.has(id)) return `the id ${id} stands twice`;
    ids.add(id);
  }
  for (const { id, columns, rows } of tables) {
    const row = rows?.findIndex((cells) => cells.length !== columns?.length);
    if (row !== -1) return `table ${id}, row ${(row ?? 0) + 1}: expected one cell per column`;
  }
  const figure = figures.find(({ panels }) => !Array.isArray(panels) || panels.length === 0);
  return figure === undefined ? undefined : `figure ${figure.id}: expected at least one panel`;
}

/**
 * The document as a Report.
 * @throws InputError naming the file and what is wrong.
 */
export function checkReport(document: unknown, path: string): Report {
  const fault = faultOf(document);
  if (fault !== undefined)
    throw new InputError(`${path} is not a report of gridalloc: ${fault}; run the study again`);
  return document as Report;
}
