/** Tooltip of a job: two lines at once, and its explanation as soon as the worker has sent it. */
import type { ExplorerController } from '../controller.js';
import { createElement, replaceChildren } from '../dom.js';
import type { GanttChart } from '../gantt/chart.js';
import { describeJobInTwoLines, describePromisedStart } from '../words.js';

/** Milliseconds that the pointer rests before the explanation is requested. */
const POINTER_REST_DELAY_MS = 250;

/** Tooltip of the Gantt charts. */
export class GanttTooltip {
  readonly element = createElement('div', { className: 'tooltip', role: 'tooltip', hidden: true });
  readonly #controller: ExplorerController;
  #timer = 0;
  #requestCount = 0;

  constructor(controller: ExplorerController) {
    this.#controller = controller;
  }

  /** Shows the job under the pointer; hides the tooltip if there is none. */
  showJobUnderPointer(chart: GanttChart, event: PointerEvent | undefined): void {
    const { model } = this.#controller;
    const job = event && chart.jobAt(event.offsetX, event.offsetY);
    if (job !== model.hovered) {
      model.hovered = job;
      model.timeSelected.notify();
      this.#showJob(chart, job);
    }
    if (event === undefined || job === undefined) return;
    const { innerWidth } = window;
    const width = Math.min(360, innerWidth - 24);
    this.element.style.maxWidth = `${width}px`;
    this.element.style.left = `${Math.min(event.clientX + 14, innerWidth - width - 8)}px`;
    this.element.style.top = `${event.clientY + 16}px`;
  }

  #showJob(chart: GanttChart, job: number | undefined): void {
    clearTimeout(this.#timer);
    const { model, client } = this.#controller;
    const { run } = chart;
    this.element.hidden = job === undefined;
    if (job === undefined || run === undefined || model.outcome === undefined) return;
    const [jobLine, waitLine] = describeJobInTwoLines(model.outcome, run, job);
    const promisedStartText = describePromisedStart(model.outcome, run, job);
    replaceChildren(
      this.element,
      createElement('b', {}, jobLine),
      createElement('div', {}, waitLine),
      promisedStartText !== '' && createElement('div', {}, promisedStartText),
    );
    const requestNumber = ++this.#requestCount;
    this.#timer = window.setTimeout(async () => {
      const story = await client.ask('story', { run: run.id, job }).catch(() => undefined);
      if (requestNumber !== this.#requestCount || story === undefined) return;
      const { summary: explanationSummary, events } = story.waits[story.waits.length - 1];
      this.element.append(
        createElement(
          'p',
          {},
          explanationSummary || events.map(({ text: explanationText }) => explanationText).join('; '),
        ),
      );
    }, POINTER_REST_DELAY_MS);
  }
}
