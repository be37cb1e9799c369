/**
 * The results of runs as they come in: one line each, only ever appended to, so that a run that was written is never
 * lost and never done again. A line is a checksum, a blank, and JSON.
 */
import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { InputError, OutputError } from '../errors.js';

/** Who a journal belongs to. */
export interface JournalHead {
  /** Hash of the plan. */
  readonly plan: string;
  /** `1/1`, or the shard that is kept here. */
  readonly shard: string;
}

/** What a journal holds. */
export interface JournalContent {
  readonly head: JournalHead;
  /** Values by run id. */
  readonly results: Map<string, readonly number[]>;
}

const CHECKSUM_LENGTH = 12;

function checksum(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, CHECKSUM_LENGTH);
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

interface Parsed {
  readonly content: JournalContent | undefined;
  /** Bytes up to the end of the last whole line. */
  readonly whole: number;
}

function parseJournal(path: string): Parsed {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { content: undefined, whole: 0 };
    throw error;
  }
  const whole = bytes.lastIndexOf(10) + 1;
  const lines = bytes.subarray(0, whole).toString('utf8').split('\n').slice(0, -1);
  if (lines.length === 0) return { content: undefined, whole: 0 };
  const documents = lines.map((text, i) => {
    const document = documentOf(text);
    if (document !== undefined) return document;
    throw new InputError(
      `${path}, line ${i + 1}: damaged; delete this line to have its run done again, or the file to begin anew`,
    );
  });
  const [head, ...results] = documents as [JournalHead, ...[string, readonly number[]][]];
  return { content: { head, results: new Map(results) }, whole };
}

/**
 * Reads a journal; a torn last line is left out. Undefined when there is none.
 * @throws InputError for a damaged line in the middle.
 */
export function readJournal(path: string): JournalContent | undefined {
  return parseJournal(path).content;
}

/** A journal that is open for more results. */
export class Journal {
  readonly #file: number;
  readonly #path: string;
  /** What was there when it was opened. */
  readonly earlier: JournalContent['results'];

  /**
   * Opens a journal, or begins one; a torn last line is cut off.
   * @throws InputError when it belongs to another study, or is damaged.
   */
  constructor(path: string, head: JournalHead) {
    this.#path = path;
    const { content, whole } = parseJournal(path);
    if (content !== undefined && content.head.plan !== head.plan) {
      throw new InputError(
        `${path} holds results of another study, or of this one with other options or another version; give another folder, or delete it`,
      );
    }
    if (content !== undefined && content.head.shard !== head.shard) {
      throw new InputError(
        `${path} holds shard ${content.head.shard}, not ${head.shard}; give each shard a folder of its own`,
      );
    }
    this.earlier = content?.results ?? new Map();
    this.#file = openSync(path, 'a');
    ftruncateSync(this.#file, whole);
    if (content === undefined) this.#write(line(head));
  }

  /** Adds results; when this returns, they survive the end of the process. */
  append(results: readonly (readonly [id: string, values: readonly number[]])[]): void {
    this.#write(results.map(line).join(''));
  }

  close(): void {
    fsyncSync(this.#file);
    closeSync(this.#file);
  }

  #write(text: string): void {
    const bytes = Buffer.from(text);
    try {
      for (let written = 0; written < bytes.length; ) written += writeSync(this.#file, bytes, written);
    } catch (error) {
      throw journalFault(this.#path, error as NodeJS.ErrnoException);
    }
  }
}

function journalFault(path: string, { code, message }: NodeJS.ErrnoException): OutputError {
  const why = code === 'ENOSPC' || code === 'EDQUOT' ? 'the disk is full' : message;
  return new OutputError(
    `${path}: ${why}; the runs that are in it stay, make room and give the same command to go on`,
  );
}
