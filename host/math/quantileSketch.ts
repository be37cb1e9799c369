/**
 * Sketch of many nonnegative numbers, from which percentiles are read with a bounded relative error. Numbers are
 * counted in buckets: all doubles with the same exponent and the same leading bits of the fraction.
 */

/** Leading bits of the fraction that numbers of one bucket share. */
const FRACTION_BITS = 11;
/** Bits of the upper half of a double that do not distinguish buckets. */
const DROPPED_BITS = 20 - FRACTION_BITS;

/** A percentile of a sketch is at most this share of its value below the exact one, and never above it. */
export const SKETCH_RELATIVE_ERROR = 2 ** -FRACTION_BITS;

const double = new Float64Array(1);
const halves = new Uint32Array(double.buffer);
/** Index of the half with the exponent. */
const UPPER = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? 1 : 0;

/** Bucket of a nonnegative number; buckets ascend with numbers. */
function bucketOf(sampleValue: number): number {
  double[0] = sampleValue;
  return halves[UPPER]! >>> DROPPED_BITS;
}

/** Smallest number of a bucket. */
function smallestOfBucket(bucket: number): number {
  halves[UPPER] = bucket << DROPPED_BITS;
  halves[1 - UPPER] = 0;
  return double[0]!;
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
      const bucket = bucketOf(sampleValue);
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
  valueAt(rank: number): number {
    let remainingRank = rank;
    for (let i = 0; i < this.#counts.length; i++) {
      remainingRank -= this.#counts[i]!;
      if (remainingRank < 0) return smallestOfBucket(this.#first + i);
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
