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
const isEarlier = (one: PendingRun, other: PendingRun) =>
  one.submit < other.submit || (one.submit === other.submit && one.order < other.order);

/** Runs in a binary heap whose first entry is the earliest. */
export class PendingRuns {
  readonly #heap: PendingRun[] = [];
  #count = 0;

  /** Submit time of the earliest run in seconds; +infinity if there is none. */
  get earliestSubmit(): number {
    return this.#heap[0]?.submit ?? Number.POSITIVE_INFINITY;
  }

  /** Adds a run behind all earlier ones with its submit time. */
  add(submit: number, runtime: number, processors: number): void {
    const heap = this.#heap;
    const run = { submit, runtime, processors, order: this.#count++ };
    let place = heap.length;
    for (; place > 0; ) {
      const parent = (place - 1) >> 1;
      if (!isEarlier(run, heap[parent]!)) break;
      heap[place] = heap[parent]!;
      place = parent;
    }
    heap[place] = run;
  }

  /** Removes and returns the earliest run. */
  takeEarliest(): PendingRun {
    const heap = this.#heap;
    const [earliest] = heap;
    const last = heap.pop();
    if (earliest === undefined || last === undefined) throw new Error('no run is pending');
    if (heap.length === 0) return earliest;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isEarlier(heap[child + 1]!, heap[child]!)) child++;
      if (!isEarlier(heap[child]!, last)) break;
      heap[place] = heap[child]!;
      place = child;
    }
    heap[place] = last;
    return earliest;
  }
}
