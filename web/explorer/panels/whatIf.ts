/**
 * Form for what-if runs: another policy, discipline or order from a time or from the beginning, or another
 * grid from the beginning.
 */
import { formatCount, formatDuration, formatNumber } from '../../../host/format/numbers.js';
import type { ExplorerController } from '../controller.js';
import { createButton, createElement } from '../dom.js';
import type { ExplorerModel } from '../model.js';
import type { FinishedRunData } from '../protocol.js';
import { defaultSizeOfAddedSite, simulateAddedSites } from './oneMoreSite.js';

/** Options that a what-if can change. */
const WHAT_IF_OPTIONS = [
  'policy',
  'discipline',
  'order',
  'backfill-order',
  'reservations',
  'sites',
  'speeds',
] as const;
type WhatIfOption = (typeof WHAT_IF_OPTIONS)[number];
/** Label of the table with additional sites of several sizes and speeds. */
const ADDED_SITE_LABEL = 'one more site';
/** Options that can only be changed for a whole run. */
const WHOLE_RUN_OPTIONS: readonly string[] = ['reservations', 'sites', 'speeds', ADDED_SITE_LABEL];

/** Describes the result of a what-if: mean waits of its jobs with and without the change. */
function describeWhatIfResult(model: ExplorerModel): string {
  const { outcome, run, runs } = model;
  const other = runs[runs.length - 1];
  if (outcome === undefined || run === undefined || other === undefined) return '';
  const { submit } = outcome.jobs;
  const since = other.forkedAt ?? -Infinity;
  const jobs = [...submit.keys()].filter((job) => submit[job] >= since || other.start[job] >= since);
  if (jobs.length === 0) return 'No job starts after this moment.';
  const totalWaitTextOf = ({ start }: FinishedRunData) =>
    formatDuration(jobs.reduce((sum, job) => sum + start[job] - submit[job], 0) / jobs.length);
  const moved = jobs.filter((job) => Math.abs(run.start[job] - other.start[job]) >= 1).length;
  const which =
    since === -Infinity ? formatCount(jobs.length, 'job') : `${formatCount(jobs.length, 'job')} from then on`;
  return `Mean wait of the ${which}: ${totalWaitTextOf(run)} → ${totalWaitTextOf(other)}; ${formatNumber(moved)} start at another time. See the chart below and the table of metrics.`;
}

