/** Nanoseconds of processor time that this process has used, all its threads together: others on the machine do not count. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1000;
}

/** Least nanoseconds of processor time that some work takes among so many repeats. */
export function least(repeats: number, work: () => void): number {
  let nanoseconds = Number.POSITIVE_INFINITY;
  for (let i = 0; i < repeats; i++) {
    const began = processorTime();
    work();
    nanoseconds = Math.min(nanoseconds, processorTime() - began);
  }
  return nanoseconds;
}
