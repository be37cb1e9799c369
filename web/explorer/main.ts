/** The page put together. */
import { distributionChart } from './charts/distribution.js';
import { Controller } from './controller.js';
import { button, h } from './dom.js';
import { Model } from './model.js';
import { chartsPanel } from './panels/charts.js';
import { editorPanel } from './panels/editor.js';
import { exportsPanel } from './panels/exportsPanel.js';
import { methodsPanel } from './panels/methodsPanel.js';
import { metricsPanel } from './panels/metricsPanel.js';
import { momentPanel } from './panels/momentPanel.js';
import { replicationsPanel } from './panels/replicationsPanel.js';
import { settingsPanel } from './panels/settingsPanel.js';
import { storyPanel } from './panels/storyPanel.js';
import { toolbar } from './panels/toolbar.js';
import { conclusion } from './words.js';

const model = new Model();
const controller = new Controller(model);

const sentence = h('p', { className: 'sentence', role: 'status', id: 'sentence' }, 'Loading the simulator…');
const remarks = h('ul', { className: 'remarks' });
const fault = h('p', { className: 'fault', role: 'alert', hidden: true });
const fixes = h('div', { className: 'actions', hidden: true, role: 'group', 'aria-label': 'What may help' });
const busy = h(
  'span',
  { className: 'busy', hidden: true },
  'simulating… ',
  button('Stop', () => void controller.stop()),
);
const distributions = h('section', { className: 'card wide pair', 'aria-label': 'Distributions' });

/** What the sentence of a fault advises, as buttons. */
function advised(sentence: string): HTMLElement[] {
  const { setup, catalogue } = model;
  return [...sentence.matchAll(/--([a-z-]+) (\w+)/g)].flatMap(([words, name, text]) => {
    const option = catalogue?.options.find((each) => each.name === name);
    if (option === undefined || setup.options[name] === text) return [];
    if (!option.isOpen && !option.choices.includes(text)) return [];
    const options = { ...setup.options, [name]: text };
    return [button(words.slice(2).replaceAll('-', ' '), () => controller.change({ ...setup, options }))];
  });
}

controller.state.on(() => {
  fault.replaceChildren(controller.fault);
  if (controller.fault !== '' && model.outcome === undefined) sentence.textContent = '';
  const buttons = advised(controller.fault);
  fixes.replaceChildren(...buttons);
  fixes.hidden = buttons.length === 0;
  fault.hidden = controller.fault === '';
  busy.hidden = !controller.isBusy;
  document.body.classList.toggle('is-stale', controller.fault !== '');
});

model.answered.on(() => {
  const { outcome, runs } = model;
  if (outcome === undefined) return;
  sentence.textContent = conclusion(outcome);
  remarks.replaceChildren(...outcome.remarks.map((remark) => h('li', {}, remark)));
  distributions.replaceChildren(
    distributionChart('Share of jobs that waited no longer', runs, ({ waits }) => waits, true),
    distributionChart(
      'Share of jobs with no larger bounded slowdown',
      runs,
      ({ slowdowns }) => slowdowns,
      false,
    ),
  );
});

const header = h(
  'header',
  {},
  h('h1', {}, 'gridalloc ', h('span', {}, 'explorer')),
  busy,
  h('div', { className: 'actions' }),
);
const app = document.getElementById('app') as HTMLElement;
app.append(header);
const charts = chartsPanel(controller);
const editor = editorPanel(controller);
const replications = replicationsPanel(controller);
const side = h(
  'aside',
  { 'aria-label': 'Settings' },
  settingsPanel(controller, methodsPanel(controller, editor.edit)),
);
app.append(
  h(
    'div',
    { className: 'columns' },
    side,
    h(
      'main',
      {},
      sentence,
      fault,
      fixes,
      remarks,
      toolbar(model),
      charts.element,
      momentPanel(controller),
      storyPanel(controller),
      metricsPanel(model),
      distributions,
      editor.element,
      replications.element,
      exportsPanel(controller, replications.count),
    ),
  ),
);

addEventListener('dragover', (event) => {
  event.preventDefault();
  document.body.classList.add('is-dropping');
});
addEventListener('dragleave', () => document.body.classList.remove('is-dropping'));
addEventListener('drop', (event) => {
  event.preventDefault();
  document.body.classList.remove('is-dropping');
  void controller.open([...(event.dataTransfer?.files ?? [])]);
});

/** For tests, and for whoever measures: where jobs are, and how long drawings took. */
Object.assign(window, {
  explorer: { model, controller, charts: charts.gantts },
});

controller.start().catch((error: Error) => {
  sentence.textContent = `The explorer cannot start: ${error.message}`;
});
