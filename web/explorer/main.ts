/** Assembles the page. */
import { EXPLORER_STYLE_TOKENS, TABLE_CARDS_CSS } from '../../host/view/tokens.js';
import { DARK_DRAWING_CSS_RULES } from './charts/looks.js';
import { ExplorerController } from './controller.js';
import { createButton, createElement } from './dom.js';
import { currentTheme, ExplorerModel } from './model.js';
import { createChartsPanel } from './panels/charts.js';
import { createDistributionsPanel } from './panels/distributionsPanel.js';
import { createCodeEditorPanel } from './panels/editor.js';
import { createExportsPanel } from './panels/exportsPanel.js';
import { createFindPanel } from './panels/findPanel.js';
import { createMetricsPanel } from './panels/metricsPanel.js';
import { createTimePanel } from './panels/momentPanel.js';
import { createReplicationsPanel } from './panels/replicationsPanel.js';
import { createFolderResultsPanel } from './panels/resultsPanel.js';
import { createExampleScenesPanel } from './panels/scenes.js';
import { createSetupBar } from './panels/setupBar.js';
import { createSidePanel } from './panels/side.js';
import { createSpanPanel } from './panels/spanPanel.js';
import { createJobExplanationPanel } from './panels/storyPanel.js';
import { createToolbar } from './panels/toolbar.js';
import { summarizeOutcome } from './words.js';

const drawingStyleSheet = new CSSStyleSheet();
drawingStyleSheet.replaceSync(`${EXPLORER_STYLE_TOKENS}\n${TABLE_CARDS_CSS}\n${DARK_DRAWING_CSS_RULES}`);
document.adoptedStyleSheets = [drawingStyleSheet];

const explorerModel = new ExplorerModel();
const explorerController = new ExplorerController(explorerModel);

const conclusionElement = createElement(
  'p',
  { className: 'sentence', role: 'status', id: 'sentence' },
  'Loading the simulator…',
);
const faultElement = createElement('p', { className: 'fault', role: 'alert', hidden: true });
const remedyButtonsElement = createElement('div', {
  className: 'actions',
  hidden: true,
  role: 'group',
  'aria-label': 'What may help',
});
const busyIndicator = createElement(
  'span',
  { className: 'busy', hidden: true },
  'working… ',
  createButton('Stop', () => void explorerController.stop()),
);

/** Creates buttons for the remedies named in an error sentence. */
function createRemedyButtons(errorSentence: string): HTMLElement[] {
  const { setup, catalogue } = explorerModel;
  return [...errorSentence.matchAll(/--([a-z-]+) (\w+)/g)].flatMap(
    ([optionWithValue, optionName, optionValue]) => {
      const option = catalogue?.options.find((option) => option.name === optionName);
      if (option === undefined || setup.options[optionName] === optionValue) return [];
      if (!option.isOpen && !option.choices.includes(optionValue)) return [];
      const options = { ...setup.options, [optionName]: optionValue };
      return [
        createButton(optionWithValue.slice(2).replaceAll('-', ' '), () =>
          explorerController.change({ ...setup, options }),
        ),
      ];
    },
  );
}

const undoButton = createButton('↶', () => history.back(), 'Undo the last step', 'quiet');
const redoButton = createButton('↷', () => history.forward(), 'Redo the last step', 'quiet');
const themeButton = createButton(
  '◐',
  () => {
    document.documentElement.dataset.theme = currentTheme() === 'dark' ? 'light' : 'dark';
    explorerModel.settingsChanged.notify();
    explorerModel.outcomeChanged.notify();
  },
  'Light or dark',
  'quiet',
);

