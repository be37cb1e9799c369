/** Explains the selected job: events during its wait, and the choice of its site. */
import { formatDistinctDurations } from '../../../host/format/numbers.js';
import type { ExplorerController } from '../controller.js';
import { createButton, createElement, replaceChildren } from '../dom.js';
import type { ExplorerModel } from '../model.js';
import type { JobExplanationTexts } from '../protocol.js';
import { describeJobInTwoLines, describePromisedStart } from '../words.js';

const SELECT_JOB_HINT = 'Point at a job, click on it, or search for it: its explanation appears here.';

/** Creates a button that shows a time and moves the charts to it. */
function createTimeLink(model: ExplorerModel, time: number): HTMLElement {
  const timeText = model.when(time);
  return createButton(timeText, () => model.selectTime(time), `Look at ${timeText}`, 'link');
}

/** Creates a folded table of a decision under the question that it answers. */
function createDecisionDetails(reasonText: string, decision: string): HTMLElement {
  const table = createElement('pre', { tabIndex: 0 }, decision);
  return createElement('details', {}, createElement('summary', {}, reasonText), table);
}

export function createJobExplanationPanel(controller: ExplorerController): HTMLElement {
  const { model } = controller;
  const panelBody = createElement('div', { 'aria-live': 'polite' });
  const element = createElement('section', { className: 'story' }, panelBody);
  let requestCount = 0;
  const showHint = () =>
    panelBody.replaceChildren(createElement('p', { className: 'hint' }, SELECT_JOB_HINT));
  const renderStory = (story: JobExplanationTexts, job: number) => {
    const { outcome, run } = model;
    if (outcome === undefined || run === undefined) return;
    const promisedStartText = describePromisedStart(outcome, run, job);
    replaceChildren(
      panelBody,
      createElement('p', {}, createElement('b', {}, story.headline)),
      createElement('p', { className: 'hint' }, story.rules),
      promisedStartText !== '' && createElement('p', { className: 'promise' }, promisedStartText),
      ...story.waits.flatMap(({ summary: explanationSummary, events, decision, why }) => {
        const elapsedTexts = formatDistinctDurations(
          events.map(({ time }) => time - outcome.jobs.submit[job]),
        );
        return [
          explanationSummary !== '' && createElement('p', {}, explanationSummary),
          createElement(
            'ol',
            { className: 'events' },
            ...events.map(({ time, text: explanationText }, eventIndex) => {
              const elapsed = createElement('span', { className: 'hint' }, ` +${elapsedTexts[eventIndex]!} `);
              return createElement('li', {}, createTimeLink(model, time), elapsed, explanationText);
            }),
          ),
          createDecisionDetails(why, decision),
        ];
      }),
    );
  };
  const explainSelectedJob = async () => {
    const { selected, run, outcome } = model;
    if (selected === undefined || run === undefined || outcome === undefined) return showHint();
    const requestNumber = ++requestCount;
    panelBody.replaceChildren(
      ...describeJobInTwoLines(outcome, run, selected).map((fact) => createElement('p', {}, fact)),
    );
    try {
      const story = await controller.client.ask('story', { run: run.id, job: selected });
      if (requestNumber === requestCount) renderStory(story, selected);
    } catch (error) {
      if (requestNumber === requestCount)
        panelBody.append(createElement('p', { className: 'hint' }, (error as Error).message));
    }
  };
  showHint();
  model.jobSelected.on(() => {
    void explainSelectedJob();
    controller.recordHistoryStepLater();
  });
  model.outcomeChanged.on(() => void explainSelectedJob());
  return element;
}
