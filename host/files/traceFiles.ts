/** Job logs in files and on standard input: finds the files of a log, reads them, and writes SWF. */
import { createWriteStream, existsSync, type Stats } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { checkArgument, checkOptionNames, registerLibraryOptions } from '../arguments.js';
import { InputError } from '../errors.js';
import {
  escapeNonPrintingText,
  formatSourceAsShellWord,
  makePrintableSourceName,
  quoteShellWord,
} from '../format/text.js';
import { firstElement } from '../lists.js';
import { type CheckOptions, checkLogInChunks, type TraceCheck } from '../trace/checkTrace.js';
import type { LogInputKind } from '../trace/formats.js';
import { pickReadingOptions, type ReadingOptions, TraceTextReader } from '../trace/readText.js';
import { encodeTrace } from '../trace/swf.js';
import type { Trace } from '../trace/trace.js';
import { isModelNotation } from '../workload/models.js';
import { explainReadError, explainWriteError, makeWriteErrorAdvice, replaceFiles } from './fileSystem.js';
import { estimateUnpackedSize, unpackLog } from './unpack.js';

/** Options for reading a source. */
export interface SourceOptions {
  /**
   * Progress callback with the bytes read from the source (compressed ones if it is) and their total, if
   * known.
   */
  readonly onProgress?: (bytes: number, totalBytes: number | undefined) => void;
  /** Stream for the source `-`; default: standard input. It is destroyed afterwards. */
  readonly input?: LogInput;
}

/** Chunks of a log; compatible with Node's streams without requiring their types. */
export type LogInput = AsyncIterable<Uint8Array | string> & { destroy?(): unknown };

/** Number of bytes read at a time. */
const FILE_READ_CHUNK_BYTES = 1 << 18;
/** Milliseconds between pauses during reading. */
const READING_PAUSE_INTERVAL_MS = 50;

/**
 * Unpacked bytes of a log in chunks.
 * @param contentKind set before the first chunk: true if they are the text of a Parquet file.
 * @param onSizeKnown called before the first chunk with the unpacked size, if known.
 * @throws InputError if the source cannot be opened or read, DamagedLogError if it cannot be unpacked.
 */
async function* readLogSource(
  source: string,
  options: SourceOptions,
  contentKind: LogInputKind,
  onSizeKnown?: (bytes: number | undefined) => void,
): AsyncGenerator<Uint8Array> {
  const fileStatus = source === '-' ? undefined : await readLogFileStats(source);
  onSizeKnown?.(fileStatus?.isFile() ? estimateUnpackedSize(source) : undefined);
  const totalBytes = fileStatus?.isFile() ? fileStatus.size : undefined;
  const file = fileStatus && readFileInChunks(source, fileStatus.size);
  const packedStream: LogInput = file ?? options.input ?? process.stdin;
  let byteCountRead = 0;
  const report = (bytes: number) => {
    byteCountRead = bytes;
    options.onProgress?.(byteCountRead, totalBytes);
  };
  let lastPauseTime = performance.now();
  try {
    for await (const chunk of unpackLog(source, readPackedLog(source, packedStream, report), contentKind)) {
      yield chunk;
      // Decoding in JavaScript blocks the thread, so signals are handled in pauses.
      if (performance.now() - lastPauseTime < READING_PAUSE_INTERVAL_MS) continue;
      await new Promise(setImmediate);
      lastPauseTime = performance.now();
      options.onProgress?.(byteCountRead, totalBytes);
    }
  } finally {
    // Whoever stops early must not leave the file open.
    packedStream.destroy?.();
    await file?.return(undefined);
  }
}

/**
 * Bytes of a file in chunks. Two buffers are reused alternately, since allocating memory costs more than
 * reading.
 */
