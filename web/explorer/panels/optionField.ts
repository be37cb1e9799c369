/** Creates the form field of an option from its declaration. */
import { createElement } from '../dom.js';
import type { OptionFormDeclaration, Texts } from '../protocol.js';

/** Options that are set for each method, or elsewhere on the page. */
export const OPTIONS_SET_PER_METHOD = ['policy', 'discipline', 'order', 'backfill-order'];

/** Creates the field of an option; it reports its text, or an empty string if the option is not set. */
export function createOptionField(
  option: OptionFormDeclaration,
  optionText: string,
  onChange: (text: string) => void,
  id: string,
): HTMLElement {
  const { name: optionName, help, choices: optionChoices, isOpen, isSwitch, defaultText } = option;
  const described = { id, title: help };
  const label = createElement('label', { htmlFor: id }, optionName.replaceAll('-', ' '));
  if (isSwitch) {
    const box = createElement('input', {
      ...described,
      type: 'checkbox',
      checked: optionText === 'true',
      onchange: () => onChange(box.checked ? 'true' : ''),
    });
    return createElement('div', { className: 'field switch' }, box, label);
  }
  if (optionChoices.length > 0 && !isOpen) {
    const none = createElement('option', { value: '' }, defaultText === '' ? 'not set' : defaultText);
    const select = createElement(
      'select',
      { ...described, onchange: () => onChange(select.value) },
      none,
      ...optionChoices
        .filter((choice) => choice !== defaultText)
        .map((choice) => createElement('option', { value: choice }, choice)),
    );
    select.value = optionText === defaultText ? '' : optionText;
    return createElement('div', { className: 'field' }, label, select);
  }
  const input = createElement('input', {
    ...described,
    type: 'text',
    value: optionText,
    placeholder: defaultText,
    spellcheck: false,
    autocomplete: 'off',
    onchange: () => onChange(input.value.trim()),
  });
  if (optionChoices.length === 0) return createElement('div', { className: 'field' }, label, input);
  const optionDatalist = createElement(
    'datalist',
    { id: `${id}-choices` },
    ...optionChoices.map((choice) => createElement('option', { value: choice })),
  );
  input.setAttribute('list', optionDatalist.id);
  return createElement('div', { className: 'field' }, label, input, optionDatalist);
}

/** Returns the options with one changed; an empty text removes it. */
export function setOptionText(optionTexts: Texts, name: string, optionText: string): Texts {
  const { [name]: _, ...others } = optionTexts;
  return optionText === '' ? others : { ...others, [name]: optionText };
}
