/** The bytes of a log: from a file or standard input, unpacked when they are gzip. */
import { createReadStream, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { DamagedLog, InputError } from '../errors.js';
import { sourceName } from '../trace/quote.js';
import { readFault } from './faults.js';

/** How a log is read. */
export interface SourceOptions {
  /** Called now and then with the bytes taken from the source (packed if it is) and their total, if known. */
  readonly onProgress?: (bytes: number, totalBytes: number | undefined) => void;
  /** What `-` reads; standard input by default. */
  readonly input?: Readable;
}

const CHUNK = 1 << 20;
const UNPACKED_CHUNK = 1 << 18;

/**
 * Unpacked bytes of the log, chunk by chunk.
 * @throws InputError when the source cannot be opened or read, DamagedLog when it does not unpack.
 */
export async function* readSource(source: string, options: SourceOptions = {}): AsyncGenerator<Uint8Array> {
  const stats = source === '-' ? undefined : await inspect(source);
  const total = stats?.isFile() ? stats.size : undefined;
  const input = stats ? createReadStream(source, { highWaterMark: CHUNK }) : (options.input ?? process.stdin);
  try {
    yield* unpackGzip(source, readPacked(source, input, total, options.onProgress));
  } finally {
    // Whoever stops early must not leave the file open.
    input.destroy();
  }
}

/** The bytes themselves, or what they unpack to if they start like gzip. */
async function* unpackGzip(source: string, packed: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const head: Uint8Array[] = [];
  let headBytes = 0;
  for (let next = await packed.next(); !next.done; next = await packed.next()) {
    head.push(next.value);
    headBytes += next.value.length;
    if (headBytes >= 3) break;
  }
  const start = Buffer.concat(head);
  const isGzip = start[0] === 0x1f && start[1] === 0x8b && start[2] === 8;
  if (/\.gz$/i.test(source) && !isGzip && start.length > 0) {
    throw new InputError(
      `${sourceName(source)} is named .gz but holds no gzip data; rename it if it is plain text, or fetch it again`,
    );
  }
  const whole = prepend(start, packed);
  yield* isGzip ? unpack(source, whole) : whole;
}

async function* prepend(start: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (start.length > 0) yield start;
  yield* rest;
}

async function* unpack(source: string, packed: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: UNPACKED_CHUNK });
  // An error of the packed side reaches the loop below through gunzip.
  pipeline(packed, gunzip, () => {});
  try {
    for await (const chunk of gunzip) yield chunk as Uint8Array;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!code?.startsWith('Z_')) throw error;
    const fault =
      code === 'Z_BUF_ERROR' ? 'ends before its gzip data does' : `holds damaged gzip data (${message})`;
    throw new DamagedLog(`${sourceName(source)} ${fault}; fetch or compress it again`);
  }
}

async function* readPacked(
  source: string,
  input: Readable,
  total: number | undefined,
  onProgress: SourceOptions['onProgress'],
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of input) {
      const part: Uint8Array = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      bytes += part.length;
      onProgress?.(bytes, total);
      yield part;
    }
  } catch (error) {
    throw readFault(sourceName(source), error, 'check the path of the job log');
  }
}

async function inspect(source: string): Promise<Stats> {
  try {
    const stats = await stat(source);
    if (!stats.isDirectory()) return stats;
  } catch (error) {
    throw readFault(sourceName(source), error, 'check the path of the job log');
  }
  throw new InputError(`${sourceName(source)} is a folder; give the path of one job log in it`);
}
