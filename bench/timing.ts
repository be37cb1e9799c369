/** Least nanoseconds that some work takes among so many repeats. */
export function least(repeats: number, work: () => void): number {
  let nanoseconds = Number.POSITIVE_INFINITY;
  for (let i = 0; i < repeats; i++) {
    const began = process.hrtime.bigint();
    work();
    nanoseconds = Math.min(nanoseconds, Number(process.hrtime.bigint() - began));
  }
  return nanoseconds;
}
