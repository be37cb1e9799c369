/** What stands between records: a file of nothing else is no log, however long it goes on. */
import { LONGEST_HEADER, MOST_EMPTY_LINES, type SyntaxProblem } from './syntax.js';

/** Counts lines without a record, and bytes of comments before the first one. */
export class EmptyLines {
  #recordLine = 0;
  #commentBytes = 0;

  /** A record stands in this line. */
  record(line: number): void {
    this.#recordLine = line;
  }

  /** A comment of so many bytes stands before the first record. Returns the problem when they are too many. */
  comment(line: number, bytes: number): SyntaxProblem | undefined {
    this.#commentBytes += bytes + 1;
    if (this.#commentBytes <= LONGEST_HEADER) return undefined;
    return { rule: 'long-header', line, field: undefined, found: 'more' };
  }

  /** No record stands in this line. Returns the problem when none has stood in too many. */
  empty(line: number): SyntaxProblem | undefined {
    if (line - this.#recordLine <= MOST_EMPTY_LINES) return undefined;
    const found = `${MOST_EMPTY_LINES} lines in a row that are blank or comments`;
    return { rule: 'empty-lines', line, field: undefined, found };
  }
}
