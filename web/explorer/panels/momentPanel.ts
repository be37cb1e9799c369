/** Steps and plays through events: state at a time, choice of each policy, and forks with another policy. */
import { formatCount, formatNumber } from '../../../host/format/numbers.js';
import type { ExplorerController } from '../controller.js';
import { createButton, createElement, type ElementChild, replaceChildren } from '../dom.js';
import type { ExplorerModel } from '../model.js';
import { computeStateAtTime, describeEventsAtTime } from '../moment.js';
import type { FinishedRunData, PolicyDecisions, SimulatedSetupOutcome } from '../protocol.js';
import { createWhatIfForm } from './whatIf.js';

/** Number of waiting jobs shown by name. */
const MAX_LISTED_WAITING_JOB_COUNT = 24;
/** Number of sites whose free processors are shown. */
const MAX_LISTED_SITE_COUNT = 8;
/** Events per second of the playback. */
const PLAYBACK_SPEED_CHOICES = ['2', '10', '60', '300'];

/** Returns the index of the first event after a time. */
function findFirstEventIndexAfter(events: Float64Array, time: number): number {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middleIndex = (low + high) >> 1;
    if (events[middleIndex] <= time) low = middleIndex + 1;
    else high = middleIndex;
  }
  return low;
}

function createPolicyChoiceList({ choices, job, time }: PolicyDecisions, when: string): HTMLElement[] {
  return [
    createElement('p', {}, `The next to start is job ${job}, at ${when}. From the state just before:`),
    createElement(
      'ul',
      { className: 'choices', 'data-time': time },
      ...choices.map(({ policy, decision, why }) =>
        createElement(
          'li',
          {},
          createElement(
            'details',
            {},
            createElement('summary', {}, createElement('b', {}, policy), ` ${decision}`),
            createElement('pre', { tabIndex: 0 }, why),
          ),
        ),
      ),
    ),
  ];
}

/** Steps through the events of the upper chart's run. */
function stepTimeByEvents(model: ExplorerModel, eventStepCount: number): void {
  const { run } = model;
  if (run === undefined) return;
  const events = model.eventTimesOfRun(run);
  const eventIndex =
    model.cursor === undefined
      ? findFirstEventIndexAfter(events, model.view.from) - 1
      : findFirstEventIndexAfter(events, model.cursor) - 1;
  const isSelectedTimeOfEvent = eventIndex >= 0 && events[eventIndex] === model.cursor;
  const nextIndex = eventStepCount < 0 && !isSelectedTimeOfEvent ? eventIndex : eventIndex + eventStepCount;
  model.selectTime(events[Math.min(Math.max(nextIndex, 0), events.length - 1)]);
}

/** Creates the step and play buttons, and a function that pauses the playback. */
function createPlaybackControls(model: ExplorerModel): {
  readonly element: HTMLElement;
  readonly pause: () => void;
} {
  const speed = createElement(
    'select',
    { id: 'speed' },
    ...PLAYBACK_SPEED_CHOICES.map((eventsPerSecond) =>
      createElement('option', { value: eventsPerSecond }, `${eventsPerSecond} events/s`),
    ),
  );
  speed.value = '10';
  let animationFrameRequestId = 0;
  const play = createButton(
    '▶',
    () => (animationFrameRequestId === 0 ? startPlaying() : pause()),
    'Play or pause',
    'primary',
  );
  const pause = () => {
    cancelAnimationFrame(animationFrameRequestId);
    animationFrameRequestId = 0;
    play.textContent = '▶';
  };
  const startPlaying = () => {
    play.textContent = '❚❚';
    let lastFrameTime = performance.now();
    let pendingEventCount = 0;
    const showPlaybackFrame = (now: number) => {
      pendingEventCount += ((now - lastFrameTime) / 1000) * Number(speed.value);
      lastFrameTime = now;
      const wholePendingEventCount = Math.floor(pendingEventCount);
      pendingEventCount -= wholePendingEventCount;
      if (wholePendingEventCount > 0) stepTimeByEvents(model, wholePendingEventCount);
      animationFrameRequestId = requestAnimationFrame(showPlaybackFrame);
    };
    animationFrameRequestId = requestAnimationFrame(showPlaybackFrame);
  };
  const inputLabelElement = createElement(
    'label',
    { htmlFor: 'speed', className: 'visually-hidden' },
    'speed',
  );
  const element = createElement(
    'div',
    { className: 'actions' },
    createButton('|◀', () => stepTimeByEvents(model, -Number.MAX_SAFE_INTEGER), 'First event'),
    createButton('◀', () => stepTimeByEvents(model, -1), 'One event back'),
    play,
    createButton('▶|', () => stepTimeByEvents(model, 1), 'One event forward'),
    createElement('span', { className: 'tool' }, inputLabelElement, speed),
  );
  return { element, pause };
}

