/** Forms for jobs and options, created from the library's declarations. */
import type { ExplorerController } from '../controller.js';
import { createButton, createElement } from '../dom.js';
import type { ExplorerModel } from '../model.js';
import type { OptionFormDeclaration } from '../protocol.js';
import { createOptionField, OPTION_NAMES_SET_PER_METHOD } from './optionField.js';

const OPTION_NAMES_SHOWN_ELSEWHERE = [...OPTION_NAMES_SET_PER_METHOD, 'workload', 'replication'];
const GRID_OPTIONS_HEADING = 'Grid';

type SetOptionFunction = (name: string, text: string) => void;

/** Parses the values in the brackets of a notation such as `lublin99[jobs=1000]`. */
function parseBracketedParameters(notation: string): ReadonlyMap<string, string> {
  const [, bracketText = ''] = /\[(.*)\]/.exec(notation) ?? [];
  return new Map(
    bracketText
      .split(',')
      .flatMap((part) => (part.includes('=') ? [part.split('=') as [string, string]] : [])),
  );
}

/** Creates the control that opens a log. */
function createLogFileChooser(controller: ExplorerController): HTMLElement {
  const fileInput = createElement('input', {
    type: 'file',
    id: 'log-file',
    className: 'visually-hidden',
    tabIndex: -1,
    'aria-label': 'Job log',
    onchange: () => {
      const file = fileInput.files?.[0];
      void controller.open(file === undefined ? [] : [file]);
    },
  });
  return createElement(
    'div',
    { className: 'actions' },
    createButton('Open a log…', () => fileInput.click()),
    fileInput,
    createElement('span', { className: 'hint' }, 'or drop one on the page: any format of logs, also .gz'),
  );
}

/** Lists the logs stored in this browser, with a button that deletes them; false if there are none. */
function createStoredLogsField(controller: ExplorerController): HTMLElement | false {
  const { storedLogs, storageFault } = controller;
  if (storageFault !== '') return createElement('p', { className: 'hint' }, storageFault);
  if (storedLogs.length === 0) return false;
  const storedLogsSentence = `This browser keeps ${storedLogs.join(', ')} for a reload; nothing is sent anywhere.`;
  const forgetStoredLogsButton = createButton(
    'Forget',
    () => void controller.forgetJob(),
    'Forget the logs that this browser keeps',
  );
  return createElement(
    'div',
    { className: 'actions kept' },
    createElement('span', { className: 'hint' }, storedLogsSentence),
    forgetStoredLogsButton,
  );
}

/** Creates the fields for the source of jobs: a log, or a model with parameters. */
export function createWorkloadFields(
  controller: ExplorerController,
  setOption: SetOptionFunction,
): (HTMLElement | false)[] {
  const { model } = controller;
  const { workload } = model.setup.options;
  const { models } = model.catalogue;
  const currentModel = models.find(({ name }) => workload === name || workload.startsWith(`${name}[`));
  const modelSelect = createElement(
    'select',
    { id: 'source', onchange: () => setOption('workload', modelSelect.value) },
    ...models.map(({ name, description: catalogueDescription }) =>
      createElement('option', { value: name, title: catalogueDescription }, `model ${name}`),
    ),
    ...[...new Set([...model.logs, ...(currentModel === undefined ? [workload] : [])])].map((name) =>
      createElement('option', { value: name }, name),
    ),
  );
  modelSelect.value = currentModel?.name ?? workload;
  const modelParameterTexts = parseBracketedParameters(workload);
  const modelParameterFields = (currentModel?.parameters ?? []).map((parameter) => {
    const defaultValue = String(parameter.default);
    const option: OptionFormDeclaration = {
      ...{ name: parameter.name, help: parameter.description, defaultText: defaultValue },
      ...{ heading: '', choices: [], isOpen: true, isSwitch: false },
    };
    const setModelParameter = (parameterText: string) => {
      const parameterTexts = new Map(modelParameterTexts);
      if (parameterText === '' || parameterText === defaultValue) parameterTexts.delete(parameter.name);
      else parameterTexts.set(parameter.name, parameterText);
      const bracketText = [...parameterTexts].map((pair) => pair.join('=')).join(',');
      setOption('workload', `${currentModel?.name}${bracketText === '' ? '' : `[${bracketText}]`}`);
    };
    const parameterText = modelParameterTexts.get(parameter.name) ?? '';
    return createOptionField(option, parameterText, setModelParameter, `model-${parameter.name}`);
  });
  const commonParameterNames = ['jobs', 'seed', 'aarr', 'arrFactor'];
  const parameterNames = currentModel?.parameters.map(({ name }) => name) ?? [];
  const isCommonParameter = (_: unknown, i: number) => commonParameterNames.includes(parameterNames[i]);
  const rareFields = modelParameterFields.filter((field, i) => !isCommonParameter(field, i));
  const rareFieldsDetails = createElement(
    'details',
    { className: 'group' },
    createElement('summary', {}, 'More of the model'),
    createElement('div', { className: 'fields' }, ...rareFields),
  );
  rareFieldsDetails.dataset.heading = 'model';
  const sourceLabelElement = createElement('label', { htmlFor: 'source' }, 'from');
  return [
    createElement('div', { className: 'field' }, sourceLabelElement, modelSelect),
    ...modelParameterFields.filter(isCommonParameter),
    rareFields.length > 0 && rareFieldsDetails,
    createLogFileChooser(controller),
    createStoredLogsField(controller),
  ];
}

const createFieldOfOption = (
  { setup }: ExplorerModel,
  option: OptionFormDeclaration,
  setOption: SetOptionFunction,
) =>
  createOptionField(
    option,
    setup.options[option.name] ?? '',
    (text) => setOption(option.name, text),
    `option-${option.name}`,
  );

/** Creates the fields of the grid options. */
export function createGridFields(model: ExplorerModel, setOption: SetOptionFunction): HTMLElement[] {
  const options = model.catalogue.options.filter(
    ({ heading: formHeading }) => formHeading === GRID_OPTIONS_HEADING,
  );
  return options.map((option) => createFieldOfOption(model, option, setOption));
}

/** Groups all other options by heading, and counts those that are set. */
export function createOtherOptionGroups(
  model: ExplorerModel,
  setOption: SetOptionFunction,
): { readonly groups: readonly HTMLDetailsElement[]; readonly changedCount: number } {
  const { catalogue, setup } = model;
  const options = catalogue.options.filter(
    ({ name: optionName, heading: formHeading }) =>
      formHeading !== GRID_OPTIONS_HEADING && !OPTION_NAMES_SHOWN_ELSEWHERE.includes(optionName),
  );
  const isOptionSet = ({ name: optionName }: OptionFormDeclaration) =>
    setup.options[optionName] !== undefined;
  const optionGroupElements = catalogue.headings.flatMap((heading) => {
    const optionsUnderHeading = options.filter((option) => option.heading === heading);
    if (optionsUnderHeading.length === 0) return [];
    const changedOptions = optionsUnderHeading.filter(isOptionSet).length;
    const optionGroupElement = createElement(
      'details',
      { className: 'group' },
      createElement(
        'summary',
        {},
        heading,
        changedOptions > 0 && createElement('small', {}, ` ${changedOptions} set`),
      ),
      createElement(
        'div',
        { className: 'fields' },
        ...optionsUnderHeading.map((option) => createFieldOfOption(model, option, setOption)),
      ),
    );
    optionGroupElement.dataset.heading = heading;
    return [optionGroupElement];
  });
  return { groups: optionGroupElements, changedCount: options.filter(isOptionSet).length };
}
