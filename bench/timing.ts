/** Processor time used by all threads of this process, in nanoseconds; other processes do not count. */
function readProcessorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1000;
}

/** Shortest processor time of some work among `repetitionCount` repetitions, in nanoseconds. */
export function measureLeastTime(repetitionCount: number, action: () => void): number {
  let nanoseconds = Number.POSITIVE_INFINITY;
  for (let i = 0; i < repetitionCount; i++) {
    const startTime = readProcessorTime();
    action();
    nanoseconds = Math.min(nanoseconds, readProcessorTime() - startTime);
  }
  return nanoseconds;
}

/** Shortest time that each program reports over rounds in which they run alternately. */
export function measureLeastTimes(roundCount: number, programs: readonly (() => number)[]): number[] {
  const leastTimes = programs.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < roundCount; round++) {
    for (const [i, time] of programs.entries()) leastTimes[i] = Math.min(leastTimes[i], time());
  }
  return leastTimes;
}
