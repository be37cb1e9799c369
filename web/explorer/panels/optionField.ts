/** Creates the form field of an option from its declaration. */
import { h } from '../dom.js';
import type { OptionForm, Texts } from '../protocol.js';

/** Options that are set for each method, or elsewhere on the page. */
export const METHOD_OPTIONS = ['policy', 'discipline', 'order', 'backfill-order'];

/** Creates the field of an option; it reports its text, or an empty string if the option is not set. */
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

/** Returns the options with one changed; an empty text removes it. */
export function withText(texts: Texts, name: string, text: string): Texts {
  const { [name]: _, ...others } = texts;
  return text === '' ? others : { ...others, [name]: text };
}
