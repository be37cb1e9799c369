/** The runs of a plan and its settings, in columns: a plan takes less memory than the results of its runs. */
import type { RunSettings } from '../options/configuration.js';
import type { Label } from './definition.js';
import { InternedColumn, NumberColumn, RecordTable } from './numberColumn.js';

/** What decides a simulation besides its jobs, in full: plain data, from which `runConfiguration` makes it again. */
export interface RunParameters extends Omit<RunSettings, 'policy' | 'order' | 'backfillOrder'> {
  readonly sites: readonly number[];
  readonly speeds: readonly number[];
  /** h of each site where it was given instead of its speed. */
  readonly timeFactors?: readonly number[] | undefined;
  readonly policy: string;
  readonly order: string;
  readonly backfillOrder: string;
  /** SHA-256 of each file with functions that it names, by name. */
  readonly code?: Readonly<Record<string, string>> | undefined;
}

/** One simulation. Settings that come to the same simulation share it. */
export interface PlannedRun {
  /** Hash of the core's binary, the jobs and the parameters: 16 hexadecimal digits. */
  readonly id: string;
  /** Which of the plan's workloads. */
  readonly workload: number;
  /** All that decides it besides its workload. */
  readonly parameters: RunParameters;
}

/** One setting: its labels in the order of the plan's axes, and its run. */
export interface Point {
  /** One per axis; null where its part has no such axis. */
  readonly labels: readonly (Label | null)[];
  /** Where its run stands. */
  readonly run: number;
}

/** What stands for the policy while the JSON around it is made; no policy is written so. */
const POLICY = '\u0000';

/** The JSON of parameters under any policy: what stands around it is made once for runs that have that in common. */
export function textByPolicy(parameters: RunParameters): (policy: string) => string {
  const [before, behind] = JSON.stringify({ ...parameters, policy: POLICY }).split(JSON.stringify(POLICY));
  return (policy) => before + JSON.stringify(policy) + behind;
}

const HALF = 8;
const FIRST_PLACES = 64;

/** The runs of a plan, in order; found by their ids too. */
export class RunTable implements Iterable<PlannedRun> {
  /** The digits of the ids, half by half. */
  readonly #high = new NumberColumn();
  readonly #low = new NumberColumn();
  readonly #workload = new NumberColumn();
  /** What runs that were added as alike have in common, with the policy of the first; which of these each run has. */
  readonly #common = new RecordTable<RunParameters>();
  readonly #commonOf = new NumberColumn();
  readonly #policy = new InternedColumn<string>();
  /** Hash table with open addressing, at most half full: 1 + the run whose id belongs there, or 0. */
  #places = new Uint32Array(FIRST_PLACES);

  /** A table of runs with different ids. */
  static of(runs: Iterable<PlannedRun>): RunTable {
    const table = new RunTable();
    for (const run of runs) table.add(run);
    table.seal();
    return table;
  }

  /** How many runs there are. */
  get length(): number {
    return this.#workload.length;
  }

