/** Files as they were dropped, unpacked where they are packed; what is wrong is said as on the command line. */
import { sourceName } from '../../host/trace/quote.js';
import { Fault } from './client.js';

const GZIP = [0x1f, 0x8b];
const AGAIN = 'fetch or compress it again';

/** The bytes of a file, unpacked from gzip. Other packings take the command line. */
export async function unpacked(file: File): Promise<ArrayBuffer> {
  const name = sourceName(file.name);
  const head = new Uint8Array(await file.slice(0, GZIP.length).arrayBuffer());
  if (!GZIP.every((byte, i) => head[i] === byte)) {
    if (!file.name.endsWith('.gz')) return file.arrayBuffer();
    const sentence = 'is named .gz but holds no gzip data; rename it if it is plain text, or fetch it again';
    throw new Fault(`${name} ${sentence}`, true);
  }
  try {
    // By hand, since a response does not tell what was wrong.
    const reader = file.stream().pipeThrough(new DecompressionStream('gzip')).getReader();
    const chunks: BlobPart[] = [];
    for (let read = await reader.read(); !read.done; read = await reader.read()) chunks.push(read.value);
    return await new Blob(chunks).arrayBuffer();
  } catch (error) {
    const isCut = /truncat/i.test(String(error));
    const fault = isCut ? 'ends before its gzip data does' : 'holds damaged or incomplete gzip data';
    throw new Fault(`${name} ${fault}; ${AGAIN}`, true);
  }
}