async function* readFileInChunks(path: string, fileSize: number): AsyncGenerator<Uint8Array> {
  const fileHandle = await open(path);
  // The size of a pipe is given as 0, although it may have bytes.
  const length = fileSize > 0 ? Math.min(FILE_READ_CHUNK_BYTES, fileSize + 1) : FILE_READ_CHUNK_BYTES;
  let [buffer, otherBuffer] = [new Uint8Array(length), new Uint8Array(length)];
  try {
    let nextReadPromise = fileHandle.read(buffer, 0, length, null);
    for (let { bytesRead } = await nextReadPromise; bytesRead > 0; { bytesRead } = await nextReadPromise) {
      const filledBufferPart = buffer.subarray(0, bytesRead);
      [buffer, otherBuffer] = [otherBuffer, buffer];
      // The next piece is read while this one is used.
      nextReadPromise = fileHandle.read(buffer, 0, length, null);
      nextReadPromise.catch(() => {});
      yield filledBufferPart;
    }
  } finally {
    await fileHandle.close();
  }
}

async function* readPackedLog(
  source: string,
  input: LogInput,
  report: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of input) {
      const chunkBytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      bytes += chunkBytes.length;
      report(bytes);
      yield chunkBytes;
    }
  } catch (error) {
    throw explainReadError(makePrintableSourceName(source), error, 'check the path of the job log');
  }
}

async function readLogFileStats(source: string): Promise<Stats> {
  refuseWebAddress(source);
  try {
    const fileStatus = await stat(source);
    if (!fileStatus.isDirectory()) return fileStatus;
  } catch (error) {
    throw explainReadError(makePrintableSourceName(source), error, 'check the path of the job log');
  }
  throw new InputError(`${makePrintableSourceName(source)} is a folder; give the path of one job log in it`);
}

/** Factor by which the capacity of the columns exceeds the estimated number of records of a log. */
const EXPECTED_RECORD_COUNT_MARGIN = 1.05;

/** Options for reading a log into memory. */
export interface ReadOptions extends SourceOptions, ReadingOptions {}

const LOG_SOURCE_OPTIONS = { onProgress: true, input: true };
const READ_TRACE_OPTIONS = registerLibraryOptions<ReadOptions>('readTrace', {
  ...LOG_SOURCE_OPTIONS,
  format: true,
  sort: true,
  skipBadLines: true,
  arrival: true,
  columns: true,
  timeZone: true,
});
const CHECK_TRACE_OPTIONS = registerLibraryOptions<CheckOptions & SourceOptions>('checkTrace', {
  ...LOG_SOURCE_OPTIONS,
  format: true,
  sort: true,
  arrival: true,
  columns: true,
  timeZone: true,
});

/**
 * Reads a job log as a stream; only the columns are kept. Format and compression are detected from the
 * content.
 * @param source path, `-` for standard input, or several files as for `expandFilePatterns`, read as one log.
 * @throws InputError at the first line that breaks a rule, and for a source that cannot be read or contains
 * no record.
 * @example
 * const log = await readTrace('traces/queues.swf');
 * console.log(log.count, log.header.maxProcessors); // 6 8
 */
export async function readTrace(source: string, options: ReadOptions = {}): Promise<Trace> {
  checkArgument(source, 'text', 'readTrace');
  checkOptionNames(READ_TRACE_OPTIONS, options);
  const files = await expandFilePatterns(source);
  const contentKind = { isParquet: false };
  const reader = new TraceTextReader({ source, ...pickReadingOptions(options) }, contentKind);
  let expansionFactor = 0;
  const onProgress = (byteCountRead: number, totalBytes: number | undefined) => {
    expansionFactor = (totalBytes ?? 0) / byteCountRead;
    options.onProgress?.(byteCountRead, totalBytes);
  };
  for (const [index, file] of files.entries()) {
    const recordCountBeforeRead = reader.records;
    reader.begin(file);
    let size: number | undefined;
    let bytes = 0;
    const onSizeKnown = (knownByteCount: number | undefined) => {
      size = knownByteCount;
    };
    for await (const chunk of readLogSource(file, { ...options, onProgress }, contentKind, onSizeKnown)) {
      reader.push(chunk);
      bytes += chunk.length;
      const expectedRecordCountOfFile =
        (reader.records - recordCountBeforeRead) * (size === undefined ? expansionFactor : size / bytes);
      reader.expect(
        ((recordCountBeforeRead + expectedRecordCountOfFile) / (index + 1)) *
          files.length *
          EXPECTED_RECORD_COUNT_MARGIN,
      );
    }
  }
  return reader.end();
}