/** Form with the option, its value, and the result or error beside the button. */
class WhatIfFormElements {
  readonly #controller: ExplorerController;
  readonly #kind = createElement(
    'select',
    { id: 'what-if-kind', 'aria-label': 'What changes', onchange: () => this.#fill() },
    ...WHAT_IF_OPTIONS.map((each) =>
      createElement('option', { value: each }, `the ${each.replace('-', ' ')} were`),
    ),
    createElement('option', { value: ADDED_SITE_LABEL }, 'there were one more site'),
  );
  readonly #value = this.#field('what-if', 'Its value');
  readonly #sizes = this.#field('what-if-sizes', 'Its processors');
  readonly #speeds = this.#field('what-if-speeds', 'Its speeds');
  readonly #site = createElement(
    'span',
    { className: 'tool', hidden: true },
    createElement('label', { htmlFor: 'what-if-sizes' }, 'processors'),
    this.#sizes,
    createElement('label', { htmlFor: 'what-if-speeds' }, 'speeds'),
    this.#speeds,
  );
  readonly #since = createElement(
    'select',
    { id: 'what-if-since', 'aria-label': 'Since when', onchange: () => this.#describeStart() },
    createElement('option', { value: 'moment' }, 'from this moment on'),
    createElement('option', { value: 'beginning' }, 'from the beginning'),
  );
  readonly #choices = createElement('datalist', { id: 'what-if-choices' });
  readonly #status = createElement('p', { className: 'told', role: 'status' });
  readonly #table = createElement('div', { 'aria-live': 'polite' });
  readonly #begin = createButton('Try it', () => void this.#act(), undefined, 'primary');
  #grid: unknown;

  constructor(controller: ExplorerController) {
    this.#controller = controller;
    this.#value.setAttribute('list', this.#choices.id);
    controller.model.outcomeChanged.on(() => this.#fillOptions());
  }

  /** Element of the form. */
  get element(): HTMLElement {
    const label = createElement('label', { htmlFor: 'what-if-kind' }, 'what if');
    const words = [label, this.#kind, this.#value, this.#site, this.#choices, this.#since, this.#begin];
    const actions = createElement('div', { className: 'actions' }, ...words);
    return createElement('div', { className: 'what-if' }, actions, this.#status, this.#table);
  }

  #field(id: string, label: string): HTMLInputElement {
    const onkeydown = (event: KeyboardEvent) => {
      if (event.key === 'Enter') void this.#act();
    };
    const words = { 'aria-label': label, autocomplete: 'off', spellcheck: false };
    return createElement('input', { type: 'text', id, ...words, onkeydown });
  }

  /** Lists the options that the run allows: on one site no policy. */
  #fillOptions(): void {
    const { run } = this.#controller.model;
    if (run === undefined || run.capacities === this.#grid) return;
    this.#grid = run.capacities;
    const hasChoice = run.noChoice === '';
    for (const option of this.#kind.options) {
      const isOptionOffered =
        option.value === 'policy' ? hasChoice : option.value !== 'reservations' || run.isConservative;
      option.hidden = !isOptionOffered;
    }
    this.#kind.value = hasChoice ? 'policy' : 'discipline';
    this.#fill();
  }

  #fill(): void {
    const { run, catalogue, code } = this.#controller.model;
    const isOneMoreSite = this.#kind.value === ADDED_SITE_LABEL;
    [this.#value.hidden, this.#since.hidden, this.#site.hidden] = [
      isOneMoreSite,
      isOneMoreSite,
      !isOneMoreSite,
    ];
    this.#table.replaceChildren();
    if (isOneMoreSite && run !== undefined)
      [this.#sizes.value, this.#speeds.value] = [String(defaultSizeOfAddedSite(run)), '1, 1.5, 2'];
    const name = this.#kind.value as WhatIfOption;
    const option = catalogue.options.find((each) => each.name === name);
    const own = code.filter(({ isTrusted }) => isTrusted).map((each) => each.name);
    const policies = [...catalogue.policies.map((each) => each.name), ...own];
    const words = name === 'policy' ? policies : (option?.choices ?? []);
    this.#choices.replaceChildren(...words.map((word) => createElement('option', { value: word })));
    const now: Readonly<Record<WhatIfOption, string | undefined>> = {
      policy: 'fastest-first',
      discipline: 'easy',
      order: 'shortest',
      'backfill-order': 'shortest',
      reservations: run?.promised === undefined ? 'kept' : 'replanned',
      sites: run?.capacities.join(','),
      speeds: run?.speeds.join(','),
    };
    [this.#value.value, this.#value.title] = [now[name] ?? '', option?.help ?? ''];
    const isComplete = WHOLE_RUN_OPTIONS.includes(name);
    this.#since.disabled = isComplete;
    this.#since.value = isComplete ? 'beginning' : 'moment';
    this.#describeStart();
  }

  /** True if the what-if starts at the selected time, not at the beginning. */
  get #isFork(): boolean {
    return this.#since.value === 'moment';
  }

  #describeStart(): void {
    const fork =
      this.#kind.value === 'policy'
        ? 'Goes on from the moment that is looked at, from the same state.'
        : 'Goes on from the first submit after the moment that is looked at, from the same state.';
    const whole = this.#since.disabled
      ? 'Runs the same jobs from the beginning: a run keeps its sites, their speeds and its kind of reservations to the end.'
      : 'Runs the same jobs from the beginning.';
    this.#status.textContent = this.#isFork ? fork : whole;
    this.#status.classList.remove('fault');
  }

  async #act(): Promise<void> {
    this.#begin.disabled = true;
    try {
      this.#say(this.#kind.value === ADDED_SITE_LABEL ? await this.#addSites() : await this.#change(), false);
    } catch (error) {
      this.#say((error as Error).message, true);
    }
    this.#begin.disabled = false;
    // Scrolls to the answer, which may lie below the visible part of the panel.
    const last = this.#table.childElementCount > 0 ? this.#table : this.#status;
    last.scrollIntoView({ block: 'nearest' });
  }

  #say(words: string, isFaultMessage: boolean): void {
    this.#status.classList.toggle('fault', isFaultMessage);
    this.#status.textContent = words;
  }

  #addSites(): Promise<string> {
    this.#say('Runs the same jobs with each of them…', false);
    const request = { sizes: this.#sizes.value, speeds: this.#speeds.value };
    const { model } = this.#controller;
    return simulateAddedSites(this.#controller, request, this.#table, (fault) =>
      this.#say(fault === '' ? describeWhatIfResult(model) : fault, fault !== ''),
    );
  }

  async #change(): Promise<string> {
    const { model } = this.#controller;
    const time = this.#isFork ? (model.cursor ?? model.view.from) : undefined;
    const fault = await this.#controller.whatIf(time, { [this.#kind.value]: this.#value.value.trim() });
    if (fault !== '') throw new Error(fault);
    return describeWhatIfResult(model);
  }
}

export function createWhatIfForm(controller: ExplorerController): HTMLElement {
  return new WhatIfFormElements(controller).element;
}
