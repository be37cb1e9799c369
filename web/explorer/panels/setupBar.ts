/**
 * The settings as one row of headings, each of which opens a form: jobs, grid, every method, other options.
 */
import { formatCount, formatNumber } from '../../../host/format/numbers.js';
import { colorAndDashOfRun } from '../charts/looks.js';
import type { ExplorerController } from '../controller.js';
import { createButton, createColorSquare, createElement } from '../dom.js';
import { currentTheme, type ExplorerModel } from '../model.js';
import type { Texts } from '../protocol.js';
import { makeShortMethodName, shortenSourceName } from '../words.js';
import { markFaultyFields } from './faultyFields.js';
import { createOptionField, OPTION_NAMES_SET_PER_METHOD, replaceOptionText } from './optionField.js';
import { createGridFields, createOtherOptionGroups, createWorkloadFields } from './settingsForms.js';

/** Largest number of methods with distinguishable colours. */
const MAX_DISTINGUISHABLE_METHODS = 8;

/**
 * Returns the last method with the first policy that no method uses; on one site, with the first such
 * discipline.
 */
function makeMethodToAdd({ setup, catalogue, outcome }: ExplorerModel): Texts {
  const lastMethod = setup.methods[setup.methods.length - 1] ?? {};
  const comparedOptionName = outcome?.capacities.length === 1 ? 'discipline' : 'policy';
  const option = catalogue.options.find((option) => option.name === comparedOptionName);
  const allValues =
    comparedOptionName === 'policy'
      ? catalogue.policies.map((policy) => policy.name)
      : (option?.choices ?? []);
  const usedOptionValues = setup.methods.map((method) =>
    (method[comparedOptionName] ?? option?.defaultText ?? '').replace(/\[.*/, ''),
  );
  const unusedOptionValue = allValues.find(
    (possibleOptionValue) => !usedOptionValues.includes(possibleOptionValue),
  );
  return unusedOptionValue === undefined
    ? lastMethod
    : { ...lastMethod, [comparedOptionName]: unusedOptionValue };
}

/** Returns the headings of jobs and grid. */
function headingsOfJobsAndGrid({ setup, outcome }: ExplorerModel): readonly [string, string] {
  const { workload, sites } = setup.options;
  const shortSourceName = shortenSourceName(workload);
  if (outcome === undefined)
    return [shortSourceName, sites === undefined ? 'as in the log' : describeUnsimulatedGrid(sites)];
  return [
    `${shortSourceName}, ${formatCount(outcome.jobs.count, 'job')}`,
    formatCapacities(outcome.capacities),
  ];
}

function formatCapacities(capacities: readonly number[]): string {
  const processors = capacities.reduce((sum, capacity) => sum + capacity, 0);
  return `${formatCount(capacities.length, 'site')}, ${formatNumber(processors)} processors`;
}

/**
 * Describes sites that have not been simulated yet: their number if they are a list, otherwise the option's
 * text.
 */
function describeUnsimulatedGrid(sitesText: string): string {
  const capacities = sitesText.split(',').map(Number);
  return capacities.every((capacity) => capacity > 0) ? formatCapacities(capacities) : sitesText;
}

/** Returns the name of a method; if it has been simulated, the name of its run. */
function nameOfMethodAt({ setup, outcome, runs }: ExplorerModel, methodIndex: number): string {
  const method = setup.methods[methodIndex];
  const areMethodsSimulated = JSON.stringify(outcome?.setup.methods) === JSON.stringify(setup.methods);
  return (areMethodsSimulated ? runs[methodIndex]?.label : undefined) ?? makeShortMethodName(method);
}

/** Creates the fields of a method's options. */
function createMethodFields(
  { catalogue, code, setup }: ExplorerModel,
  methodIndex: number,
  setMethods: (methods: readonly Texts[]) => void,
): HTMLElement[] {
  const method = setup.methods[methodIndex];
  const policies = [
    ...catalogue.policies.map(({ notation }) => notation),
    ...code.map(({ name: fileName }) => fileName),
  ];
  return OPTION_NAMES_SET_PER_METHOD.flatMap((name) => {
    const option = catalogue.options.find((option) => option.name === name);
    if (option === undefined) return [];
    const isPolicy = name === 'policy';
    const setOptionOfMethod = (optionText: string) =>
      setMethods(setup.methods.with(methodIndex, replaceOptionText(method, name, optionText)));
    const choices = isPolicy ? policies : option.choices;
    const optionOfField = { ...option, choices, isOpen: option.isOpen || isPolicy };
    return [
      createOptionField(
        optionOfField,
        method[name] ?? '',
        setOptionOfMethod,
        `method-${methodIndex}-${name}`,
      ),
    ];
  });
}

/** Creates a heading that opens a form. */
function createFoldedForm(
  formKey: string,
  headingParts: readonly (Node | string)[],
  ...formContent: (Node | false)[]
): HTMLElement {
  return createElement(
    'details',
    { className: 'fold', 'data-fold': formKey },
    createElement(
      'summary',
      {},
      ...headingParts.map((headingPart) =>
        typeof headingPart === 'string' ? createElement('span', {}, headingPart) : headingPart,
      ),
    ),
    createElement('div', { className: 'form' }, ...formContent),
  );
}

/** Keeps at most one form open; Escape and a click elsewhere close it. */
function closeOtherForms(bar: HTMLElement): void {
  const listOpenForms = () => [...bar.querySelectorAll<HTMLDetailsElement>('details.fold[open]')];
  const closeFormsExcept = (formToKeepOpen?: EventTarget | null) => {
    for (const openForm of listOpenForms()) if (openForm !== formToKeepOpen) openForm.open = false;
  };
  // Listens to clicks, because `toggle` events come later and also from forms that are refilled.
  bar.addEventListener('click', ({ target }) => {
    const fold = (target as Element).closest('summary')?.parentElement;
    if (fold?.matches('.fold')) closeFormsExcept(fold);
  });
  addEventListener('pointerdown', ({ target }) => {
    if (!bar.contains(target as Node)) closeFormsExcept();
  });
  bar.addEventListener('keydown', ({ key: pressedKey }) => {
    const [firstOpenForm] = listOpenForms();
    if (pressedKey !== 'Escape' || firstOpenForm === undefined) return;
    closeFormsExcept();
    firstOpenForm.querySelector('summary')?.focus();
  });
}

/** List of the remarks about the settings and the results. */
const createRemarkList = (remarks: readonly string[]): HTMLElement =>
  createElement('ul', { className: 'remarks' }, ...remarks.map((remark) => createElement('li', {}, remark)));

/** Replaces the forms, and restores the open ones and the focused field. */
function replaceFormsOfBar(bar: HTMLElement, children: readonly HTMLElement[]): void {
  const focusedElementId = document.activeElement?.id ?? '';
  const nameOfForm = ({ dataset }: HTMLElement) => dataset.fold ?? dataset.heading;
  const openFormNames = new Set([...bar.querySelectorAll<HTMLElement>('details[open]')].map(nameOfForm));
  bar.replaceChildren(...children);
  for (const detailsElement of bar.querySelectorAll<HTMLDetailsElement>('details'))
    detailsElement.open = openFormNames.has(nameOfForm(detailsElement));
  if (focusedElementId !== '') document.getElementById(focusedElementId)?.focus();
}

export function createSetupBar(controller: ExplorerController, openEditor: () => void): HTMLElement {
  const { model } = controller;
  const bar = createElement('section', { className: 'setup', 'aria-label': 'Settings' });
  const setMethods = (methods: readonly Texts[]) => controller.change({ ...model.setup, methods });
  const setOption = (name: string, optionText: string) =>
    controller.change({ ...model.setup, options: replaceOptionText(model.setup.options, name, optionText) });
  const foldOfMethod = (_: Texts, methodIndex: number) => {
    const { methods } = model.setup;
    const removeButton = createButton('Remove this method', () =>
      setMethods(methods.filter((_, i) => i !== methodIndex)),
    );
    return createFoldedForm(
      `method-${methodIndex}`,
      [
        createColorSquare(colorAndDashOfRun(methodIndex, currentTheme()).color),
        nameOfMethodAt(model, methodIndex),
      ],
      ...createMethodFields(model, methodIndex, setMethods),
      methods.length > 1 && removeButton,
    );
  };
  const render = () => {
    if (model.catalogue === undefined) return;
    const { methods } = model.setup;
    const [jobs, grid] = headingsOfJobsAndGrid(model);
    const { groups, changedCount } = createOtherOptionGroups(model, setOption);
    const addMethod = () => setMethods([...methods, makeMethodToAdd(model)]);
    const { storageFault } = controller;
    const remarks = [...(model.outcome?.remarks ?? []), ...(storageFault === '' ? [] : [storageFault])];
    const addMethodButton = createButton('+ method', addMethod, 'Compare one more method', 'quiet');
    addMethodButton.hidden = methods.length >= MAX_DISTINGUISHABLE_METHODS;
    replaceFormsOfBar(bar, [
      createFoldedForm(
        'jobs',
        [createElement('b', {}, 'Jobs'), jobs],
        ...createWorkloadFields(controller, setOption),
      ),
      createFoldedForm('grid', [createElement('b', {}, 'Grid'), grid], ...createGridFields(model, setOption)),
      ...methods.map(foldOfMethod),
      addMethodButton,
      createButton('Write a policy…', openEditor, 'A custom policy', 'quiet'),
      createFoldedForm(
        'more',
        [createElement('b', {}, 'More'), changedCount === 0 ? 'options' : `${changedCount} set`],
        ...groups,
      ),
      ...(remarks.length === 0
        ? []
        : [createFoldedForm('notes', [formatCount(remarks.length, 'note')], createRemarkList(remarks))]),
    ]);
    markFaultyFields(bar, controller.fault);
  };
  closeOtherForms(bar);
  model.settingsChanged.on(render);
  model.outcomeChanged.on(render);
  controller.state.on(() => markFaultyFields(bar, controller.fault));
  return bar;
}
