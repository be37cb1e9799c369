/**
 * Event loop and allocators in plain JavaScript with typed arrays, with the structure of the core: the speed
 * that a careful program reaches without WebAssembly. `ai` and `tai` count the prefix of the queue.
 */
import type { Workload } from '../host/workload/workload.js';
import type { BenchRun, ScheduleColumns } from './runs.js';

class RunningJobsByFinish {
  readonly #time: Float64Array;
  readonly #job: Int32Array;
  running = 0;

  constructor(capacity: number) {
    this.#time = new Float64Array(capacity + 1);
    this.#job = new Int32Array(capacity + 1);
  }
  reset(): void {
    this.running = 0;
    this.#time[0] = Number.POSITIVE_INFINITY;
  }
  get soonest(): number {
    return this.#time[this.running];
  }
  pop(): number {
    return this.#job[this.running--];
  }
  push(time: number, job: number): void {
    const times = this.#time;
    const jobs = this.#job;
    let entry = ++this.running;
    for (; entry > 1; entry--) {
      const earlierTime = times[entry - 1];
      if (!(earlierTime < time || (earlierTime === time && jobs[entry - 1] < job))) break;
      times[entry] = earlierTime;
      jobs[entry] = jobs[entry - 1];
    }
    times[entry] = time;
    jobs[entry] = job;
  }
}

/** Simulation whose slots are the sites from the fastest to the slowest. */
export class JavaScriptSimulation {
  readonly #jobs: Workload;
  readonly #demand: Float64Array;
  readonly columns: ScheduleColumns;
  #run!: BenchRun;
  #finishes!: RunningJobsByFinish;
  #siteOf = new Int32Array(0);
  #slotOf = new Int32Array(0);
  #free = new Int32Array(0);
  #hypotheticalFree = new Int32Array(0);
  #heterogeneity = 0;
  #freeProcessors = 0;
  #now = 0;
  #head = 0;
  #next = 0;
  #newcomer = -1;
  #draws = 0n;

  constructor(jobs: Workload) {
    this.#jobs = jobs;
    this.#demand = new Float64Array(jobs.count + 1);
    for (let i = 0; i < jobs.count; i++) this.#demand[i + 1] = this.#demand[i] + jobs.processors[i];
    this.columns = {
      start: new Float64Array(jobs.count),
      execution: new Float64Array(jobs.count),
      site: new Int32Array(jobs.count),
    };
  }

  begin(run: BenchRun): void {
    const { capacities, speeds } = run;
    const total = capacities.reduce((sum, capacity) => sum + capacity, 0);
    const order = speeds.map((_, site) => site).sort((a, b) => speeds[b] - speeds[a] || a - b);
    this.#run = run;
    this.#finishes = new RunningJobsByFinish(Math.min(total, this.#jobs.count));
    this.#finishes.reset();
    this.#siteOf = Int32Array.from(order);
    this.#slotOf = Int32Array.from(speeds, (_, site) => order.indexOf(site));
    this.#free = Int32Array.from(order, (site) => capacities[site]);
    this.#hypotheticalFree = new Int32Array(order.length);
    const mean = speeds.reduce((sum, speed) => sum + speed, 0) / speeds.length;
    this.#heterogeneity =
      speeds.reduce((sum, speed) => sum + (speed - mean) * (speed - mean), 0) / speeds.length;
    this.#freeProcessors = total;
    this.#now = this.#head = this.#next = 0;
    this.#newcomer = -1;
    this.#draws = 0n;
  }

  run(): void {
    const { submit, count: jobCount } = this.#jobs;
    for (;;) {
      const submitTime = this.#next < jobCount ? submit[this.#next] : Number.POSITIVE_INFINITY;
      const finishTime = this.#finishes.soonest;
      const waitingJobCount = this.#next - this.#head;
      if (submitTime <= finishTime) {
        if (submitTime === Number.POSITIVE_INFINITY) return;
        this.#now = submitTime;
        const job = this.#next++;
        if (waitingJobCount > 0) continue;
        this.#newcomer = job;
      } else {
        this.#now = finishTime;
        this.#release(this.#finishes.pop());
        if (waitingJobCount === 0) continue;
      }
      this.#pass();
    }
  }

