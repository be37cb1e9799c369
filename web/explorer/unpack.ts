/** Files as they were dropped, unpacked where they are packed. */
import { Fault } from './client.js';

const GZIP = [0x1f, 0x8b];

/** The bytes of a file, unpacked from gzip. Other packings take the command line. */
export async function unpacked(file: Blob): Promise<ArrayBuffer> {
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (!GZIP.every((byte, i) => head[i] === byte)) return file.arrayBuffer();
  try {
    return await new Response(file.stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
  } catch {
    const name = file instanceof File ? file.name : 'the log';
    throw new Fault(`${name} is damaged: it does not unpack; get it again`, true);
  }
}
