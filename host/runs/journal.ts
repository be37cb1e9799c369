/**
 * Journal of results: an append-only file with one line per run (checksum, blank, JSON), so that finished
 * runs are never lost or repeated.
 */
import { closeSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { InputError } from '../errors.js';
import { explainWriteError, type WriteErrorAdvice } from '../files/fileSystem.js';
import { hashTextSha256 } from '../files/hash.js';
import { addDocumentFormat, readDocumentFormatVersion } from '../results/documents.js';
import type { Plan } from '../study/plan.js';

/** Identity of the plan that a journal belongs to. */
export interface RunJournalHeader {
  /** Hash of the plan. */
  readonly plan: string;
  /** Shard for which the journal was started, or `1/1`. */
  readonly shard: string;
}

/** Receives one result of a journal. */
export type JournalResultHandler = (id: string, values: readonly (number | null)[]) => void;

const LINE_CHECKSUM_LENGTH = 12;
/** Number of results written at once. */
const JOURNAL_LINES_PER_WRITE = 256;

const JOURNAL_WRITE_ERROR_ADVICE: WriteErrorAdvice = {
  denied: 'may not be written by this user; change its permissions',
  absent: 'no longer exists; repeat the command',
  blocked: 'is no longer a file; give another folder with --out',
  full: 'finished runs are kept; free some space and repeat the command',
};

function computeJournalLineChecksum(lineBody: string): string {
  return hashTextSha256(lineBody).slice(0, LINE_CHECKSUM_LENGTH);
}

function formatJournalLine(document: unknown): string {
  const jsonText = JSON.stringify(document);
  return `${computeJournalLineChecksum(jsonText)} ${jsonText}\n`;
}

/** Document in a journal line; undefined if the line is damaged. */
function parseJournalLine(lineText: string): unknown {
  const lineBody = lineText.slice(LINE_CHECKSUM_LENGTH + 1);
  return computeJournalLineChecksum(lineBody) === lineText.slice(0, LINE_CHECKSUM_LENGTH)
    ? JSON.parse(lineBody)
    : undefined;
}

/**
 * Reads a journal, ignoring an incomplete last line.
 * @param onHeader receives the header before any result.
 * @returns the number of bytes of complete lines; 0 if there is no journal.
 * @throws InputError for a damaged line.
 */
export function readRunJournal(
  path: string,
  onResult: JournalResultHandler,
  onHeader?: (journalHeader: RunJournalHeader) => void,
): number {
  let completeByteCount = 0;
  let lineCount = 0;
  try {
    for (const { text: lineText, end } of readCompleteJournalLines(path)) {
      const document = parseJournalLine(lineText);
      if (document === undefined) throw makeDamagedJournalError(path, lineCount + 1);
      lineCount++;
      if (lineCount === 1 ? !isJournalHeader(document) : !isJournalRunResult(document))
        throw makeDamagedJournalError(path, lineCount);
      if (lineCount === 1) {
        readDocumentFormatVersion(document, path);
        onHeader?.(document as RunJournalHeader);
      } else onResult(...(document as Parameters<JournalResultHandler>));
      completeByteCount = end;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return completeByteCount;
}

/** Fields of a plan that identify its journals. */
type PlanIdentity = Pick<Plan, 'sha256' | 'continues'>;

/** Reads a journal like `readRunJournal`; refuses the journal of another plan, unless the plan continues it. */
export function readRunJournalOfPlan(
  path: string,
  planIdentity: PlanIdentity,
  onResult: JournalResultHandler,
): number {
  return readRunJournal(path, onResult, (journalHeader) =>
    checkJournalHeader(path, journalHeader, planIdentity),
  );
}

function isJournalHeader(document: unknown): boolean {
  const { plan, shard } = (document ?? {}) as Partial<RunJournalHeader>;
  return typeof plan === 'string' && typeof shard === 'string';
}

function isJournalRunResult(document: unknown): boolean {
  if (!Array.isArray(document) || document.length !== 2) return false;
  const [id, values] = document as unknown[];
  const isResultValue = (jsonValue: unknown) => jsonValue === null || typeof jsonValue === 'number';
  return typeof id === 'string' && Array.isArray(values) && values.every(isResultValue);
}

function makeDamagedJournalError(path: string, line: number): InputError {
  return new InputError(
    `${path}, line ${line}: damaged; delete this line to repeat its run, or the file to start over`,
  );
}

/** Journal opened for appending results. */
export class RunJournal {
  readonly #file: number;
  readonly #path: string;

  /**
   * Opens or creates a journal and removes an incomplete last line.
   * @param shardName shard for which it is created.
   * @param onResult receives the existing results.
   * @throws InputError if it belongs to another study or is damaged.
   */
  constructor(path: string, planIdentity: PlanIdentity, shardName: string, onResult: JournalResultHandler) {
    this.#path = path;
    const completeByteCount = readRunJournalOfPlan(path, planIdentity, onResult);
    this.#file = openSync(path, 'a');
    try {
      ftruncateSync(this.#file, completeByteCount);
      if (completeByteCount === 0)
        writeTextCompletely(
          this.#file,
          formatJournalLine(
            addDocumentFormat({ plan: planIdentity.sha256, shard: shardName } satisfies RunJournalHeader),
          ),
        );
    } catch (error) {
      closeSync(this.#file);
      throw explainWriteError(path, error, JOURNAL_WRITE_ERROR_ADVICE);
    }
  }

  /** Appends results; when it returns, they are on disk. */
  append(runResults: Iterable<readonly [id: string, values: ArrayLike<number>]>): void {
    let lines: string[] = [];
    for (const [id, values] of runResults) {
      lines.push(formatJournalLine([id, Array.from(values)]));
      if (lines.length === JOURNAL_LINES_PER_WRITE) lines = this.#write(lines);
    }
    this.#write(lines);
  }

  #write(lines: readonly string[]): [] {
    try {
      writeTextCompletely(this.#file, lines.join(''));
    } catch (error) {
      throw explainWriteError(this.#path, error, JOURNAL_WRITE_ERROR_ADVICE);
    }
    return [];
  }

  close(): void {
    try {
      fsyncSync(this.#file);
    } catch (error) {
      throw explainWriteError(this.#path, error, JOURNAL_WRITE_ERROR_ADVICE);
    } finally {
      closeSync(this.#file);
    }
  }
}

/** Checks that a journal belongs to the plan, or to one that the plan continues. */
function checkJournalHeader(
  path: string,
  { plan }: RunJournalHeader,
  { sha256, continues = [] }: PlanIdentity,
): void {
  if (plan === sha256 || continues.includes(plan)) return;
  throw new InputError(
    `${path} holds results of another study, or of this one with other options or another version; give another folder, or delete it`,
  );
}

const JOURNAL_READ_CHUNK_BYTES = 1 << 16;
const LINE_FEED_BYTE = 10;

/** Line without line end, and its end position in the file in bytes. */
export interface JournalLine {
  readonly text: string;
  readonly end: number;
}

/** Lines of a file; an incomplete last line is omitted. */
export function* readCompleteJournalLines(path: string): Generator<JournalLine> {
  const file = openSync(path, 'r');
  try {
    let incompleteLine = Buffer.alloc(0);
    let end = 0;
    const buffer = Buffer.alloc(JOURNAL_READ_CHUNK_BYTES);
    for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer)) {
      const bytes = Buffer.concat([incompleteLine, buffer.subarray(0, read)]);
      let from = 0;
      for (
        let lineEnd = bytes.indexOf(LINE_FEED_BYTE);
        lineEnd >= 0;
        lineEnd = bytes.indexOf(LINE_FEED_BYTE, from)
      ) {
        end += lineEnd + 1 - from;
        yield { text: bytes.toString('utf8', from, lineEnd), end };
        from = lineEnd + 1;
      }
      incompleteLine = bytes.subarray(from);
    }
  } finally {
    closeSync(file);
  }
}

/** Writes a whole text, since the file system may accept it in parts. */
function writeTextCompletely(file: number, textOrBytes: string | Uint8Array): void {
  const bytes = typeof textOrBytes === 'string' ? Buffer.from(textOrBytes) : textOrBytes;
  for (let writtenByteCount = 0; writtenByteCount < bytes.length; )
    writtenByteCount += writeSync(file, bytes, writtenByteCount);
}