  /** What names a run: a hash of all that decides its results. */
  id(run: number): string {
    return digitsOf(this.#high.at(run)) + digitsOf(this.#low.at(run));
  }

  /** Where its workload stands among those of the plan. */
  workload(run: number): number {
    return this.#workload.at(run);
  }

  /** All that decides a run besides its workload. */
  parameters(run: number): RunParameters {
    return { ...this.#common.at(this.#commonOf.at(run)), policy: this.#policy.at(run) };
  }

  /** One of the parameters of a run. */
  parameter<Name extends keyof RunParameters>(run: number, name: Name): RunParameters[Name] {
    const value = name === 'policy' ? this.#policy.at(run) : this.#common.field(this.#commonOf.at(run), name);
    return value as RunParameters[Name];
  }

  /** The JSON of each run, in order. */
  *texts(): Generator<string> {
    let common = -1;
    let text: (policy: string) => string = String;
    for (let run = 0; run < this.length; run++) {
      if (this.#commonOf.at(run) !== common) {
        common = this.#commonOf.at(run);
        text = textByPolicy(this.#common.at(common));
      }
      const parameters = text(this.#policy.at(run));
      yield `{"id":"${this.id(run)}","workload":${this.workload(run)},"parameters":${parameters}}`;
    }
  }

  /**
   * Which runs have the same jobs and differ in nothing but their policies, so that they begin as one: the number of the
   * group of each run. Groups are numbered in the order of their first runs.
   */
  histories(): Uint32Array {
    const alike = this.#common.groups('policy');
    const numbers = new Map<number, number>();
    return Uint32Array.from({ length: this.length }, (_, run) => {
      const key = this.workload(run) * alike.length + alike[this.#commonOf.at(run)];
      const known = numbers.get(key) ?? numbers.size;
      numbers.set(key, known);
      return known;
    });
  }

  *[Symbol.iterator](): Generator<PlannedRun> {
    for (let run = 0; run < this.length; run++) {
      yield { id: this.id(run), workload: this.workload(run), parameters: this.parameters(run) };
    }
  }

  /** The run with an id, or undefined. */
  find(id: string): number | undefined {
    const place = this.#places[this.#place(Number.parseInt(id.slice(0, HALF), 16), halfOf(id))];
    return place === 0 ? undefined : place - 1;
  }

  /** Adds a run whose id is not there yet, and returns where it stands. */
  add({ id, workload, parameters }: PlannedRun): number {
    this.#common.push(parameters);
    return this.#add(id, workload, this.#common.length - 1, parameters.policy);
  }

  /** As `add`, of a run that differs from one that is there in nothing but its policy and, maybe, its jobs. */
  addAlike(
    like: number,
    { id, workload, policy }: Omit<PlannedRun, 'parameters'> & { policy: string },
  ): number {
    return this.#add(id, workload, this.#commonOf.at(like), policy);
  }

  #add(id: string, workload: number, common: number, policy: string): number {
    this.#high.push(Number.parseInt(id.slice(0, HALF), 16));
    this.#low.push(halfOf(id));
    this.#workload.push(workload);
    this.#commonOf.push(common);
    this.#policy.push(policy);
    if (2 * this.length > this.#places.length) this.#rehash();
    else this.#enter(this.length - 1);
    return this.length - 1;
  }

  /** Ends the table. */
  seal(): void {
    const numbers = [this.#high, this.#low, this.#workload, this.#commonOf];
    for (const column of [...numbers, this.#common, this.#policy]) column.seal();
  }

  #rehash(): void {
    this.#places = new Uint32Array(2 * this.#places.length);
    for (let run = 0; run < this.length; run++) this.#enter(run);
  }

  #enter(run: number): void {
    this.#places[this.#place(this.#high.at(run), this.#low.at(run))] = run + 1;
  }

  /** Where an id stands among the places, or would. */
  #place(high: number, low: number): number {
    const last = this.#places.length - 1;
    let place = low & last;
    for (; this.#places[place] !== 0; place = (place + 1) & last) {
      const run = this.#places[place] - 1;
      if (this.#low.at(run) === low && this.#high.at(run) === high) break;
    }
    return place;
  }
}

/** The two digits of each byte. */
const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** The digits of a half: ids are printed so often that numbers above 2^31 would take too long in the usual way. */
function digitsOf(half: number): string {
  return BYTES[half >>> 24] + BYTES[(half >>> 16) & 255] + BYTES[(half >>> 8) & 255] + BYTES[half & 255];
}

function halfOf(id: string): number {
  return Number.parseInt(id.slice(HALF), 16);
}

/** The settings of a plan, in order. */
export class PointTable implements Iterable<Point> {
  readonly #labels: readonly InternedColumn<Label | null>[];
  readonly #run = new NumberColumn();

  constructor(axes: number) {
    this.#labels = Array.from({ length: axes }, () => new InternedColumn<Label | null>());
  }

  /** A table of settings with labels on so many axes. */
  static of(axes: number, points: Iterable<Point>): PointTable {
    const table = new PointTable(axes);
    for (const point of points) table.add(point);
    table.seal();
    return table;
  }

  /** How many settings there are. */
  get length(): number {
    return this.#run.length;
  }

  /** Where the run of a setting stands among the runs. */
  run(point: number): number {
    return this.#run.at(point);
  }

  /** The label of a setting on one axis; null where its part has no such axis. */
  label(point: number, axis: number): Label | null {
    return this.#labels[axis].at(point);
  }

  /** The labels of a setting, one per axis. */
  labels(point: number): (Label | null)[] {
    return this.#labels.map((column) => column.at(point));
  }

  *[Symbol.iterator](): Generator<Point> {
    for (let point = 0; point < this.length; point++) {
      yield { labels: this.labels(point), run: this.run(point) };
    }
  }

  /** Adds a setting. */
  add({ labels, run }: Point): void {
    this.#labels.forEach((column, axis) => {
      column.push(labels[axis]);
    });
    this.#run.push(run);
  }

  /** Ends the table. */
  seal(): void {
    for (const column of [...this.#labels, this.#run]) column.seal();
  }
}
