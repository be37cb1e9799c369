/** The methods that are compared: who is next and who gets which site, for each. */
import { runLook } from '../charts/looks.js';
import type { Controller } from '../controller.js';
import { button, h } from '../dom.js';
import { type Model, themeNow } from '../model.js';
import type { Texts } from '../protocol.js';
import { METHOD_OPTIONS, optionField, withText } from './settingsPanel.js';

/** More would not be told apart. */
const MOST = 8;

/** The last method under a policy that none has yet; on one site, where policies are alike, under a discipline. */
function another({ setup, catalogue, outcome }: Model): Texts {
  const last = setup.methods[setup.methods.length - 1];
  const name = outcome?.capacities.length === 1 ? 'discipline' : 'policy';
  const option = catalogue.options.find((each) => each.name === name);
  const all = name === 'policy' ? catalogue.policies.map((each) => each.name) : (option?.choices ?? []);
  const used = setup.methods.map((method) => (method[name] ?? option?.usual ?? '').replace(/\[.*/, ''));
  const free = all.find((each) => !used.includes(each));
  return free === undefined ? last : { ...last, [name]: free };
}

/** A card for each method. */
export function methodsPanel(controller: Controller, edit: (name?: string) => void): HTMLElement {
  const { model } = controller;
  const cards = h('div', { className: 'methods' });
  const element = h('section', { className: 'card' }, h('h2', {}, 'Methods'), cards);
  const setMethods = (methods: readonly Texts[]) => controller.change({ ...model.setup, methods });
  const fieldsOf = (method: Texts, place: number) =>
    METHOD_OPTIONS.flatMap((name) => {
      const option = model.catalogue.options.find((each) => each.name === name);
      if (option === undefined) return [];
      const choices =
        name === 'policy'
          ? [
              ...model.catalogue.policies.map(({ notation }) => notation),
              ...model.code.map((each) => each.name),
            ]
          : option.choices;
      const isOpen = option.isOpen || name === 'policy';
      const set = (text: string) =>
        setMethods(model.setup.methods.map((each, i) => (i === place ? withText(each, name, text) : each)));
      return [
        optionField({ ...option, choices, isOpen }, method[name] ?? '', set, `method-${place}-${name}`),
      ];
    });
  const render = () => {
    if (model.catalogue === undefined) return;
    const { methods } = model.setup;
    const focused = document.activeElement?.id ?? '';
    cards.replaceChildren(
      ...methods.map((method, place) => {
        const { color } = runLook(place, themeNow());
        const chip = h('span', { className: 'chip', 'aria-hidden': 'true' });
        chip.style.background = color;
        const name = `method ${place + 1}`;
        const remove = button(
          '×',
          () => setMethods(methods.filter((_, i) => i !== place)),
          `Remove ${name}`,
          'quiet',
        );
        const head = h(
          'div',
          { className: 'method-head' },
          chip,
          h('b', {}, name),
          methods.length > 1 && remove,
        );
        return h('fieldset', { className: 'method', 'aria-label': name }, head, ...fieldsOf(method, place));
      }),
      h(
        'div',
        { className: 'actions' },
        methods.length < MOST && button('Add a method', () => setMethods([...methods, another(model)])),
        button('Write a policy…', () => edit()),
      ),
    );
    if (focused.startsWith('method-')) document.getElementById(focused)?.focus();
  };
  model.asked.on(render);
  return element;
}
