/** Example questions for the current jobs and methods; each button shows one ability of the explorer. */
import type { ExplorerController } from '../controller.js';
import { createButton, createElement } from '../dom.js';
import type { JobColoringKind } from '../gantt/colors.js';
import { firstJobsOfList, JOB_LISTS, type JobListKind } from '../lists.js';
import { INITIAL_SETUP } from '../model.js';
import type { ExplorerSetup } from '../protocol.js';
import { nextTimeOfDisagreement } from './findPanel.js';

/** Parts of the page that the examples use. */
export interface ExampleScenePage {
  readonly show: (tab: string) => void;
  /** Shows a list of jobs. */
  readonly list: (kind: JobListKind) => void;
  readonly replicate: () => void;
  readonly write: () => void;
}

class ExampleScenes {
  readonly #controller: ExplorerController;
  readonly #stage: ExampleScenePage;

  constructor(controller: ExplorerController, stage: ExampleScenePage) {
    [this.#controller, this.#stage] = [controller, stage];
  }

  /** The examples: name, purpose and action. */
  get all(): readonly (readonly [name: string, what: string, act: () => void | Promise<void>])[] {
    return [
      ['Two policies', 'two methods on the same jobs, where they differ most', () => this.#differ()],
      ['Why did it wait?', 'the story of the job that waited longest', () => this.#wait()],
      [
        'Where do they diverge?',
        'the first moment at which two methods decide differently',
        () => this.#part(),
      ],
      ['How sure is it?', 'replications, and what they say about a difference', this.#stage.replicate],
      ['Custom policy', 'a policy written here, beside the others', () => this.#write()],
    ];
  }

  /** Simulates other settings. */
  async #begin(setup: ExplorerSetup): Promise<void> {
    this.#controller.change(setup);
    await this.#controller.run();
  }

  /** Returns the first job of a list. */
  #first(kind: JobListKind): number | undefined {
    const { outcome, run, other } = this.#controller.model;
    if (outcome === undefined || run === undefined) return undefined;
    return firstJobsOfList(kind, outcome.jobs, run, other ?? run)[0]?.job;
  }

  /** Zooms to a tenth of the whole time range around a job. */
  #around(job: number): void {
    const { run, view, viewChanged: looked } = this.#controller.model;
    if (run === undefined) return;
    const [from, to] = view.whole;
    const length = (to - from) / 10;
    view.show(run.start[job] - length / 2, run.start[job] + length / 2);
    looked.notify();
  }

  #colorBy(coloring: JobColoringKind): void {
    const { model } = this.#controller;
    if (model.coloring === coloring) return;
    model.coloring = coloring;
    model.outcomeChanged.notify();
  }

  async #differ(): Promise<void> {
    const { model } = this.#controller;
    if (model.runs.length < 2) await this.#begin({ ...model.setup, methods: [] });
    this.#colorBy(model.defaultColoring);
    model.moveTo(undefined);
    const [, delayed, helped] = JOB_LISTS;
    const kind = this.#first(delayed) === undefined ? helped : delayed;
    const job = this.#first(kind);
    model.select(job);
    if (job !== undefined) this.#around(job);
    this.#stage.list(kind);
    this.#stage.show('Find');
  }

  #wait(): void {
    const job = this.#first(JOB_LISTS[0]);
    if (job === undefined) return;
    this.#colorBy('wait');
    this.#controller.model.moveTo(undefined);
    this.#controller.model.select(job, true);
    this.#around(job);
  }

  async #part(): Promise<void> {
    const { model } = this.#controller;
    if (model.runs.length < 2) await this.#begin({ ...model.setup, methods: [] });
    this.#colorBy(model.defaultColoring);
    model.view.show(...model.view.whole);
    const time = nextTimeOfDisagreement(model);
    if (time === undefined) return;
    model.moveTo(time);
    model.view.zoom(40, time);
    model.viewChanged.notify();
    this.#stage.show('Moment');
  }

  async #write(): Promise<void> {
    // On one site, policies have no choice.
    if ((this.#controller.model.run?.noChoice ?? '') !== '') await this.#begin(INITIAL_SETUP);
    this.#stage.write();
  }
}

export function createExampleScenesPanel(
  controller: ExplorerController,
  stage: ExampleScenePage,
): HTMLElement {
  return createElement(
    'nav',
    { className: 'scenes', 'aria-label': 'Scenes to start from' },
    ...new ExampleScenes(controller, stage).all.map(([name, what, act]) =>
      createButton(name, () => void act(), what),
    ),
  );
}