  #pass(): void {
    while (this.#head < this.#next) {
      const slot = this.#choose(this.#head);
      if (slot < 0) break;
      this.#commit(this.#head++, slot);
    }
    this.#newcomer = -1;
  }

  #commit(job: number, slot: number): void {
    const { processors, runtime } = this.#jobs;
    const site = this.#siteOf[slot];
    const execution = Math.floor((runtime[job] * this.#run.load) / this.#run.speeds[site] + 0.5);
    this.#free[slot] -= processors[job];
    this.#freeProcessors -= processors[job];
    this.columns.start[job] = this.#now;
    this.columns.execution[job] = execution;
    this.columns.site[job] = site;
    this.#finishes.push(this.#now + execution, job);
  }

  #release(job: number): void {
    this.#free[this.#slotOf[this.columns.site[job]]] += this.#jobs.processors[job];
    this.#freeProcessors += this.#jobs.processors[job];
  }

  /** Slot with the fewest free processors that fits the job; -1 if none. */
  #tightest(freeProcessorsBySlot: Int32Array, processors: number): number {
    let tightestSlot = -1;
    let leastFreeProcessors = Number.POSITIVE_INFINITY;
    for (let slot = 0; slot < freeProcessorsBySlot.length; slot++) {
      const freeProcessors = freeProcessorsBySlot[slot];
      if (freeProcessors < processors) continue;
      if (
        freeProcessors < leastFreeProcessors ||
        (freeProcessors === leastFreeProcessors && this.#siteOf[slot] < this.#siteOf[tightestSlot])
      ) {
        leastFreeProcessors = freeProcessors;
        tightestSlot = slot;
      }
    }
    return tightestSlot;
  }

  #fastest(processors: number): number {
    return this.#free.findIndex((freeProcessors) => freeProcessors >= processors);
  }

  #choose(job: number): number {
    const freeProcessorsBySlot = this.#free;
    const processors = this.#jobs.processors[job];
    switch (this.#run.policy) {
      case 'best-fit':
        return this.#tightest(freeProcessorsBySlot, processors);
      case 'fastest-first':
        return this.#fastest(processors);
      case 'first-fit':
        return this.#slotOf.find((slot) => freeProcessorsBySlot[slot] >= processors) ?? -1;
      case 'worst-fit':
        return this.#roomiest(processors);
      case 'random':
        return this.#anywhere(processors);
      default:
        return this.#compare(job, processors);
    }
  }

  #roomiest(processors: number): number {
    let bestSlot = -1;
    for (const slot of this.#slotOf) {
      if (this.#free[slot] >= processors && (bestSlot < 0 || this.#free[slot] > this.#free[bestSlot]))
        bestSlot = slot;
    }
    return bestSlot;
  }

  #anywhere(processors: number): number {
    const feasibleSlots = [...this.#slotOf].filter((slot) => this.#free[slot] >= processors);
    if (feasibleSlots.length === 0) return -1;
    const mask64 = (1n << 64n) - 1n;
    this.#draws++;
    let randomStateBits = (BigInt(this.#run.parameters[0]) + this.#draws * 0x9e3779b97f4a7c15n) & mask64;
    randomStateBits = ((randomStateBits ^ (randomStateBits >> 30n)) * 0xbf58476d1ce4e5b9n) & mask64;
    randomStateBits = ((randomStateBits ^ (randomStateBits >> 27n)) * 0x94d049bb133111ebn) & mask64;
    randomStateBits ^= randomStateBits >> 31n;
    return feasibleSlots[Number(((randomStateBits >> 32n) * BigInt(feasibleSlots.length)) >> 32n)];
  }

  #compare(job: number, processors: number): number {
    const bestFitSite = this.#tightest(this.#free, processors);
    if (bestFitSite < 0) return -1;
    const fastestSite = this.#fastest(processors);
    return bestFitSite === fastestSite || !this.#prefersFastest(job, bestFitSite, fastestSite)
      ? bestFitSite
      : fastestSite;
  }

  #prefersFastest(job: number, bestFit: number, fastest: number): boolean {
    const { policy, parameters } = this.#run;
    const isNewcomer = this.#newcomer === job;
    const isHeterogeneityHigh = this.#heterogeneity > parameters[0];
    if (policy === 'si') return isNewcomer;
    if (policy === 'ti') return isNewcomer ? isHeterogeneityHigh : !this.#loadIsHigh();
    if (policy === 'tai' || policy === 'tai2') {
      if (isHeterogeneityHigh !== (!isNewcomer && this.#loadIsHigh())) return isHeterogeneityHigh;
    }
    const bestFitSpeed = this.#run.speeds[this.#siteOf[bestFit]];
    const fastestSpeed = this.#run.speeds[this.#siteOf[fastest]];
    if (isNewcomer) return bestFitSpeed < fastestSpeed;
    if (policy === 'ai' || policy === 'tai') {
      const difference = this.#lookAhead(job, bestFit, true) - this.#lookAhead(job, fastest, true);
      return fastestSpeed - bestFitSpeed - difference * bestFitSpeed >= 0;
    }
    return (
      fastestSpeed * this.#lookAhead(job, fastest, false) >
      bestFitSpeed * this.#lookAhead(job, bestFit, false)
    );
  }

  #loadIsHigh(): boolean {
    const demand = this.#demand[this.#next] - this.#demand[this.#head];
    return demand > this.#run.parameters[1] * Math.max(1, this.#freeProcessors);
  }

  #lookAhead(job: number, slot: number, countsJobs: boolean): number {
    const { processors } = this.#jobs;
    const hypotheticalFreeBySlot = this.#hypotheticalFree;
    hypotheticalFreeBySlot.set(this.#free);
    hypotheticalFreeBySlot[slot] -= processors[job];
    let score = countsJobs ? 1 : this.#run.speeds[this.#siteOf[slot]] * processors[job];
    for (let followingJob = job + 1; followingJob < this.#next; followingJob++) {
      const slot = this.#tightest(hypotheticalFreeBySlot, processors[followingJob]);
      if (slot < 0) break;
      hypotheticalFreeBySlot[slot] -= processors[followingJob];
      score += countsJobs ? 1 : this.#run.speeds[this.#siteOf[slot]] * processors[followingJob];
    }
    return score;
  }
}