explorerController.state.on(() => {
  if (faultElement.textContent !== explorerController.fault)
    faultElement.textContent = explorerController.fault;
  const hasFailedWithoutOutcome = explorerController.fault !== '' && explorerModel.outcome === undefined;
  if (hasFailedWithoutOutcome) conclusionElement.textContent = '';
  document.querySelector('main')?.classList.toggle('is-empty', hasFailedWithoutOutcome);
  const remedyButtons = createRemedyButtons(explorerController.fault);
  remedyButtonsElement.replaceChildren(...remedyButtons);
  remedyButtonsElement.hidden = remedyButtons.length === 0;
  faultElement.hidden = explorerController.fault === '';
  busyIndicator.hidden = !explorerController.isWorking;
  undoButton.disabled = !explorerController.steps.back;
  redoButton.disabled = !explorerController.steps.forward;
});

explorerModel.outcomeChanged.on(() => {
  const { outcome } = explorerModel;
  if (outcome === undefined) return;
  conclusionElement.textContent = summarizeOutcome(outcome, explorerModel.meanWaitBefore);
});

const appRootElement = document.getElementById('app') as HTMLElement;
const findJobPanel = createFindPanel(explorerController);
const jobExplanationPanel = createJobExplanationPanel(explorerController);
const selectedTimePanel = createTimePanel(explorerController);
const timeSpanPanel = createSpanPanel(explorerController);
const sidePanel = createSidePanel([
  { name: 'Find', panel: findJobPanel.element },
  { name: 'Job', panel: jobExplanationPanel },
  { name: 'Moment', panel: selectedTimePanel },
  { name: 'Span', panel: timeSpanPanel },
]);
explorerModel.jobSelected.on(() => explorerModel.selected !== undefined && sidePanel.showTab('Job'));
explorerModel.timeSelected.on(
  () =>
    explorerModel.pointed !== undefined && explorerModel.cursor !== undefined && sidePanel.showTab('Moment'),
);
explorerModel.spanChanged.on(() => explorerModel.span !== undefined && sidePanel.showTab('Span'));
const workbenchElement = createElement('div', { className: 'workbench' });
const chartsOverTimePanel = createChartsPanel(explorerController, () => {
  sidePanel.showTab('Job');
  jobExplanationPanel.focus();
});
const folderResultsElement = createElement('div', { hidden: true });
const codeEditor = createCodeEditorPanel(explorerController);
const replicationsPanel = createReplicationsPanel(explorerController);
workbenchElement.append(chartsOverTimePanel.element, sidePanel.element);
const exampleScenes = createExampleScenesPanel(explorerController, {
  showTab: sidePanel.openTab,
  showJobList: findJobPanel.showList,
  runReplications: replicationsPanel.run,
  openPolicyEditor: codeEditor.edit,
});
appRootElement.append(
  createElement(
    'header',
    {},
    createButton('Skip to the charts', () => chartsOverTimePanel.gantts[0].stage.focus(), undefined, 'skip'),
    createElement('h1', {}, 'gridalloc ', createElement('span', {}, 'explorer')),
    exampleScenes,
    busyIndicator,
    createElement('div', { className: 'actions' }, undoButton, redoButton, themeButton),
  ),
  createElement(
    'main',
    {},
    conclusionElement,
    createElement(
      'div',
      { className: 'asking' },
      createSetupBar(explorerController, codeEditor.edit),
      faultElement,
      codeEditor.notice,
      remedyButtonsElement,
    ),
    createToolbar(explorerController),
    workbenchElement,
    folderResultsElement,
    createMetricsPanel(explorerModel),
    createDistributionsPanel(explorerModel),
    codeEditor.element,
    replicationsPanel.element,
    createExportsPanel(explorerController, chartsOverTimePanel.gantts, replicationsPanel.count),
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
  void explorerController.open([...(event.dataTransfer?.files ?? [])]);
});

/** Exposes positions of jobs and drawing times to tests and measurements. */
Object.assign(window, {
  explorer: { model: explorerModel, controller: explorerController, charts: chartsOverTimePanel.gantts },
});

explorerController.start().then(
  () => folderResultsElement.replaceWith(createFolderResultsPanel(explorerController.results)),
  (error: Error) => {
    conclusionElement.textContent = `The explorer cannot start: ${error.message}`;
  },
);
