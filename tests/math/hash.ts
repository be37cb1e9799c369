import { createHash } from 'node:crypto';

/** First digits of the SHA-256 hash of the bytes of doubles. */
export function hashOfNumbers(hashedValues: readonly number[]): string {
  const view = new DataView(new ArrayBuffer(8 * hashedValues.length));
  hashedValues.forEach((value, i) => {
    view.setFloat64(8 * i, value, true);
  });
  return createHash('sha256').update(new Uint8Array(view.buffer)).digest('hex').slice(0, 16);
}
