declare module '@openpgp/unbzip2-stream' {
  /** The bytes that bzip2 data of one or several streams unpack to. */
  export default function unbzip2(packed: ReadableStream<Uint8Array>): ReadableStream<Uint8Array>;
}
