const wrapTo64Bits = (value: bigint) => BigInt.asUintN(64, value);

/**
 * The SplitMix64 generator (Steele, Lea and Flood 2014), with the integer seed as its initial
 * state.
 */
export class SplitMix64 {
  #state: bigint;

  constructor(seed: number) {
    this.#state = wrapTo64Bits(BigInt(seed));
  }

  /** The next 64 bits. */
  next(): bigint {
    this.#state = wrapTo64Bits(this.#state + 0x9e3779b97f4a7c15n);
    let z = this.#state;
    z = wrapTo64Bits((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
    z = wrapTo64Bits((z ^ (z >> 27n)) * 0x94d049bb133111ebn);
    return z ^ (z >> 31n);
  }

  /** The upper 53 bits of one draw as a number from [0, 1). */
  uniform(): number {
    return Number(this.next() >> 11n) * 2 ** -53;
  }

  /** A whole number from 0 to limit - 1: the upper 32 bits of one draw, scaled and truncated. */
  below(limit: number): number {
    return Number(((this.next() >> 32n) * BigInt(limit)) >> 32n);
  }
}
