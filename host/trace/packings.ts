/** Compression formats, detected by their first bytes, and the messages about those that cannot be read. */
import { InputError } from '../errors.js';
import { formatSourceAsShellWord, makePrintableSourceName } from '../format/text.js';

/** A compression format that cannot be read. */
interface UnreadableCompression {
  readonly name: string;
  /** First bytes of a file in this format. */
  readonly magic: readonly number[];
  /** Command that decompresses such a file to standard output. */
  readonly command: string;
}

/** A compression format. */
export interface CompressionFormat extends UnreadableCompression {
  readonly name: 'gzip' | 'bzip2' | 'xz' | 'zstd';
  /** Pattern of file name extensions. */
  readonly ending: RegExp;
}

const ZSTD_COMPRESSION = { name: 'zstd', ending: /\.zstd?$/i, command: 'zstd -dc' } as const;

/** Compression formats that can be read. */
const COMPRESSION_FORMATS: readonly CompressionFormat[] = [
  { name: 'gzip', ending: /\.gz$/i, magic: [0x1f, 0x8b, 8], command: 'gzip -dc' },
  { name: 'bzip2', ending: /\.bz2$/i, magic: [0x42, 0x5a, 0x68], command: 'bzip2 -dc' },
  { name: 'xz', ending: /\.xz$/i, magic: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], command: 'xz -dc' },
  { ...ZSTD_COMPRESSION, magic: [0x28, 0xb5, 0x2f, 0xfd] },
  // Data compressed by several threads may begin with a skippable frame.
  { ...ZSTD_COMPRESSION, magic: [0x50, 0x2a, 0x4d, 0x18] },
];

/** Compression formats that cannot be read. */
const UNREADABLE_COMPRESSIONS: readonly UnreadableCompression[] = [
  { name: 'zip', magic: [0x50, 0x4b, 3, 4], command: 'unzip -p' },
  { name: '7z', magic: [0x37, 0x7a, 0xbc, 0xaf], command: '7z x -so' },
  { name: 'lz4', magic: [4, 0x22, 0x4d, 0x18], command: 'lz4 -dc' },
  { name: 'lzip', magic: [0x4c, 0x5a, 0x49, 0x50], command: 'lzip -dc' },
  { name: 'lzma', magic: [0x5d, 0, 0], command: 'xz -dc' },
  { name: 'compress', magic: [0x1f, 0x9d], command: 'zcat' },
];

/** Number of leading bytes needed to detect any format. */
export const COMPRESSION_DETECTION_BYTE_COUNT = 6;

/**
 * Detects the compression format; undefined if the data is not compressed.
 * @throws InputError for a format that cannot be read, or one that contradicts the file name extension.
 */
export function detectCompressionFormat(
  source: string,
  firstBytes: Uint8Array,
): CompressionFormat | undefined {
  const startsWithMagicBytes = ({ magic }: UnreadableCompression) =>
    magic.every((byte, at) => firstBytes[at] === byte);
  const detectedCompression = COMPRESSION_FORMATS.find(startsWithMagicBytes);
  const unreadableCompression = UNREADABLE_COMPRESSIONS.find(startsWithMagicBytes);
  if (detectedCompression === undefined && unreadableCompression !== undefined) {
    throw new InputError(
      `${makePrintableSourceName(source)} holds ${unreadableCompression.name} data, which gridalloc does not unpack; give what \`${unreadableCompression.command} ${formatSourceAsShellWord(source)}\` prints as standard input (-)`,
    );
  }
  const compressionByFileName = COMPRESSION_FORMATS.find(({ ending }) => ending.test(source));
  if (
    compressionByFileName !== undefined &&
    detectedCompression?.name !== compressionByFileName.name &&
    firstBytes.length > 0
  ) {
    const ending = source.slice(source.lastIndexOf('.'));
    throw new InputError(
      `${makePrintableSourceName(source)} is named ${ending} but holds no ${compressionByFileName.name} data; rename it if it is plain text, or fetch it again`,
    );
  }
  return detectedCompression;
}

/**
 * Limits on the unpacked size: up to this many bytes are always accepted; larger data may have at most this
 * ratio to the packed size.
 */
const MAX_UNCHECKED_UNPACKED_BYTES = 1 << 26;
const MAX_UNPACKED_RATIO = 200;

/**
 * Checks the unpacked size during decompression.
 * @param unpackedByteCount bytes unpacked so far.
 * @throws InputError if the unpacked data is far larger than a log can be.
 */
export function checkUnpackedSize(source: string, unpackedByteCount: number, packed: number): void {
  if (unpackedByteCount <= MAX_UNCHECKED_UNPACKED_BYTES || unpackedByteCount <= MAX_UNPACKED_RATIO * packed)
    return;
  throw new InputError(
    `${makePrintableSourceName(source)} unpacks to more than ${MAX_UNPACKED_RATIO} times its size, as no job log does; if it is one, unpack it first`,
  );
}
