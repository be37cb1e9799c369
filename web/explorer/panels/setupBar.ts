/**
 * The settings as one row of headings, each of which opens a form: jobs, grid, every method, other options.
 */
import { formatCount, formatNumber } from '../../../host/format/numbers.js';
import { lookOfRun } from '../charts/looks.js';
import type { ExplorerController } from '../controller.js';
import { button, colorSquare, h } from '../dom.js';
import { currentTheme, type ExplorerModel } from '../model.js';
import type { Texts } from '../protocol.js';
import { methodName, shortSource } from '../words.js';
import { markFaultyFields } from './faultyFields.js';
import { METHOD_OPTION_FIELDS, optionField, setOptionText } from './optionField.js';
import { gridFields, otherOptionGroups, workloadFields } from './settingsForms.js';

/** Largest number of methods with distinguishable colours. */
const MAX_METHODS = 8;

/**
 * Returns the last method with the first policy that no method uses; on one site, with the first such
 * discipline.
 */
function methodToAdd({ setup, catalogue, outcome }: ExplorerModel): Texts {
  const last = setup.methods[setup.methods.length - 1] ?? {};
  const name = outcome?.capacities.length === 1 ? 'discipline' : 'policy';
  const option = catalogue.options.find((each) => each.name === name);
  const all = name === 'policy' ? catalogue.policies.map((each) => each.name) : (option?.choices ?? []);
  const used = setup.methods.map((method) => (method[name] ?? option?.defaultText ?? '').replace(/\[.*/, ''));
  const free = all.find((each) => !used.includes(each));
  return free === undefined ? last : { ...last, [name]: free };
}

/** Returns the headings of jobs and grid. */
function headings({ setup, outcome }: ExplorerModel): readonly [string, string] {
  const { workload, sites } = setup.options;
  const source = shortSource(workload);
  if (outcome === undefined) return [source, sites === undefined ? 'as in the log' : gridText(sites)];
  return [`${source}, ${formatCount(outcome.jobs.count, 'job')}`, capacitiesText(outcome.capacities)];
}

function capacitiesText(capacities: readonly number[]): string {
  const processors = capacities.reduce((sum, capacity) => sum + capacity, 0);
  return `${formatCount(capacities.length, 'site')}, ${formatNumber(processors)} processors`;
}

/**
 * Describes sites that have not been simulated yet: their number if they are a list, otherwise the option's
 * text.
 */
function gridText(sites: string): string {
  const capacities = sites.split(',').map(Number);
  return capacities.every((capacity) => capacity > 0) ? capacitiesText(capacities) : sites;
}

/** Returns the name of a method; if it has been simulated, the name of its run. */
function nameOf({ setup, outcome, runs }: ExplorerModel, place: number): string {
  const method = setup.methods[place];
  const isEqual = JSON.stringify(outcome?.setup.methods) === JSON.stringify(setup.methods);
  return (isEqual ? runs[place]?.label : undefined) ?? methodName(method);
}

/** Creates the fields of a method's options. */
function methodFields(
  { catalogue, code, setup }: ExplorerModel,
  place: number,
  setMethods: (methods: readonly Texts[]) => void,
): HTMLElement[] {
  const method = setup.methods[place];
  const policies = [...catalogue.policies.map(({ notation }) => notation), ...code.map(({ name }) => name)];
  return METHOD_OPTION_FIELDS.flatMap((name) => {
    const option = catalogue.options.find((each) => each.name === name);
    if (option === undefined) return [];
    const isPolicy = name === 'policy';
    const set = (text: string) => setMethods(setup.methods.with(place, setOptionText(method, name, text)));
    const choices = isPolicy ? policies : option.choices;
    const shown = { ...option, choices, isOpen: option.isOpen || isPolicy };
    return [optionField(shown, method[name] ?? '', set, `method-${place}-${name}`)];
  });
}

/** Creates a heading that opens a form. */
function fold(key: string, words: readonly (Node | string)[], ...form: (Node | false)[]): HTMLElement {
  return h(
    'details',
    { className: 'fold', 'data-fold': key },
    h('summary', {}, ...words.map((word) => (typeof word === 'string' ? h('span', {}, word) : word))),
    h('div', { className: 'form' }, ...form),
  );
}

/** Keeps at most one form open; Escape and a click elsewhere close it. */
function closeOtherForms(bar: HTMLElement): void {
  const opened = () => [...bar.querySelectorAll<HTMLDetailsElement>('details.fold[open]')];
  const closeOthers = (kept?: EventTarget | null) => {
    for (const each of opened()) if (each !== kept) each.open = false;
  };
  // Listens to clicks, because `toggle` events come later and also from forms that are refilled.
  bar.addEventListener('click', ({ target }) => {
    const fold = (target as Element).closest('summary')?.parentElement;
    if (fold?.matches('.fold')) closeOthers(fold);
  });
  addEventListener('pointerdown', ({ target }) => {
    if (!bar.contains(target as Node)) closeOthers();
  });
  bar.addEventListener('keydown', ({ key }) => {
    const [open] = opened();
    if (key !== 'Escape' || open === undefined) return;
    closeOthers();
    open.querySelector('summary')?.focus();
  });
}

/** Replaces the forms, and restores the open ones and the focused field. */
function replaceBarChildren(bar: HTMLElement, children: readonly HTMLElement[]): void {
  const focusedId = document.activeElement?.id ?? '';
  const nameOf = ({ dataset }: HTMLElement) => dataset.fold ?? dataset.heading;
  const opened = new Set([...bar.querySelectorAll<HTMLElement>('details[open]')].map(nameOf));
  bar.replaceChildren(...children);
  for (const each of bar.querySelectorAll<HTMLDetailsElement>('details'))
    each.open = opened.has(nameOf(each));
  if (focusedId !== '') document.getElementById(focusedId)?.focus();
}

export function setupBar(controller: ExplorerController, openEditor: () => void): HTMLElement {
  const { model } = controller;
  const bar = h('section', { className: 'setup', 'aria-label': 'Settings' });
  const setMethods = (methods: readonly Texts[]) => controller.change({ ...model.setup, methods });
  const setOption = (name: string, text: string) =>
    controller.change({ ...model.setup, options: setOptionText(model.setup.options, name, text) });
  const foldOfMethod = (_: Texts, place: number) => {
    const { methods } = model.setup;
    const removeButton = button('Remove this method', () =>
      setMethods(methods.filter((_, i) => i !== place)),
    );
    return fold(
      `method-${place}`,
      [colorSquare(lookOfRun(place, currentTheme()).color), nameOf(model, place)],
      ...methodFields(model, place, setMethods),
      methods.length > 1 && removeButton,
    );
  };
  const render = () => {
    if (model.catalogue === undefined) return;
    const { methods } = model.setup;
    const [jobs, grid] = headings(model);
    const { groups, changed } = otherOptionGroups(model, setOption);
    const add = () => setMethods([...methods, methodToAdd(model)]);
    const { storageFault: notKept } = controller;
    const remarks = [...(model.outcome?.remarks ?? []), ...(notKept === '' ? [] : [notKept])];
    const notes = h('ul', { className: 'remarks' }, ...remarks.map((remark) => h('li', {}, remark)));
    const more = button('+ method', add, 'Compare one more method', 'quiet');
    more.hidden = methods.length >= MAX_METHODS;
    replaceBarChildren(bar, [
      fold('jobs', [h('b', {}, 'Jobs'), jobs], ...workloadFields(controller, setOption)),
      fold('grid', [h('b', {}, 'Grid'), grid], ...gridFields(model, setOption)),
      ...methods.map(foldOfMethod),
      more,
      button('Write a policy…', openEditor, 'A custom policy', 'quiet'),
      fold('more', [h('b', {}, 'More'), changed === 0 ? 'options' : `${changed} set`], ...groups),
      ...(remarks.length === 0 ? [] : [fold('notes', [formatCount(remarks.length, 'note')], notes)]),
    ]);
    markFaultyFields(bar, controller.fault);
  };
  closeOtherForms(bar);
  model.settingsChanged.on(render);
  model.outcomeChanged.on(render);
  controller.state.on(() => markFaultyFields(bar, controller.fault));
  return bar;
}
