/** What the page shows and what it has been asked, with a signal for each part that changes. */
import type { ForkAsked } from './address.js';
import { BlockIndex } from './gantt/blockIndex.js';
import type { Coloring } from './gantt/inks.js';
import type { Catalogue, CodeText, Outcome, RunData, Setup } from './protocol.js';
import { Signal } from './signal.js';
import { TimeView } from './timeView.js';

/** A file with a function; it has run once somebody has said so. */
export interface OwnCode extends CodeText {
  readonly isTrusted: boolean;
}

/** What a first visit shows. */
const FIRST: Setup = {
  options: {
    workload: 'lublin99[aarr=9,jobs=3000,seed=1]',
    sites: '8,128,128,128,50',
    speeds: 'draw[sh=0.12,seed=1]',
  },
  methods: [{ policy: 'best-fit' }, { policy: 'fastest-first' }],
};

/** The state of the page. */
export class Model {
  catalogue!: Catalogue;
  setup: Setup = FIRST;
  code: OwnCode[] = [];
  forks: ForkAsked[] = [];
  logName: string | undefined;
  outcome: Outcome | undefined;
  /** Places of the runs that the upper and the lower Gantt chart show; -1: none. */
  shown: [number, number] = [0, -1];
  readonly view = new TimeView();
  coloring: Coloring = 'wait';
  /** The moment that is looked at; undefined: none. */
  cursor: number | undefined;
  selected: number | undefined;
  hovered: number | undefined;
  /** Jobs that are looked for. */
  matches: ReadonlySet<number> | undefined;

  /** Told when the setup, the outcome, what is looked at, the moment or the job has become another. */
  readonly asked = new Signal();
  readonly answered = new Signal();
  readonly looked = new Signal();
  readonly moved = new Signal();
  readonly chosen = new Signal();

  #indices = new WeakMap<RunData, BlockIndex>();
  #events = new WeakMap<RunData, Float64Array>();

  /** All runs, forks among them. */
  get runs(): readonly RunData[] {
    return this.outcome?.runs ?? [];
  }

  /** The run of the upper chart, about which questions are asked. */
  get run(): RunData | undefined {
    return this.runs[this.shown[0]];
  }

  /** Blocks by time. */
  indexOf(run: RunData): BlockIndex {
    const index = this.#indices.get(run) ?? new BlockIndex(run.blocks);
    this.#indices.set(run, index);
    return index;
  }

  /** The times of all submits, starts and ends of a run, each once. */
  eventsOf(run: RunData): Float64Array {
    const known = this.#events.get(run);
    if (known !== undefined || this.outcome === undefined) return known ?? new Float64Array(0);
    const { submit } = this.outcome.jobs;
    const ends = run.start.map((start, i) => start + run.execution[i]);
    const all = new Float64Array(3 * submit.length);
    all.set(submit);
    all.set(run.start, submit.length);
    all.set(ends, 2 * submit.length);
    all.sort();
    const events = all.filter((time, i) => i === 0 || time !== all[i - 1]);
    this.#events.set(run, events);
    return events;
  }

  /** Takes a new outcome; what was looked at stays where the jobs are the same. */
  take(outcome: Outcome): void {
    const before = this.outcome;
    const isSame = before?.source === outcome.source && before.jobs.count === outcome.jobs.count;
    const span: [number, number] = [this.view.from, this.view.to];
    this.outcome = outcome;
    const [first] = outcome.jobs.submit;
    this.view.setWhole(first, Math.max(...outcome.runs.map(lastEnd)));
    if (isSame) this.view.show(...span);
    else this.forgetJob();
    this.shown = [0, outcome.runs.length > 1 ? 1 : -1];
    this.answered.tell();
  }

  /** Adds a fork and shows it below the run that it is from. */
  addFork(fork: RunData): void {
    if (this.outcome === undefined) return;
    this.outcome = { ...this.outcome, runs: [...this.outcome.runs, fork] };
    this.view.setWhole(this.view.whole[0], Math.max(this.view.whole[1], lastEnd(fork)));
    this.shown = [this.shown[0], this.outcome.runs.length - 1];
    this.answered.tell();
  }

  /** Chooses a job, and brings it into view if it is not. */
  select(job: number | undefined, isRevealed = false): void {
    this.selected = job;
    const { run } = this;
    if (job !== undefined && isRevealed && run !== undefined) {
      this.view.reveal(run.start[job], run.start[job] + run.execution[job]);
      this.looked.tell();
    }
    this.chosen.tell();
  }

  /** Looks at a moment; undefined: at none. */
  moveTo(time: number | undefined): void {
    this.cursor = time;
    if (time !== undefined && (time < this.view.from || time > this.view.to)) {
      const length = this.view.to - this.view.from;
      this.view.show(time - length / 2, time + length / 2);
      this.looked.tell();
    }
    this.moved.tell();
  }

  private forgetJob(): void {
    this.selected = undefined;
    this.hovered = undefined;
    this.cursor = undefined;
    this.matches = undefined;
  }
}

function lastEnd({ start, execution }: RunData): number {
  return start.reduce((most, at, i) => Math.max(most, at + execution[i]), -Infinity);
}

/** Light or dark, as the page is. */
export function themeNow(): 'light' | 'dark' {
  const said = document.documentElement.dataset.theme;
  if (said === 'light' || said === 'dark') return said;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}
