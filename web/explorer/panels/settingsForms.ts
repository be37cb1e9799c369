/** Forms for jobs and options, created from the library's declarations. */
import type { ExplorerController } from '../controller.js';
import { button, h } from '../dom.js';
import type { ExplorerModel } from '../model.js';
import type { OptionForm } from '../protocol.js';
import { METHOD_OPTION_FIELDS, optionField } from './optionField.js';

const OPTIONS_SHOWN_ELSEWHERE = [...METHOD_OPTION_FIELDS, 'workload', 'replication'];
const GRID = 'Grid';

type SetOption = (name: string, text: string) => void;

/** Parses the values in the brackets of a notation such as `lublin99[jobs=1000]`. */
function bracketedParameters(text: string): ReadonlyMap<string, string> {
  const [, inside = ''] = /\[(.*)\]/.exec(text) ?? [];
  return new Map(
    inside.split(',').flatMap((part) => (part.includes('=') ? [part.split('=') as [string, string]] : [])),
  );
}

/** Creates the control that opens a log. */
function logFileChooser(controller: ExplorerController): HTMLElement {
  const chooser = h('input', {
    type: 'file',
    id: 'log-file',
    className: 'visually-hidden',
    tabIndex: -1,
    'aria-label': 'Job log',
    onchange: () => {
      const file = chooser.files?.[0];
      void controller.open(file === undefined ? [] : [file]);
    },
  });
  return h(
    'div',
    { className: 'actions' },
    button('Open a log…', () => chooser.click()),
    chooser,
    h('span', { className: 'hint' }, 'or drop one on the page: any format of logs, also .gz'),
  );
}

/** Lists the logs stored in this browser, with a button that deletes them; false if there are none. */
function storedLogsField(controller: ExplorerController): HTMLElement | false {
  const { storedLogs: kept, storageFault: notKept } = controller;
  if (notKept !== '') return h('p', { className: 'hint' }, notKept);
  if (kept.length === 0) return false;
  const words = `This browser keeps ${kept.join(', ')} for a reload; nothing is sent anywhere.`;
  const forget = button('Forget', () => void controller.forget(), 'Forget the logs that this browser keeps');
  return h('div', { className: 'actions kept' }, h('span', { className: 'hint' }, words), forget);
}

/** Creates the fields for the source of jobs: a log, or a model with parameters. */
export function workloadFields(
  controller: ExplorerController,
  setOption: SetOption,
): (HTMLElement | false)[] {
  const { model } = controller;
  const { workload } = model.setup.options;
  const { models } = model.catalogue;
  const current = models.find(({ name }) => workload === name || workload.startsWith(`${name}[`));
  const select = h(
    'select',
    { id: 'source', onchange: () => setOption('workload', select.value) },
    ...models.map(({ name, description }) =>
      h('option', { value: name, title: description }, `model ${name}`),
    ),
    ...[...new Set([...model.logs, ...(current === undefined ? [workload] : [])])].map((name) =>
      h('option', { value: name }, name),
    ),
  );
  select.value = current?.name ?? workload;
  const input = bracketedParameters(workload);
  const fields = (current?.parameters ?? []).map((parameter) => {
    const defaultValue = String(parameter.default);
    const option: OptionForm = {
      ...{ name: parameter.name, help: parameter.description, defaultText: defaultValue },
      ...{ heading: '', choices: [], isOpen: true, isSwitch: false },
    };
    const setParameter = (text: string) => {
      const values = new Map(input);
      if (text === '' || text === defaultValue) values.delete(parameter.name);
      else values.set(parameter.name, text);
      const inside = [...values].map((pair) => pair.join('=')).join(',');
      setOption('workload', `${current?.name}${inside === '' ? '' : `[${inside}]`}`);
    };
    return optionField(option, input.get(parameter.name) ?? '', setParameter, `model-${parameter.name}`);
  });
  const usualParameterNames = ['jobs', 'seed', 'aarr', 'arrFactor'];
  const names = current?.parameters.map(({ name }) => name) ?? [];
  const isDefault = (_: unknown, i: number) => usualParameterNames.includes(names[i]);
  const rareFields = fields.filter((field, i) => !isDefault(field, i));
  const more = h(
    'details',
    { className: 'group' },
    h('summary', {}, 'More of the model'),
    h('div', { className: 'fields' }, ...rareFields),
  );
  more.dataset.heading = 'model';
  return [
    h('div', { className: 'field' }, h('label', { htmlFor: 'source' }, 'from'), select),
    ...fields.filter(isDefault),
    rareFields.length > 0 && more,
    logFileChooser(controller),
    storedLogsField(controller),
  ];
}

const fieldOfOption = ({ setup }: ExplorerModel, option: OptionForm, setOption: SetOption) =>
  optionField(
    option,
    setup.options[option.name] ?? '',
    (text) => setOption(option.name, text),
    `option-${option.name}`,
  );

/** Creates the fields of the grid options. */
export function gridFields(model: ExplorerModel, setOption: SetOption): HTMLElement[] {
  const options = model.catalogue.options.filter(({ heading }) => heading === GRID);
  return options.map((option) => fieldOfOption(model, option, setOption));
}

/** Groups all other options by heading, and counts those that are set. */
export function otherOptionGroups(
  model: ExplorerModel,
  setOption: SetOption,
): { readonly groups: readonly HTMLDetailsElement[]; readonly changed: number } {
  const { catalogue, setup } = model;
  const options = catalogue.options.filter(
    ({ name, heading }) => heading !== GRID && !OPTIONS_SHOWN_ELSEWHERE.includes(name),
  );
  const isOptionSet = ({ name }: OptionForm) => setup.options[name] !== undefined;
  const groups = catalogue.headings.flatMap((heading) => {
    const own = options.filter((option) => option.heading === heading);
    if (own.length === 0) return [];
    const changed = own.filter(isOptionSet).length;
    const group = h(
      'details',
      { className: 'group' },
      h('summary', {}, heading, changed > 0 && h('small', {}, ` ${changed} set`)),
      h('div', { className: 'fields' }, ...own.map((option) => fieldOfOption(model, option, setOption))),
    );
    group.dataset.heading = heading;
    return [group];
  });
  return { groups, changed: options.filter(isOptionSet).length };
}
