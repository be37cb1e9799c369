/**
 * Sketch of many nonnegative numbers, from which percentiles are read with a bounded relative error. Numbers are
 * counted in buckets: all doubles with the same exponent and the same leading bits of the fraction.
 */

/** Leading bits of the fraction that numbers of one bucket share. */
const KEPT_FRACTION_BIT_COUNT = 11;
/** Bits of the upper half of a double that do not distinguish buckets. */
const DROPPED_BIT_COUNT = 20 - KEPT_FRACTION_BIT_COUNT;

/** A percentile of a sketch is at most this share of its value below the exact one, and never above it. */
export const SKETCH_RELATIVE_ERROR = 2 ** -KEPT_FRACTION_BIT_COUNT;

const doubleOfWords = new Float64Array(1);
const wordsOfDouble = new Uint32Array(doubleOfWords.buffer);
/** Index of the half with the exponent. */
const HIGH_WORD_INDEX = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? 1 : 0;

/** Bucket of a nonnegative number; buckets ascend with numbers. */
function computeBucketOfValue(sampleValue: number): number {
  doubleOfWords[0] = sampleValue;
  return wordsOfDouble[HIGH_WORD_INDEX]! >>> DROPPED_BIT_COUNT;
}

/** Smallest number of a bucket. */
function computeSmallestValueOfBucket(bucket: number): number {
  wordsOfDouble[HIGH_WORD_INDEX] = bucket << DROPPED_BIT_COUNT;
  wordsOfDouble[1 - HIGH_WORD_INDEX] = 0;
  return doubleOfWords[0]!;
}

/** Counts of numbers by bucket; memory grows with the range of the numbers, not with their count. */
export class QuantileSketch {
  /** Counts of the buckets from `#first` on. */
  #counts = new Float64Array(0);
  #first = 0;
  #largest = 0;
  count = 0;

  /** Adds nonnegative numbers. */
  add(sampleValues: Float64Array): void {
    for (let i = 0; i < sampleValues.length; i++) {
      const sampleValue = sampleValues[i]!;
      const bucket = computeBucketOfValue(sampleValue);
      if (bucket < this.#first || bucket >= this.#first + this.#counts.length) this.#extend(bucket);
      this.#counts[bucket - this.#first]!++;
      if (sampleValue > this.#largest) this.#largest = sampleValue;
    }
    this.count += sampleValues.length;
  }

  /** Exact maximum; 0 without numbers. */
  get largest(): number {
    return this.#largest;
  }

  /** Number at a rank, from 0, in ascending order: the smallest number of its bucket. */
  valueAtRank(rank: number): number {
    let remainingRank = rank;
    for (let i = 0; i < this.#counts.length; i++) {
      remainingRank -= this.#counts[i]!;
      if (remainingRank < 0) return computeSmallestValueOfBucket(this.#first + i);
    }
    return this.#largest;
  }

  /** Makes room for a bucket, and for as many again in its direction. */
  #extend(bucket: number): void {
    const bucketCount = this.#counts.length;
    const [first, end] =
      bucketCount === 0
        ? [bucket, bucket + 1]
        : [Math.min(this.#first, bucket), Math.max(this.#first + bucketCount, bucket + 1)];
    const from = first < this.#first ? Math.max(0, first - (end - first)) : first;
    const bucketCounts = new Float64Array(2 * (end - from));
    bucketCounts.set(this.#counts, bucketCount === 0 ? 0 : this.#first - from);
    this.#first = from;
    this.#counts = bucketCounts;
  }
}
