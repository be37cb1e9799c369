/** Compressed bytes, unpacked piece by piece; the kind is told by the first bytes. */
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { DamagedLog, InputError } from '../errors.js';
import { escapeText } from '../format/escape.js';
import { sourceName, sourceWord } from '../trace/quote.js';

type Bytes = AsyncGenerator<Uint8Array>;

/** A kind of compressed data. */
interface Compression {
  readonly name: string;
  /** How names of such files end. */
  readonly ending: RegExp;
  /** The bytes with which it begins. */
  readonly magic: readonly number[];
  /** What writes the contents of such a file out. */
  readonly command: string;
  readonly unpack: (packed: Bytes) => AsyncIterable<Uint8Array>;
}

const UNPACKED_CHUNK = 1 << 18;

const ZSTD = { name: 'zstd', ending: /\.zstd?$/i, command: 'zstd -dc', unpack: unzstd };

const COMPRESSIONS: readonly Compression[] = [
  { name: 'gzip', ending: /\.gz$/i, magic: [0x1f, 0x8b, 8], command: 'gzip -dc', unpack: gunzip },
  { name: 'bzip2', ending: /\.bz2$/i, magic: [0x42, 0x5a, 0x68], command: 'bzip2 -dc', unpack: bunzip2 },
  { name: 'xz', ending: /\.xz$/i, magic: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], command: 'xz -dc', unpack: unxz },
  { ...ZSTD, magic: [0x28, 0xb5, 0x2f, 0xfd] },
  // What is compressed by several threads may begin with a frame that is to be skipped.
  { ...ZSTD, magic: [0x50, 0x2a, 0x4d, 0x18] },
];

/** Kinds that are not read here, and what writes out their contents. */
const OTHERS: readonly {
  readonly name: string;
  readonly magic: readonly number[];
  readonly command: string;
}[] = [
  { name: 'zip', magic: [0x50, 0x4b, 3, 4], command: 'unzip -p' },
  { name: '7z', magic: [0x37, 0x7a, 0xbc, 0xaf], command: '7z x -so' },
  { name: 'lz4', magic: [4, 0x22, 0x4d, 0x18], command: 'lz4 -dc' },
  { name: 'lzip', magic: [0x4c, 0x5a, 0x49, 0x50], command: 'lzip -dc' },
  { name: 'lzma', magic: [0x5d, 0, 0], command: 'xz -dc' },
  { name: 'compress', magic: [0x1f, 0x9d], command: 'zcat' },
];

/** Bytes that tell every kind. */
const HEAD_BYTES = 6;
/** What is packed may unpack to so many bytes whatever its size, and else to so many times its size. */
const UNPACKED_BYTES = 1 << 26;
const UNPACKED_RATIO = 200;

/**
 * The bytes themselves, or what they unpack to.
 * @throws DamagedLog when they do not unpack to their end; InputError when they unpack to far more than a log does, are of
 * a kind that is not read, or not of that which the name of the file says.
 */
export async function* unpack(source: string, packed: Bytes): Bytes {
  let taken = 0;
  const start = await firstBytes(packed);
  const starts = ({ magic }: Pick<Compression, 'magic'>) => magic.every((byte, at) => start[at] === byte);
  const compression = COMPRESSIONS.find(starts);
  const other = OTHERS.find(starts);
  if (compression === undefined && other !== undefined) throw notRead(source, other.name, other.command);
  const named = COMPRESSIONS.find(({ ending }) => ending.test(source));
  if (named !== undefined && compression?.name !== named.name && start.length > 0)
    throw misnamed(source, named);
  const counted = counting(prepend(start, packed), (bytes) => {
    taken += bytes;
  });
  if (compression === undefined) {
    yield* counted;
    return;
  }
  let unpacked = 0;
  for await (const chunk of unpackBy(compression, source, counted)) {
    unpacked += chunk.length;
    if (unpacked > UNPACKED_BYTES && unpacked > UNPACKED_RATIO * taken) throw tooLarge(source);
    yield chunk;
  }
}

async function firstBytes(packed: Bytes): Promise<Uint8Array> {
  const head: Uint8Array[] = [];
  let bytes = 0;
  while (bytes < HEAD_BYTES) {
    const next = await packed.next();
    if (next.done) break;
    head.push(next.value);
    bytes += next.value.length;
  }
  return Buffer.concat(head);
}

async function* prepend(start: Uint8Array, rest: Bytes): Bytes {
  if (start.length > 0) yield start;
  yield* rest;
}

async function* counting(packed: Bytes, count: (bytes: number) => void): Bytes {
  for await (const chunk of packed) {
    count(chunk.length);
    yield chunk;
  }
}

/** Errors of unpacking are told from those of reading, which come through it. */
async function* unpackBy({ name, command, unpack }: Compression, source: string, packed: Bytes): Bytes {
  let readFault: { readonly error: unknown } | undefined;
  const watched = (async function* () {
    try {
      yield* packed;
    } catch (error) {
      readFault = { error };
      throw error;
    }
  })();
  try {
    yield* unpack(watched);
  } catch (error) {
    if (readFault !== undefined) throw readFault.error;
    const { code, message } = error as NodeJS.ErrnoException;
    const fault =
      code === 'Z_BUF_ERROR'
        ? `ends before its ${name} data does`
        : `holds damaged or incomplete ${name} data (${escapeText(message)})`;
    // The libraries do not read every kind that there is, nor do they tell.
    const other = name === 'gzip' ? '' : `, or see what \`${command} ${sourceWord(source)}\` says`;
    throw new DamagedLog(`${sourceName(source)} ${fault}; fetch or compress it again${other}`);
  }
}

async function* gunzip(packed: Bytes): Bytes {
  const stream = createGunzip({ chunkSize: UNPACKED_CHUNK });
  // An error of the packed side reaches the loop below through the stream.
  pipeline(packed, stream, () => {});
  for await (const chunk of stream) yield chunk as Uint8Array;
}

async function* bunzip2(packed: Bytes): Bytes {
  const { unpackBzip2 } = await import('./bunzip2.js');
  yield* unpackBzip2(packed);
}

async function* unxz(packed: Bytes): Bytes {
  // CommonJS, of which loaders make a module in different ways.
  const module: typeof import('xz-decompress') & { readonly default?: typeof import('xz-decompress') } =
    await import('xz-decompress');
  const { XzReadableStream } = module.default ?? module;
  yield* new XzReadableStream(webStream(packed));
}

async function* unzstd(packed: Bytes): Bytes {
  const { unpackZstd } = await import('./zstd.js');
  yield* unpackZstd(packed);
}

/** The stream that libraries for browsers take. */
function webStream(packed: Bytes): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await packed.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await packed.return(undefined);
    },
  });
}

function notRead(source: string, name: string, command: string): InputError {
  return new InputError(
    `${sourceName(source)} holds ${name} data, which gridalloc does not unpack; give what \`${command} ${sourceWord(source)}\` prints as standard input (-)`,
  );
}

function misnamed(source: string, { name }: Compression): InputError {
  const ending = source.slice(source.lastIndexOf('.'));
  return new InputError(
    `${sourceName(source)} is named ${ending} but holds no ${name} data; rename it if it is plain text, or fetch it again`,
  );
}

function tooLarge(source: string): InputError {
  return new InputError(
    `${sourceName(source)} unpacks to more than ${UNPACKED_RATIO} times its size, as no job log does; if it is one, unpack it first`,
  );
}
