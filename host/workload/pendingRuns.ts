/** Runs of generated jobs that are not submitted yet, by submit time. */

/** A run of a generated job: times in seconds. */
interface PendingRun {
  readonly submit: number;
  readonly runtime: number;
  readonly processors: number;
  /** Number of the run in the order of generation. */
  readonly order: number;
}

/** True if a run is submitted before another, or at the same time and generated before it. */
const isRunEarlier = (runA: PendingRun, runB: PendingRun) =>
  runA.submit < runB.submit || (runA.submit === runB.submit && runA.order < runB.order);

/** Runs to be submitted, in a binary heap whose first entry has the earliest submit time. */
export class PendingRuns {
  readonly #heap: PendingRun[] = [];
  #count = 0;

  /** Earliest submit time of the runs in seconds; +infinity if there are none. */
  get earliestSubmit(): number {
    return this.#heap[0]?.submit ?? Number.POSITIVE_INFINITY;
  }

  /** Adds a run; of runs with the same submit time, the one added first comes first. */
  add(submit: number, runtime: number, processors: number): void {
    const heap = this.#heap;
    const pendingRun = { submit, runtime, processors, order: this.#count++ };
    let heapIndex = heap.length;
    for (; heapIndex > 0; ) {
      const parent = (heapIndex - 1) >> 1;
      if (!isRunEarlier(pendingRun, heap[parent]!)) break;
      heap[heapIndex] = heap[parent]!;
      heapIndex = parent;
    }
    heap[heapIndex] = pendingRun;
  }

  /** Removes and returns the run that is submitted first. */
  takeEarliest(): PendingRun {
    const heap = this.#heap;
    const [earliest] = heap;
    const lastRun = heap.pop();
    if (earliest === undefined || lastRun === undefined) throw new Error('no run is pending');
    if (heap.length === 0) return earliest;
    let heapIndex = 0;
    for (;;) {
      let child = 2 * heapIndex + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isRunEarlier(heap[child + 1]!, heap[child]!)) child++;
      if (!isRunEarlier(heap[child]!, lastRun)) break;
      heap[heapIndex] = heap[child]!;
      heapIndex = child;
    }
    heap[heapIndex] = lastRun;
    return earliest;
  }
}
