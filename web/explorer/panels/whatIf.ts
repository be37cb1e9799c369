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
const WHAT_IF_OPTION_NAMES = [
  'policy',
  'discipline',
  'order',
  'backfill-order',
  'reservations',
  'sites',
  'speeds',
] as const;
type WhatIfOptionName = (typeof WHAT_IF_OPTION_NAMES)[number];
/** Label of the table with additional sites of several sizes and speeds. */
const ADDED_SITE_CHOICE = 'one more site';
/** Options that can only be changed for a whole run. */
const CHOICES_FOR_WHOLE_RUN: readonly string[] = ['reservations', 'sites', 'speeds', ADDED_SITE_CHOICE];

/** Describes the result of a what-if: mean waits of its jobs with and without the change. */
function describeWhatIfResult(model: ExplorerModel): string {
  const { outcome, run, runs } = model;
  const lastRun = runs[runs.length - 1];
  if (outcome === undefined || run === undefined || lastRun === undefined) return '';
  const { submit } = outcome.jobs;
  const forkTime = lastRun.forkedAt ?? -Infinity;
  const jobs = [...submit.keys()].filter((job) => submit[job] >= forkTime || lastRun.start[job] >= forkTime);
  if (jobs.length === 0) return 'No job starts after this moment.';
  const formatMeanWait = ({ start }: FinishedRunData) =>
    formatDuration(jobs.reduce((sum, job) => sum + start[job] - submit[job], 0) / jobs.length);
  const movedCount = jobs.filter((job) => Math.abs(run.start[job] - lastRun.start[job]) >= 1).length;
  const jobsText =
    forkTime === -Infinity
      ? formatCount(jobs.length, 'job')
      : `${formatCount(jobs.length, 'job')} from then on`;
  return `Mean wait of the ${jobsText}: ${formatMeanWait(run)} → ${formatMeanWait(lastRun)}; ${formatNumber(movedCount)} start at another time. See the chart below and the table of metrics.`;
}

