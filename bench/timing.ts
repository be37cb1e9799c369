/** Processor time used by all threads of this process, in nanoseconds; other processes do not count. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1000;
}

/** Shortest processor time of some work among `repeats` repetitions, in nanoseconds. */
export function least(repeats: number, work: () => void): number {
  let nanoseconds = Number.POSITIVE_INFINITY;
  for (let i = 0; i < repeats; i++) {
    const began = processorTime();
    work();
    nanoseconds = Math.min(nanoseconds, processorTime() - began);
  }
  return nanoseconds;
}

/** Shortest time that each program reports over rounds in which they run alternately. */
export function leastOfEach(rounds: number, programs: readonly (() => number)[]): number[] {
  const best = programs.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round++) {
    for (const [i, time] of programs.entries()) best[i] = Math.min(best[i], time());
  }
  return best;
}
