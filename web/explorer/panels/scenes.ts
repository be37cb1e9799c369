/** Example questions for the current jobs and methods; each button shows one ability of the explorer. */
import type { ExplorerController } from '../controller.js';
import { createButton, createElement } from '../dom.js';
import type { JobColoringKind } from '../gantt/colors.js';
import { findFirstJobsOfList, JOB_LISTS, type JobListKind } from '../lists.js';
import { INITIAL_EXPLORER_SETUP } from '../model.js';
import type { ExplorerSetup } from '../protocol.js';
import { findNextDifferingStartTime } from './findPanel.js';

/** Parts of the page that the examples use. */
export interface ExampleScenePageActions {
  readonly showTab: (tab: string) => void;
  /** Shows a list of jobs. */
  readonly showJobList: (listCriterion: JobListKind) => void;
  readonly runReplications: () => void;
  readonly openPolicyEditor: () => void;
}

class ExampleScenesPanel {
  readonly #controller: ExplorerController;
  readonly #page: ExampleScenePageActions;

  constructor(controller: ExplorerController, page: ExampleScenePageActions) {
    [this.#controller, this.#page] = [controller, page];
  }

  /** The examples: name, purpose and action. */
  get scenes(): readonly (readonly [name: string, what: string, act: () => void | Promise<void>])[] {
    return [
      ['Two policies', 'two methods on the same jobs, where they differ most', () => this.#showTwoPolicies()],
      ['Why did it wait?', 'the story of the job that waited longest', () => this.#explainLongestWait()],
      [
        'Where do they diverge?',
        'the first moment at which two methods decide differently',
        () => this.#showFirstDivergence(),
      ],
      ['How sure is it?', 'replications, and what they say about a difference', this.#page.runReplications],
      ['Custom policy', 'a policy written here, beside the others', () => this.#openPolicyEditor()],
    ];
  }

  /** Simulates other settings. */
  async #simulate(setup: ExplorerSetup): Promise<void> {
    this.#controller.change(setup);
    await this.#controller.run();
  }

  /** Returns the first job of a list. */
  #firstJobOf(listCriterion: JobListKind): number | undefined {
    const { outcome, run, other: otherRun } = this.#controller.model;
    if (outcome === undefined || run === undefined) return undefined;
    return findFirstJobsOfList(listCriterion, outcome.jobs, run, otherRun ?? run)[0]?.job;
  }

  /** Zooms to a tenth of the whole time range around a job. */
  #zoomToJob(job: number): void {
    const { run, view: visibleRange, viewChanged } = this.#controller.model;
    if (run === undefined) return;
    const [from, to] = visibleRange.whole;
    const length = (to - from) / 10;
    visibleRange.show(run.start[job] - length / 2, run.start[job] + length / 2);
    viewChanged.notify();
  }

  #colorBy(coloring: JobColoringKind): void {
    const { model } = this.#controller;
    if (model.coloring === coloring) return;
    model.coloring = coloring;
    model.outcomeChanged.notify();
  }

  async #showTwoPolicies(): Promise<void> {
    const { model } = this.#controller;
    if (model.runs.length < 2) await this.#simulate({ ...model.setup, methods: [] });
    this.#colorBy(model.defaultColoring);
    model.selectTime(undefined);
    const [, delayed, helped] = JOB_LISTS;
    const listCriterion = this.#firstJobOf(delayed) === undefined ? helped : delayed;
    const job = this.#firstJobOf(listCriterion);
    model.select(job);
    if (job !== undefined) this.#zoomToJob(job);
    this.#page.showJobList(listCriterion);
    this.#page.showTab('Find');
  }

  #explainLongestWait(): void {
    const job = this.#firstJobOf(JOB_LISTS[0]);
    if (job === undefined) return;
    this.#colorBy('wait');
    this.#controller.model.selectTime(undefined);
    this.#controller.model.select(job, true);
    this.#zoomToJob(job);
  }

  async #showFirstDivergence(): Promise<void> {
    const { model } = this.#controller;
    if (model.runs.length < 2) await this.#simulate({ ...model.setup, methods: [] });
    this.#colorBy(model.defaultColoring);
    model.view.show(...model.view.whole);
    const time = findNextDifferingStartTime(model);
    if (time === undefined) return;
    model.selectTime(time);
    model.view.zoom(40, time);
    model.viewChanged.notify();
    this.#page.showTab('Moment');
  }

  async #openPolicyEditor(): Promise<void> {
    // On one site, policies have no choice.
    if ((this.#controller.model.run?.noChoice ?? '') !== '') await this.#simulate(INITIAL_EXPLORER_SETUP);
    this.#page.openPolicyEditor();
  }
}

export function createExampleScenesPanel(
  controller: ExplorerController,
  page: ExampleScenePageActions,
): HTMLElement {
  return createElement(
    'nav',
    { className: 'scenes', 'aria-label': 'Scenes to start from' },
    ...new ExampleScenesPanel(controller, page).scenes.map(([name, purpose, action]) =>
      createButton(name, () => void action(), purpose),
    ),
  );
}
