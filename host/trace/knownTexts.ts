/** Parts of lines that are read byte by byte: texts that come again and again, and pairs of digits. */
import { latin1Text } from '../format/text.js';

const ZERO = 48;

/** Two digits as a number; far below 0 for others. */
export function pairAt(bytes: Uint8Array, at: number): number {
  const tens = bytes[at]! - ZERO;
  const ones = bytes[at + 1]! - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? 10 * tens + ones : -1e6;
}

/** Values of texts that come again and again, found by their bytes. */
export class KnownTexts {
  readonly #make: (text: string) => number;
  readonly #makeOther: (text: string) => number;
  /** Places of texts by hash; 0: none. */
  #slots = new Int32Array(64);
  #bytes = new Uint8Array(1024);
  /** Where text k ends, and text k + 1 begins. */
  readonly #ends: number[] = [0];
  readonly #values: number[] = [];
  readonly #others: number[] = [];
  readonly #hashes: number[] = [];
  #last = 0;

  /** @param makeOther makes another value of the same text. */
  constructor(make: (text: string) => number, makeOther: (text: string) => number = () => -1) {
    this.#make = make;
    this.#makeOther = makeOther;
  }

  /** The other value of the text that was found last. */
  lastOther(): number {
    return this.#others[this.#last]!;
  }

  valueOf(bytes: Uint8Array, from: number, end: number, hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (let text = this.#slots[slot]!; text !== 0; text = this.#slots[slot]!) {
      if (this.#hashes[text - 1] === hash && this.#isText(text - 1, bytes, from, end)) {
        this.#last = text - 1;
        return this.#values[text - 1]!;
      }
      slot = (slot + 1) & mask;
    }
    return this.#add(hash, bytes.subarray(from, end));
  }

  #isText(text: number, bytes: Uint8Array, from: number, end: number): boolean {
    const known = this.#bytes;
    const start = this.#ends[text]!;
    const length = end - from;
    if (this.#ends[text + 1]! - start !== length) return false;
    for (let i = 0; i < length; i++) if (known[start + i] !== bytes[from + i]) return false;
    return true;
  }

  #add(hash: number, text: Uint8Array): number {
    const start = this.#ends.at(-1) as number;
    if (start + text.length > this.#bytes.length) {
      const larger = new Uint8Array(2 * (start + text.length));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes.set(text, start);
    this.#ends.push(start + text.length);
    this.#hashes.push(hash);
    const letters = latin1Text(text);
    const value = this.#make(letters);
    this.#last = this.#values.push(value) - 1;
    this.#others.push(this.#makeOther(letters));
    if (2 * this.#values.length > this.#slots.length) this.#slots = new Int32Array(4 * this.#slots.length);
    else {
      this.#place(this.#values.length);
      return value;
    }
    for (let each = 1; each <= this.#values.length; each++) this.#place(each);
    return value;
  }

  #place(text: number): void {
    const hash = this.#hashes[text - 1]!;
    const mask = this.#slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = text;
  }
}