/** Number of records in a piece of a log, about 2 MB. */
export const RECORDS_PER_PIECE = 8192;

/** Name of a log, and its dropped records and ignored options, known after its last piece. */
export type LogRemarks = Pick<Trace, 'source' | 'leftOut' | 'unused'>;

/**
 * Reads a log in the Standard Workload Format as pieces of consecutive records, each a log with the header of the
 * whole log; only one piece is in memory.
 * @throws InputError like `readTrace`, for another format, and for several files.
 */
export async function* readTraceInPieces(
  source: string,
  options: ReadOptions,
): AsyncGenerator<Trace, LogRemarks> {
  const [file = source, ...others] = await expandFilePatterns(source);
  if (others.length > 0) {
    throw new InputError(
      `${makePrintableSourceName(source)}: --stream reads one file, since the headers of all files come first; join them, as in cat A.swf B.swf`,
    );
  }
  const fileKind = { isParquet: false };
  const reader = new TraceTextReader(
    { source, ...pickReadingOptions(options) },
    fileKind,
    (logSource) =>
      `--stream cannot sort records; sort them first: gridalloc trace convert ${formatSourceAsShellWord(logSource)} LOG.swf --sort`,
  );
  reader.begin(file);
  for await (const chunk of readLogSource(file, options, fileKind)) {
    reader.push(chunk);
    refuseFormatsOtherThanSwf(source, reader);
    if (reader.gathered >= RECORDS_PER_PIECE) yield reader.takeTracePiece();
  }
  reader.endFile();
  refuseFormatsOtherThanSwf(source, reader);
  if (reader.gathered > 0) yield reader.takeTracePiece();
  return { source, ...reader.finishPieces() };
}

/** @throws InputError for a log whose records cannot be used before all are read. */
function refuseFormatsOtherThanSwf(source: string, { format }: TraceTextReader): void {
  if (format === undefined || format.name === 'swf') return;
  throw new InputError(
    `${makePrintableSourceName(source)} is in the format ${format.name}, whose records are known only when all are read, and --stream reads swf; ` +
      `convert it first: gridalloc trace convert ${formatSourceAsShellWord(source)} LOG.swf`,
  );
}

/**
 * Finds all problems of a log: all reasons why readTrace or a simulation would refuse it.
 * @param source path, or `-` for standard input.
 * @throws InputError if the source cannot be opened or read at all.
 * @example
 * const { readable, problems } = await checkTrace('traces/problems.swf');
 * console.log(readable, problems[0].rule, problems[0].lines[0]); // false field-count 20
 */
export function checkTrace(source: string, options: CheckOptions & SourceOptions = {}): Promise<TraceCheck> {
  checkArgument(source, 'text', 'checkTrace');
  checkOptionNames(CHECK_TRACE_OPTIONS, options);
  const contentKind = { isParquet: false };
  return checkLogInChunks(source, readLogSource(source, options, contentKind), options, contentKind);
}

// Which files a log is in

/**
 * Joins file names to the notation for the files of one log, `{first.swf,second.swf}`; a single file is its
 * path.
 */
export function joinFileNames(files: readonly string[]): string {
  if (files.length === 1) return firstElement(files);
  return `{${files.map((file) => file.replaceAll(/[\\{},]/g, '\\$&')).join(',')}}`;
}

/**
 * Makes the paths of a workload absolute; workload models are unchanged.
 * @param folder base of relative paths; default: the current folder.
 */
