/** Creates the form field of an option from its declaration. */
import { h } from '../dom.js';
import type { OptionForm, Texts } from '../protocol.js';

/** Options that are set for each method, or elsewhere on the page. */
export const METHOD_OPTION_FIELDS = ['policy', 'discipline', 'order', 'backfill-order'];

/** Creates the field of an option; it reports its text, or an empty string if the option is not set. */
export function optionField(
  option: OptionForm,
  value: string,
  onChange: (text: string) => void,
  id: string,
): HTMLElement {
  const { name, help, choices, isOpen, isSwitch, defaultText } = option;
  const described = { id, title: help };
  const label = h('label', { htmlFor: id }, name.replaceAll('-', ' '));
  if (isSwitch) {
    const box = h('input', {
      ...described,
      type: 'checkbox',
      checked: value === 'true',
      onchange: () => onChange(box.checked ? 'true' : ''),
    });
    return h('div', { className: 'field switch' }, box, label);
  }
  if (choices.length > 0 && !isOpen) {
    const none = h('option', { value: '' }, defaultText === '' ? 'not set' : defaultText);
    const select = h(
      'select',
      { ...described, onchange: () => onChange(select.value) },
      none,
      ...choices
        .filter((choice) => choice !== defaultText)
        .map((choice) => h('option', { value: choice }, choice)),
    );
    select.value = value === defaultText ? '' : value;
    return h('div', { className: 'field' }, label, select);
  }
  const input = h('input', {
    ...described,
    type: 'text',
    value,
    placeholder: defaultText,
    spellcheck: false,
    autocomplete: 'off',
    onchange: () => onChange(input.value.trim()),
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
export function setOptionText(texts: Texts, name: string, text: string): Texts {
  const { [name]: _, ...others } = texts;
  return text === '' ? others : { ...others, [name]: text };
}