/** Form with the option, its value, and the result or error beside the button. */
class WhatIfForm {
  readonly #controller: ExplorerController;
  readonly #optionSelect = createElement(
    'select',
    { id: 'what-if-kind', 'aria-label': 'What changes', onchange: () => this.#fillValueField() },
    ...WHAT_IF_OPTION_NAMES.map((option) =>
      createElement('option', { value: option }, `the ${option.replace('-', ' ')} were`),
    ),
    createElement('option', { value: ADDED_SITE_CHOICE }, 'there were one more site'),
  );
  readonly #valueField = this.#field('what-if', 'Its value');
  readonly #sizesField = this.#field('what-if-sizes', 'Its processors');
  readonly #speedsField = this.#field('what-if-speeds', 'Its speeds');
  readonly #addedSiteFields = createElement(
    'span',
    { className: 'tool', hidden: true },
    createElement('label', { htmlFor: 'what-if-sizes' }, 'processors'),
    this.#sizesField,
    createElement('label', { htmlFor: 'what-if-speeds' }, 'speeds'),
    this.#speedsField,
  );
  readonly #startSelect = createElement(
    'select',
    { id: 'what-if-since', 'aria-label': 'Since when', onchange: () => this.#describeStart() },
    createElement('option', { value: 'moment' }, 'from this moment on'),
    createElement('option', { value: 'beginning' }, 'from the beginning'),
  );
  readonly #choiceList = createElement('datalist', { id: 'what-if-choices' });
  readonly #status = createElement('p', { className: 'told', role: 'status' });
  readonly #table = createElement('div', { 'aria-live': 'polite' });
  readonly #runButton = createButton('Try it', () => void this.#runWhatIf(), undefined, 'primary');
  #filledGrid: unknown;

  constructor(controller: ExplorerController) {
    this.#controller = controller;
    this.#valueField.setAttribute('list', this.#choiceList.id);
    controller.model.outcomeChanged.on(() => this.#fillOptions());
  }

  /** Element of the form. */
  get element(): HTMLElement {
    const labelElement = createElement('label', { htmlFor: 'what-if-kind' }, 'what if');
    const formElements = [
      labelElement,
      this.#optionSelect,
      this.#valueField,
      this.#addedSiteFields,
      this.#choiceList,
      this.#startSelect,
      this.#runButton,
    ];
    const actions = createElement('div', { className: 'actions' }, ...formElements);
    return createElement('div', { className: 'what-if' }, actions, this.#status, this.#table);
  }

  #field(id: string, labelText: string): HTMLInputElement {
    const onkeydown = (event: KeyboardEvent) => {
      if (event.key === 'Enter') void this.#runWhatIf();
    };
    const textFieldAttributes = { 'aria-label': labelText, autocomplete: 'off', spellcheck: false };
    return createElement('input', { type: 'text', id, ...textFieldAttributes, onkeydown });
  }

  /** Lists the options that the run allows: on one site no policy. */
  #fillOptions(): void {
    const { run } = this.#controller.model;
    if (run === undefined || run.capacities === this.#filledGrid) return;
    this.#filledGrid = run.capacities;
    const hasChoice = run.noChoice === '';
    for (const option of this.#optionSelect.options) {
      const isOptionOffered =
        option.value === 'policy' ? hasChoice : option.value !== 'reservations' || run.isConservative;
      option.hidden = !isOptionOffered;
    }
    this.#optionSelect.value = hasChoice ? 'policy' : 'discipline';
    this.#fillValueField();
  }

  #fillValueField(): void {
    const { run, catalogue, code } = this.#controller.model;
    const isAddedSiteChosen = this.#optionSelect.value === ADDED_SITE_CHOICE;
    [this.#valueField.hidden, this.#startSelect.hidden, this.#addedSiteFields.hidden] = [
      isAddedSiteChosen,
      isAddedSiteChosen,
      !isAddedSiteChosen,
    ];
    this.#table.replaceChildren();
    if (isAddedSiteChosen && run !== undefined)
      [this.#sizesField.value, this.#speedsField.value] = [String(defaultSizeOfAddedSite(run)), '1, 1.5, 2'];
    const optionName = this.#optionSelect.value as WhatIfOptionName;
    const option = catalogue.options.find((option) => option.name === optionName);
    const trustedCodeFileNames = code
      .filter(({ isTrusted }) => isTrusted)
      .map((userCodeFile) => userCodeFile.name);
    const policies = [...catalogue.policies.map((policy) => policy.name), ...trustedCodeFileNames];
    const choices = optionName === 'policy' ? policies : (option?.choices ?? []);
    this.#choiceList.replaceChildren(...choices.map((choice) => createElement('option', { value: choice })));
    const suggestedValueByOption: Readonly<Record<WhatIfOptionName, string | undefined>> = {
      policy: 'fastest-first',
      discipline: 'easy',
      order: 'shortest',
      'backfill-order': 'shortest',
      reservations: run?.promised === undefined ? 'kept' : 'replanned',
      sites: run?.capacities.join(','),
      speeds: run?.speeds.join(','),
    };
    [this.#valueField.value, this.#valueField.title] = [
      suggestedValueByOption[optionName] ?? '',
      option?.help ?? '',
    ];
    const appliesOnlyToWholeRun = CHOICES_FOR_WHOLE_RUN.includes(optionName);
    this.#startSelect.disabled = appliesOnlyToWholeRun;
    this.#startSelect.value = appliesOnlyToWholeRun ? 'beginning' : 'moment';
    this.#describeStart();
  }

  /** True if the what-if starts at the selected time, not at the beginning. */
  get #isFork(): boolean {
    return this.#startSelect.value === 'moment';
  }

  #describeStart(): void {
    const forkedRunNote =
      this.#optionSelect.value === 'policy'
        ? 'Goes on from the moment that is looked at, from the same state.'
        : 'Goes on from the first submit after the moment that is looked at, from the same state.';
    const wholeRunNote = this.#startSelect.disabled
      ? 'Runs the same jobs from the beginning: a run keeps its sites, their speeds and its kind of reservations to the end.'
      : 'Runs the same jobs from the beginning.';
    this.#status.textContent = this.#isFork ? forkedRunNote : wholeRunNote;
    this.#status.classList.remove('fault');
  }

  async #runWhatIf(): Promise<void> {
    this.#runButton.disabled = true;
    try {
      this.#showMessage(
        this.#optionSelect.value === ADDED_SITE_CHOICE ? await this.#addSites() : await this.#runWithChange(),
        false,
      );
    } catch (error) {
      this.#showMessage((error as Error).message, true);
    }
    this.#runButton.disabled = false;
    // Scrolls to the answer, which may lie below the visible part of the panel.
    const resultOrStatusElement = this.#table.childElementCount > 0 ? this.#table : this.#status;
    resultOrStatusElement.scrollIntoView({ block: 'nearest' });
  }

  #showMessage(message: string, isFaultMessage: boolean): void {
    this.#status.classList.toggle('fault', isFaultMessage);
    this.#status.textContent = message;
  }

  #addSites(): Promise<string> {
    this.#showMessage('Runs the same jobs with each of them…', false);
    const request = { sizes: this.#sizesField.value, speeds: this.#speedsField.value };
    const { model } = this.#controller;
    return simulateAddedSites(this.#controller, request, this.#table, (fault) =>
      this.#showMessage(fault === '' ? describeWhatIfResult(model) : fault, fault !== ''),
    );
  }

  async #runWithChange(): Promise<string> {
    const { model } = this.#controller;
    const time = this.#isFork ? (model.cursor ?? model.view.from) : undefined;
    const fault = await this.#controller.simulateWhatIf(time, {
      [this.#optionSelect.value]: this.#valueField.value.trim(),
    });
    if (fault !== '') throw new Error(fault);
    return describeWhatIfResult(model);
  }
}

export function createWhatIfForm(controller: ExplorerController): HTMLElement {
  return new WhatIfForm(controller).element;
}