export function makeFilesAbsolute(workloadText: string, folder = '.'): string {
  if (isModelNotation(workloadText) || workloadText === '-') return workloadText;
  return isBracedFileList(workloadText) && !existsSync(workloadText)
    ? joinFileNames(splitBracedFileList(workloadText.slice(1, -1)).map((file) => resolve(folder, file)))
    : resolve(folder, workloadText);
}

/**
 * Paths of the log files of a workload named in a file, relative to the current folder.
 * @param folder folder of that file. Relative paths are resolved there, in its parents, or in the current
 * folder: in the first that contains all files.
 * @returns undefined if none does.
 */
export async function findLogFilesOfWorkload(
  workloadText: string,
  folder: string,
): Promise<string | undefined> {
  if (isModelNotation(workloadText) || workloadText === '-') return workloadText;
  const paths = isBracedFileList(workloadText)
    ? splitBracedFileList(workloadText.slice(1, -1))
    : [workloadText];
  const folders = paths.every(isAbsolute) ? ['/'] : [...listFolderAndParents(resolve(folder)), resolve('.')];
  for (const baseFolder of folders) {
    const matchingFiles = await expandFilePatterns(makeFilesAbsolute(workloadText, baseFolder)).catch(
      () => [],
    );
    if (matchingFiles.length === 0 || !matchingFiles.every((matchingFile) => existsSync(matchingFile)))
      continue;
    const relativePaths = paths.map((path) =>
      isAbsolute(path) ? path : relative('.', resolve(baseFolder, path)),
    );
    return joinFileNames(relativePaths);
  }
  return undefined;
}

/** A folder and its parents. */
function listFolderAndParents(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...listFolderAndParents(parent)];
}

const isBracedFileList = (filePattern: string) => /^\{.*\}$/s.test(filePattern);

/**
 * Refuses a log given by a web address.
 * @throws InputError with a command to download it.
 */