/** Lists the waiting jobs as buttons with their promised starts. */
function createQueueElements(
  model: ExplorerModel,
  { promised: promisedStarts }: FinishedRunData,
  outcome: SimulatedSetupOutcome,
  waitingJobs: readonly number[],
): ElementChild[] {
  const waitingJobButtons = waitingJobs.slice(0, MAX_LISTED_WAITING_JOB_COUNT).map((job) => {
    const jobName = outcome.jobs.names[job];
    const jobText =
      promisedStarts === undefined ? jobName : `${jobName} (${model.when(promisedStarts[job])})`;
    return createButton(jobText, () => model.select(job, true), undefined, 'link');
  });
  const omittedJobsNote =
    waitingJobs.length > MAX_LISTED_WAITING_JOB_COUNT &&
    `and ${waitingJobs.length - MAX_LISTED_WAITING_JOB_COUNT} more`;
  const hint = 'In brackets: the start that each was promised at its submit.';
  return [
    createElement('p', { className: 'queue' }, ...waitingJobButtons, omittedJobsNote),
    promisedStarts !== undefined && waitingJobs.length > 0 && createElement('p', { className: 'hint' }, hint),
  ];
}

/** Lists the free processors; for many sites, of those with most. */
function createFreeProcessorsElements(
  { capacities }: FinishedRunData,
  freeProcessors: readonly number[],
): ElementChild[] {
  const siteIndices = freeProcessors.map((_, site) => site);
  const shownSites =
    siteIndices.length > MAX_LISTED_SITE_COUNT
      ? siteIndices.sort((a, b) => freeProcessors[b] - freeProcessors[a]).slice(0, MAX_LISTED_SITE_COUNT)
      : siteIndices;
  const freeProcessorItems = shownSites.map((site) => {
    const [value, max] = [freeProcessors[site], capacities[site]];
    const meterElement = createElement('meter', {
      min: 0,
      max,
      value,
      'aria-label': `free on site ${site + 1}`,
    });
    return createElement(
      'li',
      {},
      `site ${site + 1}`,
      meterElement,
      `${formatNumber(value)} of ${formatNumber(max)} free`,
    );
  });
  const hint = `The ${MAX_LISTED_SITE_COUNT} of ${formatNumber(siteIndices.length)} sites with the most free processors.`;
  return [
    createElement('ul', { className: 'free' }, ...freeProcessorItems),
    siteIndices.length > MAX_LISTED_SITE_COUNT && createElement('p', { className: 'hint' }, hint),
  ];
}

/** Describes the state at the selected time. */
function createSelectedTimeElements(
  model: ExplorerModel,
  run: FinishedRunData,
  outcome: SimulatedSetupOutcome,
): ElementChild[] {
  const { cursor } = model;
  if (cursor === undefined)
    return [
      createElement(
        'p',
        { className: 'hint' },
        'Step, play, or click on an empty place in a chart to look at a moment.',
      ),
    ];
  const { waiting, running, free } = computeStateAtTime(model, run, outcome, cursor);
  return [
    createElement('p', {}, createElement('b', {}, model.when(cursor))),
    createElement('p', {}, describeEventsAtTime(run, outcome, cursor)),
    createElement(
      'p',
      {},
      `${formatCount(running, 'job')} running, ${formatCount(waiting.length, 'job')} waiting`,
    ),
    ...createQueueElements(model, run, outcome, waiting),
    ...createFreeProcessorsElements(run, free),
  ];
}

/**
 * Creates a button that asks every policy for the next decision (or the reason why none can be asked), and
 * the answers.
 */
function createPolicyChooser(controller: ExplorerController, pause: () => void): readonly HTMLElement[] {
  const { model } = controller;
  const answers = createElement('div', { 'aria-live': 'polite' });
  const noPolicyChoiceNote = createElement('p', { className: 'hint' });
  const askPoliciesButton = createButton('What would each policy choose?', () => void askAllPolicies());
  const askAllPolicies = async () => {
    const { run, outcome } = model;
    if (run === undefined || outcome === undefined) return;
    pause();
    answers.replaceChildren(createElement('p', { className: 'hint' }, 'asking every policy…'));
    try {
      const time = model.cursor ?? model.view.from;
      const decisions = await controller.client.ask('choices', { run: run.id, time });
      answers.replaceChildren(
        ...(decisions.noChoiceReason === ''
          ? createPolicyChoiceList(decisions, model.when(decisions.time))
          : [createElement('p', {}, decisions.noChoiceReason)]),
      );
    } catch (error) {
      answers.replaceChildren(createElement('p', {}, (error as Error).message));
    }
  };
  model.outcomeChanged.on(() => {
    answers.replaceChildren();
    const reason = model.run?.noChoice ?? '';
    askPoliciesButton.hidden = reason !== '';
    noPolicyChoiceNote.textContent =
      reason === '' ? '' : `${reason} What if, below, tries disciplines and orders.`;
  });
  return [createElement('div', { className: 'actions' }, askPoliciesButton), noPolicyChoiceNote, answers];
}

export function createTimePanel(controller: ExplorerController): HTMLElement {
  const { model } = controller;
  const stateElement = createElement('div', { 'aria-live': 'polite' });
  const { element, pause } = createPlaybackControls(model);
  const show = () => {
    const { run, outcome } = model;
    if (run !== undefined && outcome !== undefined)
      replaceChildren(stateElement, ...createSelectedTimeElements(model, run, outcome));
  };
  model.timeSelected.on(show);
  model.outcomeChanged.on(show);
  return createElement(
    'section',
    {},
    element,
    stateElement,
    ...createPolicyChooser(controller, pause),
    createWhatIfForm(controller),
  );
}
