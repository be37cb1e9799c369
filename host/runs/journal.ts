/**
 * The results of runs as they come in: one line each, only ever appended to, so that a run that was written is never
 * lost and never done again. A line is a checksum, a blank, and JSON.
 */
import { closeSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { InputError } from '../errors.js';
import { type WriteSentences, writeFault } from '../files/fileSystem.js';
import { hashText } from '../files/hash.js';
import { formatOf, withFormat } from '../results/documents.js';
import type { Plan } from '../study/plan.js';

/** Identity of the plan that a journal belongs to. */
export interface JournalHead {
  /** Hash of the plan. */
  readonly plan: string;
  /** `1/1`, or the shard for which it was begun. */
  readonly shard: string;
}

/** Receives a result of a journal. */
export type ResultHandler = (id: string, values: readonly (number | null)[]) => void;

const CHECKSUM_LENGTH = 12;
/** Results that are written at once. */
const AT_ONCE = 256;

const SENTENCES: WriteSentences = {
  denied: 'may not be written by this user; change its permissions',
  absent: 'no longer exists; repeat the command',
  blocked: 'is no longer a file; give another folder with --out',
  full: 'finished runs are kept; free some space and repeat the command',
};

function checksum(text: string): string {
  return hashText(text).slice(0, CHECKSUM_LENGTH);
}

function line(document: unknown): string {
  const text = JSON.stringify(document);
  return `${checksum(text)} ${text}\n`;
}

/** The document of a line, or undefined when the line is damaged. */
function documentOf(text: string): unknown {
  const body = text.slice(CHECKSUM_LENGTH + 1);
  return checksum(body) === text.slice(0, CHECKSUM_LENGTH) ? JSON.parse(body) : undefined;
}

/**
 * Reads a journal; a torn last line is left out.
 * @param begin is given the head, before any result.
 * @returns how many bytes whole lines have; 0 when there is no journal.
 * @throws InputError for a damaged line in the middle.
 */
export function readJournal(path: string, take: ResultHandler, begin?: (head: JournalHead) => void): number {
  let whole = 0;
  let number = 0;
  try {
    for (const { text, end } of linesOf(path)) {
      const document = documentOf(text);
      if (document === undefined) throw damaged(path, number + 1);
      number++;
      if (number === 1 ? !isHead(document) : !isResult(document)) throw damaged(path, number);
      if (number === 1) {
        formatOf(document, path);
        begin?.(document as JournalHead);
      } else take(...(document as Parameters<ResultHandler>));
      whole = end;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return whole;
}

/** Fields of a plan that identify its journals. */
type OwnPlan = Pick<Plan, 'sha256' | 'continues'>;

/** Reads a journal like `readJournal`; refuses one of another plan, unless this plan continues that. */
export function readJournalOf(path: string, plan: OwnPlan, take: ResultHandler): number {
  return readJournal(path, take, (head) => checkHead(path, head, plan));
}

function isHead(document: unknown): boolean {
  const { plan, shard } = (document ?? {}) as Partial<JournalHead>;
  return typeof plan === 'string' && typeof shard === 'string';
}

function isResult(document: unknown): boolean {
  if (!Array.isArray(document) || document.length !== 2) return false;
  const [id, values] = document as unknown[];
  const isValue = (value: unknown) => value === null || typeof value === 'number';
  return typeof id === 'string' && Array.isArray(values) && values.every(isValue);
}

function damaged(path: string, line: number): InputError {
  return new InputError(
    `${path}, line ${line}: damaged; delete this line to repeat its run, or the file to start over`,
  );
}

/** A journal that is open for more results. */
export class Journal {
  readonly #file: number;
  readonly #path: string;

  /**
   * Opens a journal, or begins one; a torn last line is cut off.
   * @param shard for which it is begun.
   * @param take is given what was there.
   * @throws InputError when it belongs to another study, or is damaged.
   */
  constructor(path: string, plan: OwnPlan, shard: string, take: ResultHandler) {
    this.#path = path;
    const whole = readJournalOf(path, plan, take);
    this.#file = openSync(path, 'a');
    try {
      ftruncateSync(this.#file, whole);
      if (whole === 0)
        writeAll(this.#file, line(withFormat({ plan: plan.sha256, shard } satisfies JournalHead)));
    } catch (error) {
      closeSync(this.#file);
      throw writeFault(path, error, SENTENCES);
    }
  }

  /** Adds results of runs; when this returns, they survive the end of the process. */
  append(results: Iterable<readonly [id: string, values: ArrayLike<number>]>): void {
    let lines: string[] = [];
    for (const [id, values] of results) {
      lines.push(line([id, Array.from(values)]));
      if (lines.length === AT_ONCE) lines = this.#write(lines);
    }
    this.#write(lines);
  }

  #write(lines: readonly string[]): [] {
    try {
      writeAll(this.#file, lines.join(''));
    } catch (error) {
      throw writeFault(this.#path, error, SENTENCES);
    }
    return [];
  }

  close(): void {
    try {
      fsyncSync(this.#file);
    } catch (error) {
      throw writeFault(this.#path, error, SENTENCES);
    } finally {
      closeSync(this.#file);
    }
  }
}

/** Refuses a journal of another plan; the ids of its runs say which part of that plan it is. */
function checkHead(path: string, { plan }: JournalHead, { sha256, continues = [] }: OwnPlan): void {
  if (plan === sha256 || continues.includes(plan)) return;
  throw new InputError(
    `${path} holds results of another study, or of this one with other options or another version; give another folder, or delete it`,
  );
}

const PIECE = 1 << 16;
const LINE_END = 10;

/** A line without its end, and how many bytes the file has up to and with that end. */
export interface Line {
  readonly text: string;
  readonly end: number;
}

/** The lines of a file; what follows the last line end is left out. */
export function* linesOf(path: string): Generator<Line> {
  const file = openSync(path, 'r');
  try {
    let rest = Buffer.alloc(0);
    let end = 0;
    const piece = Buffer.alloc(PIECE);
    for (let read = readSync(file, piece); read > 0; read = readSync(file, piece)) {
      const bytes = Buffer.concat([rest, piece.subarray(0, read)]);
      let from = 0;
      for (let stop = bytes.indexOf(LINE_END); stop >= 0; stop = bytes.indexOf(LINE_END, from)) {
        end += stop + 1 - from;
        yield { text: bytes.toString('utf8', from, stop), end };
        from = stop + 1;
      }
      rest = bytes.subarray(from);
    }
  } finally {
    closeSync(file);
  }
}

/** Writes all of a text; a file system may take it in parts. */
function writeAll(file: number, text: string | Uint8Array): void {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
}
