/** Assembles the page. */
import { EXPLORER_STYLE_TOKENS, TABLE_CARDS_CSS } from '../../host/view/tokens.js';
import { DRAWING_COLORS } from './charts/looks.js';
import { ExplorerController } from './controller.js';
import { button, h } from './dom.js';
import { currentTheme, ExplorerModel } from './model.js';
import { chartsPanel } from './panels/charts.js';
import { distributionsPanel } from './panels/distributionsPanel.js';
import { editorPanel } from './panels/editor.js';
import { exportsPanel } from './panels/exportsPanel.js';
import { findPanel } from './panels/findPanel.js';
import { metricsPanel } from './panels/metricsPanel.js';
import { momentPanel } from './panels/momentPanel.js';
import { replicationsPanel } from './panels/replicationsPanel.js';
import { resultsPanel } from './panels/resultsPanel.js';
import { scenesPanel } from './panels/scenes.js';
import { setupBar } from './panels/setupBar.js';
import { sidePanel } from './panels/side.js';
import { spanPanel } from './panels/spanPanel.js';
import { storyPanel } from './panels/storyPanel.js';
import { toolbar } from './panels/toolbar.js';
import { conclusionText } from './words.js';

const styleTokens = new CSSStyleSheet();
styleTokens.replaceSync(`${EXPLORER_STYLE_TOKENS}\n${TABLE_CARDS_CSS}\n${DRAWING_COLORS}`);
document.adoptedStyleSheets = [styleTokens];

const model = new ExplorerModel();
const controller = new ExplorerController(model);

const sentence = h('p', { className: 'sentence', role: 'status', id: 'sentence' }, 'Loading the simulator…');
const fault = h('p', { className: 'fault', role: 'alert', hidden: true });
const remedyButtons = h('div', {
  className: 'actions',
  hidden: true,
  role: 'group',
  'aria-label': 'What may help',
});
const busy = h(
  'span',
  { className: 'busy', hidden: true },
  'working… ',
  button('Stop', () => void controller.stop()),
);

/** Creates buttons for the remedies named in an error sentence. */
function adviceElements(sentence: string): HTMLElement[] {
  const { setup, catalogue } = model;
  return [...sentence.matchAll(/--([a-z-]+) (\w+)/g)].flatMap(([words, name, text]) => {
    const option = catalogue?.options.find((each) => each.name === name);
    if (option === undefined || setup.options[name] === text) return [];
    if (!option.isOpen && !option.choices.includes(text)) return [];
    const options = { ...setup.options, [name]: text };
    return [button(words.slice(2).replaceAll('-', ' '), () => controller.change({ ...setup, options }))];
  });
}

const undoButton = button('↶', () => history.back(), 'Undo the last step', 'quiet');
const redoButton = button('↷', () => history.forward(), 'Redo the last step', 'quiet');
const theme = button(
  '◐',
  () => {
    document.documentElement.dataset.theme = currentTheme() === 'dark' ? 'light' : 'dark';
    model.settingsChanged.notify();
    model.outcomeChanged.notify();
  },
  'Light or dark',
  'quiet',
);

controller.state.on(() => {
  if (fault.textContent !== controller.fault) fault.textContent = controller.fault;
  const hasNoOutcome = controller.fault !== '' && model.outcome === undefined;
  if (hasNoOutcome) sentence.textContent = '';
  document.querySelector('main')?.classList.toggle('is-empty', hasNoOutcome);
  const buttons = adviceElements(controller.fault);
  remedyButtons.replaceChildren(...buttons);
  remedyButtons.hidden = buttons.length === 0;
  fault.hidden = controller.fault === '';
  busy.hidden = !controller.isWorking;
  undoButton.disabled = !controller.steps.back;
  redoButton.disabled = !controller.steps.on;
});

model.outcomeChanged.on(() => {
  const { outcome } = model;
  if (outcome === undefined) return;
  sentence.textContent = conclusionText(outcome, model.earlier);
});

const appElement = document.getElementById('app') as HTMLElement;
const find = findPanel(controller);
const story = storyPanel(controller);
const moment = momentPanel(controller);
const span = spanPanel(controller);
const observedSide = sidePanel([
  { name: 'Find', panel: find.element },
  { name: 'Job', panel: story },
  { name: 'Moment', panel: moment },
  { name: 'Span', panel: span },
]);
model.jobSelected.on(() => model.selected !== undefined && observedSide.show('Job'));
model.timeSelected.on(
  () => model.pointed !== undefined && model.cursor !== undefined && observedSide.show('Moment'),
);
model.spanChanged.on(() => model.span !== undefined && observedSide.show('Span'));
const workbenchElement = h('div', { className: 'workbench' });
const charts = chartsPanel(controller, () => {
  observedSide.show('Job');
  story.focus();
});
const results = h('div', { hidden: true });
const codeEditor = editorPanel(controller);
const replications = replicationsPanel(controller);
workbenchElement.append(charts.element, observedSide.element);
const scenesSidePanel = scenesPanel(controller, {
  show: observedSide.open,
  list: find.list,
  replicate: replications.run,
  write: codeEditor.edit,
});
appElement.append(
  h(
    'header',
    {},
    button('Skip to the charts', () => charts.gantts[0].stage.focus(), undefined, 'skip'),
    h('h1', {}, 'gridalloc ', h('span', {}, 'explorer')),
    scenesSidePanel,
    busy,
    h('div', { className: 'actions' }, undoButton, redoButton, theme),
  ),
  h(
    'main',
    {},
    sentence,
    h(
      'div',
      { className: 'asking' },
      setupBar(controller, codeEditor.edit),
      fault,
      codeEditor.notice,
      remedyButtons,
    ),
    toolbar(controller),
    workbenchElement,
    results,
    metricsPanel(model),
    distributionsPanel(model),
    codeEditor.element,
    replications.element,
    exportsPanel(controller, charts.gantts, replications.count),
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

/** Exposes positions of jobs and drawing times to tests and measurements. */
Object.assign(window, {
  explorer: { model, controller, charts: charts.gantts },
});

controller.start().then(
  () => results.replaceWith(resultsPanel(controller.results)),
  (error: Error) => {
    sentence.textContent = `The explorer cannot start: ${error.message}`;
  },
);
