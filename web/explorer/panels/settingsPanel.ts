/** What is simulated: jobs and options, in forms made from the declarations of the library. */
import type { Controller } from '../controller.js';
import { button, h } from '../dom.js';
import type { OptionForm, Texts } from '../protocol.js';

/** Options that each method has for itself, or that the page sets otherwise. */
export const METHOD_OPTIONS = ['policy', 'discipline', 'order', 'backfill-order'];
const ELSEWHERE = [...METHOD_OPTIONS, 'workload', 'replication'];
/** Headings whose options are seen at once. */
const OPEN = ['Grid'];

/** A field for an option; tells its text, empty where it is not given. */
export function optionField(
  option: OptionForm,
  value: string,
  tell: (text: string) => void,
  id: string,
): HTMLElement {
  const { name, help, choices, isOpen, isSwitch, usual } = option;
  const described = { id, title: help };
  const label = h('label', { htmlFor: id }, name.replaceAll('-', ' '));
  if (isSwitch) {
    const box = h('input', {
      ...described,
      type: 'checkbox',
      checked: value === 'true',
      onchange: () => tell(box.checked ? 'true' : ''),
    });
    return h('div', { className: 'field switch' }, box, label);
  }
  if (choices.length > 0 && !isOpen) {
    const none = h('option', { value: '' }, usual === '' ? 'not set' : usual);
    const select = h(
      'select',
      { ...described, onchange: () => tell(select.value) },
      none,
      ...choices.filter((choice) => choice !== usual).map((choice) => h('option', { value: choice }, choice)),
    );
    select.value = value === usual ? '' : value;
    return h('div', { className: 'field' }, label, select);
  }
  const input = h('input', {
    ...described,
    type: 'text',
    value,
    placeholder: usual,
    spellcheck: false,
    autocomplete: 'off',
    onchange: () => tell(input.value.trim()),
  });
  if (choices.length === 0) return h('div', { className: 'field' }, label, input);
  const list = h(
    'datalist',
    { id: `${id}-choices` },
    ...choices.map((choice) => h('option', { value: choice })),
  );
  input.setAttribute('list', list.id);
  return h('div', { className: 'field' }, label, input, list);
}

/** Options with one changed; without it where the text is empty. */
export function withText(texts: Texts, name: string, text: string): Texts {
  const { [name]: _, ...others } = texts;
  return text === '' ? others : { ...others, [name]: text };
}

/** The values in the brackets of a notation such as `lublin99[jobs=1000]`. */
function bracketed(text: string): ReadonlyMap<string, string> {
  const [, inside = ''] = /\[(.*)\]/.exec(text) ?? [];
  return new Map(
    inside.split(',').flatMap((part) => (part.includes('=') ? [part.split('=') as [string, string]] : [])),
  );
}

function workloadFields(
  controller: Controller,
  setOption: (name: string, text: string) => void,
): HTMLElement {
  const { model } = controller;
  const { workload } = model.setup.options;
  const { models } = model.catalogue;
  const current = models.find(({ name }) => workload === name || workload.startsWith(`${name}[`));
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
  const select = h(
    'select',
    { id: 'source', onchange: () => setOption('workload', select.value) },
    ...models.map(({ name, description }) =>
      h('option', { value: name, title: description }, `model ${name}`),
    ),
    ...(model.logName === undefined ? [] : [h('option', { value: model.logName }, model.logName)]),
    ...(current === undefined && workload !== model.logName
      ? [h('option', { value: workload }, workload)]
      : []),
  );
  select.value = current?.name ?? workload;
  const given = bracketed(workload);
  const fields = (current?.parameters ?? []).map((parameter) => {
    const usual = String(parameter.default);
    const option: OptionForm = {
      ...{ name: parameter.name, help: parameter.description, usual },
      ...{ heading: '', choices: [], isOpen: true, isSwitch: false },
    };
    const tell = (text: string) => {
      const values = new Map(given);
      if (text === '' || text === usual) values.delete(parameter.name);
      else values.set(parameter.name, text);
      const inside = [...values].map((pair) => pair.join('=')).join(',');
      setOption('workload', `${current?.name}${inside === '' ? '' : `[${inside}]`}`);
    };
    return optionField(option, given.get(parameter.name) ?? '', tell, `model-${parameter.name}`);
  });
  const usualNames = ['jobs', 'seed', 'aarr', 'arrFactor'];
  const names = current?.parameters.map(({ name }) => name) ?? [];
  const isUsual = (_: unknown, i: number) => usualNames.includes(names[i]);
  const rare = fields.filter((field, i) => !isUsual(field, i));
  return h(
    'section',
    { className: 'card' },
    h('h2', {}, 'Jobs'),
    h('div', { className: 'field' }, h('label', { htmlFor: 'source' }, 'from'), select),
    ...fields.filter(isUsual),
    rare.length > 0 && h('details', {}, h('summary', {}, 'More of the model'), ...rare),
    h(
      'div',
      { className: 'actions' },
      button('Open a log…', () => chooser.click()),
      chooser,
    ),
    h('p', { className: 'hint' }, 'or drop one on the page: SWF, also .gz'),
  );
}

/** The forms of jobs and of all options that methods share; made anew where the setup has become another. */
export function settingsPanel(controller: Controller, methods: HTMLElement): HTMLElement {
  const element = h('div', { className: 'settings' });
  const { model } = controller;
  let said = '';
  const render = () => {
    const { setup, catalogue } = model;
    const key = JSON.stringify([setup.options, model.logName]);
    if (catalogue === undefined || key === said) return;
    said = key;
    const focused = document.activeElement?.id ?? '';
    const opened = new Set(
      [...element.querySelectorAll('details[open]')].map((each) => (each as HTMLElement).dataset.heading),
    );
    const setOption = (name: string, text: string) =>
      controller.change({ ...model.setup, options: withText(model.setup.options, name, text) });
    const groups = catalogue.headings.map((heading) => {
      const options = catalogue.options.filter(
        (each) => each.heading === heading && !ELSEWHERE.includes(each.name),
      );
      const fields = options.map((option) =>
        optionField(
          option,
          setup.options[option.name] ?? '',
          (text) => setOption(option.name, text),
          `option-${option.name}`,
        ),
      );
      const changed = options.filter(({ name }) => setup.options[name] !== undefined).length;
      const summary = h(
        'summary',
        {},
        h('h2', {}, heading),
        changed > 0 && h('small', {}, ` ${changed} set`),
      );
      const group = h(
        'details',
        { className: 'card', open: OPEN.includes(heading) || opened.has(heading) },
        summary,
        ...fields,
      );
      group.dataset.heading = heading;
      return { heading, group, count: fields.length };
    });
    const shown = groups.filter(({ count }) => count > 0);
    const grid = shown.filter(({ heading }) => OPEN.includes(heading));
    const others = shown.filter(({ heading }) => !OPEN.includes(heading));
    element.replaceChildren(
      workloadFields(controller, setOption),
      ...grid.map(({ group }) => group),
      methods,
      ...others.map(({ group }) => group),
    );
    if (focused !== '') document.getElementById(focused)?.focus();
  };
  model.asked.on(render);
  model.answered.on(render);
  return element;
}
