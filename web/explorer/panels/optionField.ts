/** A field for an option, made from its declaration. */
import { h } from '../dom.js';
import type { OptionForm, Texts } from '../protocol.js';

/** Options that each method has for itself, or that the page sets otherwise. */
export const METHOD_OPTIONS = ['policy', 'discipline', 'order', 'backfill-order'];

/** A field for an option; reports its text, empty where it is not given. */
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