function refuseWebAddress(source: string): void {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(source) || existsSync(source)) return;
  const file = basename(source.replace(/[?#].*$/s, '')) || 'FILE';
  throw new InputError(
    `${escapeNonPrintingText(source)} is a URL; fetch it first: curl -L -o ${quoteShellWord(file)} ${quoteShellWord(source)}, then give ${escapeNonPrintingText(file)}`,
  );
}

/**
 * Files of a log: a path; `{first.swf,second.swf}` in this order; or a pattern with `*` and `?`, in natural
 * order of names.
 * @throws InputError if no file matches, and for a web address.
 */
export async function expandFilePatterns(filePattern: string): Promise<string[]> {
  if (filePattern === '-' || existsSync(filePattern)) return [filePattern];
  const singleFilePatterns = isBracedFileList(filePattern)
    ? splitBracedFileList(filePattern.slice(1, -1))
    : [filePattern];
  const pathsByPattern = await Promise.all(singleFilePatterns.map(findPathsMatchingPattern));
  return pathsByPattern.flat();
}

/** Splits text at commas; a backslash escapes the next character. */
function splitBracedFileList(listText: string): string[] {
  const escapedNames = listText.match(/(?:\\.|[^\\,])+/gs) ?? [];
  return escapedNames.map((escapedName) => escapedName.replaceAll(/\\(.)/gs, '$1'));
}

async function findPathsMatchingPattern(pattern: string): Promise<string[]> {
  refuseWebAddress(pattern);
  if (!/[*?]/.test(pattern) || existsSync(pattern)) return [pattern];
  const pathParts = pattern.split('/');
  const start = pattern.startsWith('/') ? '/' : '.';
  let matchingPaths = [start];
  for (const pathPart of pathParts.filter((part) => part !== '')) {
    const pathsByFolder = await Promise.all(
      matchingPaths.map((folder) => findFilesMatchingPattern(folder, pathPart)),
    );
    matchingPaths = pathsByFolder.flat();
  }
  if (matchingPaths.length === 0) {
    throw new InputError(`no file matches ${escapeNonPrintingText(pattern)}; check the path of the job logs`);
  }
  return matchingPaths;
}

/** Paths in a folder whose last part matches a pattern. */
async function findFilesMatchingPattern(folder: string, pattern: string): Promise<string[]> {
  const pathOfFile = (fileName: string) => (folder === '.' ? fileName : join(folder, fileName));
  if (!/[*?]/.test(pattern)) return existsSync(pathOfFile(pattern)) ? [pathOfFile(pattern)] : [];
  const source = [...pattern].map((char) =>
    char === '*' ? '.*' : char === '?' ? '.' : char.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&'),
  );
  const fileNamePattern = new RegExp(`^${source.join('')}$`, 'su');
  const fileNames = await readdir(folder).catch(() => []);
  const matchingFileNames = fileNames.filter(
    (fileName) => fileNamePattern.test(fileName) && (!fileName.startsWith('.') || pattern.startsWith('.')),
  );
  return matchingFileNames.sort(new Intl.Collator('en', { numeric: true }).compare).map(pathOfFile);
}

// Writing a log

/** Options for writing a log. */
export interface WriteOptions {
  /** Node stream for the path `-`; default: standard output. It is left open. */
  readonly output?: LogOutput;
}

const WRITE_TRACE_OPTIONS = registerLibraryOptions<WriteOptions>('writeTrace', { output: true });

/** Structural type of a writable stream; Node's own type would require @types/node of every user. */
export interface LogOutput {
  write(text: string): boolean;
  end(): unknown;
  once(event: 'drain', listener: () => void): unknown;
}

/**
 * Writes a log: to standard output for `-`, gzip-compressed if the path ends in .gz. Files are written under
 * a temporary name and renamed when complete; devices and pipes are written directly.
 * @throws InputError if the path is not writable or SWF cannot represent the log; OutputError if writing
 * fails (full disk, device error). Errors of `output` are thrown unchanged.
 * @example
 * await writeTrace(trace, 'model.swf.gz');
 * console.log((await readTrace('model.swf.gz')).count); // 200
 */
export async function writeTrace(trace: Trace, path: string, options: WriteOptions = {}): Promise<void> {
  checkArgument(trace, 'trace', 'writeTrace, trace');
  checkArgument(path, 'text', 'writeTrace, path');
  checkOptionNames(WRITE_TRACE_OPTIONS, options);
  if (path === '-') {
    const outputStream = (options.output as Writable | undefined) ?? process.stdout;
    await pipeline(Readable.from(encodeTrace(trace)), outputStream, { end: false });
    return;
  }
  try {
    const outputFile = await resolveOutputFile(path);
    const isGzipFile = /\.gz$/i.test(path);
    const writeTraceFile = (targetPath: string, openFlags: string) =>
      writeTraceText(trace, targetPath, isGzipFile, openFlags);
    if (outputFile.isSpecial) await writeTraceFile(outputFile.path, 'w');
    else
      await replaceFiles([
        { path: outputFile.path, write: (partialPath) => writeTraceFile(partialPath, 'wx') },
      ]);
  } catch (error) {
    throw explainWriteError(path, error, makeWriteErrorAdvice(dirname(path)));
  }
}

/** Resolves links in an output path, and tells whether it exists and is not a regular file. */
async function resolveOutputFile(path: string): Promise<{ path: string; isSpecial: boolean }> {
  try {
    const fileStatus = await stat(path);
    if (fileStatus.isDirectory())
      throw new InputError(`${escapeNonPrintingText(path)} is a folder; give the path of a file`);
    return fileStatus.isFile() ? { path: await realpath(path), isSpecial: false } : { path, isSpecial: true };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return { path, isSpecial: false };
  }
}

async function writeTraceText(
  trace: Trace,
  path: string,
  isGzipFile: boolean,
  openFlags: string,
): Promise<void> {
  const encodedChunks = Readable.from(encodeTrace(trace));
  const file = createWriteStream(path, { flags: openFlags });
  await (isGzipFile ? pipeline(encodedChunks, createGzip(), file) : pipeline(encodedChunks, file));
}
