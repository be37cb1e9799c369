/** Unpacks dropped files; error messages are those of the command line. */
import { InputError } from '../../host/errors.js';
import { formatSourceAsShellWord, makePrintableSourceName } from '../../host/format/text.js';
import {
  COMPRESSION_DETECTION_BYTE_COUNT,
  checkUnpackedSize,
  detectCompressionFormat,
} from '../../host/trace/packings.js';
import { UserFacingError } from './client.js';

const FETCH_LOG_AGAIN_ADVICE = 'fetch or compress it again';

/** Returns the bytes of a file, decompressed if it is gzip. Other compressions need the command line. */
export async function unpackFile(file: File): Promise<ArrayBuffer> {
  const printableName = makePrintableSourceName(file.name);
  const detectedCompression = detectCompressionFormat(
    file.name,
    new Uint8Array(await file.slice(0, COMPRESSION_DETECTION_BYTE_COUNT).arrayBuffer()),
  );
  if (detectedCompression === undefined) return file.arrayBuffer();
  if (detectedCompression.name !== 'gzip') {
    const shellWord = formatSourceAsShellWord(file.name);
    throw new UserFacingError(
      `${printableName} holds ${detectedCompression.name} data, which this page does not unpack; \`gridalloc explore ${shellWord}\` does, or drop what \`${detectedCompression.command} ${shellWord}\` prints`,
      true,
    );
  }
  let packedBytes = 0;
  let bytes = 0;
  const packedByteCounter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      packedBytes += chunk.length;
      controller.enqueue(chunk);
    },
  });
  // Reads piece by piece, because a Response does not report the cause of an error.
  const reader = file
    .stream()
    .pipeThrough(packedByteCounter)
    .pipeThrough(new DecompressionStream('gzip'))
    .getReader();
  const chunks: Uint8Array[] = [];
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      chunks.push(read.value);
      bytes += read.value.length;
      checkUnpackedSize(file.name, bytes, packedBytes);
    }
  } catch (error) {
    void reader.cancel().catch(() => {});
    if (error instanceof InputError) throw new UserFacingError(error.message, true);
    const isTruncated = /truncat/i.test(String(error));
    const fault = isTruncated ? 'ends before its gzip data does' : 'holds damaged or incomplete gzip data';
    throw new UserFacingError(`${printableName} ${fault}; ${FETCH_LOG_AGAIN_ADVICE}`, true);
  }
  const unpackedBytes = new Uint8Array(bytes);
  let filledByteCount = 0;
  for (const chunk of chunks) {
    unpackedBytes.set(chunk, filledByteCount);
    filledByteCount += chunk.length;
  }
  return unpackedBytes.buffer;
}
