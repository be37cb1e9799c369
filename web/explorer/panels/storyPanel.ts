/** Explains the selected job: events during its wait, and the choice of its site. */
import { formatDistinctDurations } from '../../../host/format/numbers.js';
import type { ExplorerController } from '../controller.js';
import { button, h, replaceChildren } from '../dom.js';
import type { Story } from '../protocol.js';
import { jobFacts, promiseText } from '../words.js';

const HINT = 'Point at a job, click on it, or search for it: its explanation appears here.';

export function storyPanel(controller: ExplorerController): HTMLElement {
  const { model } = controller;
  const body = h('div', { 'aria-live': 'polite' });
  const element = h('section', { className: 'story' }, body);
  let requestCount = 0;
  const empty = () => body.replaceChildren(h('p', { className: 'hint' }, HINT));
  const renderStory = (story: Story, job: number) => {
    const { outcome, run } = model;
    if (outcome === undefined || run === undefined) return;
    const promise = promiseText(outcome, run, job);
    replaceChildren(
      body,
      h('p', {}, h('b', {}, story.headline)),
      h('p', { className: 'hint' }, story.rules),
      promise !== '' && h('p', { className: 'promise' }, promise),
      ...story.waits.flatMap(({ summary, events, decision, why }) => {
        const since = formatDistinctDurations(events.map(({ time }) => time - outcome.jobs.submit[job]));
        return [
          summary !== '' && h('p', {}, summary),
          h(
            'ol',
            { className: 'events' },
            ...events.map(({ time, text }, row) => {
              const when = button(
                model.when(time),
                () => model.moveTo(time),
                `Look at ${model.when(time)}`,
                'link',
              );
              return h('li', {}, when, h('span', { className: 'hint' }, ` +${since[row]!} `), text);
            }),
          ),
          h('details', {}, h('summary', {}, why), h('pre', { tabIndex: 0 }, decision)),
        ];
      }),
    );
  };
  const choose = async () => {
    const { selected, run, outcome } = model;
    if (selected === undefined || run === undefined || outcome === undefined) return empty();
    const mine = ++requestCount;
    body.replaceChildren(...jobFacts(outcome, run, selected).map((fact) => h('p', {}, fact)));
    try {
      const story = await controller.client.ask('story', { run: run.id, job: selected });
      if (mine === requestCount) renderStory(story, selected);
    } catch (error) {
      if (mine === requestCount) body.append(h('p', { className: 'hint' }, (error as Error).message));
    }
  };
  empty();
  model.jobSelected.on(() => {
    void choose();
    controller.remember();
  });
  model.outcomeChanged.on(() => void choose());
  return element;
}
