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
  const sharedAttributes = { id, title: help };
  const labelElement = createElement('label', { htmlFor: id }, optionName.replaceAll('-', ' '));
  if (isSwitch) {
    const box = createElement('input', {
      ...sharedAttributes,
      type: 'checkbox',
      checked: optionText === 'true',
      onchange: () => onChange(box.checked ? 'true' : ''),
    });
    return createElement('div', { className: 'field switch' }, box, labelElement);
  }
  if (optionChoices.length > 0 && !isOpen) {
    const unsetOption = createElement('option', { value: '' }, defaultText === '' ? 'not set' : defaultText);
    const selectElement = createElement(
      'select',
      { ...sharedAttributes, onchange: () => onChange(selectElement.value) },
      unsetOption,
      ...optionChoices
        .filter((choice) => choice !== defaultText)
        .map((choice) => createElement('option', { value: choice }, choice)),
    );
    selectElement.value = optionText === defaultText ? '' : optionText;
    return createElement('div', { className: 'field' }, labelElement, selectElement);
  }
  const inputElement = createElement('input', {
    ...sharedAttributes,
    type: 'text',
    value: optionText,
    placeholder: defaultText,
    spellcheck: false,
    autocomplete: 'off',
    onchange: () => onChange(inputElement.value.trim()),
  });
  if (optionChoices.length === 0)
    return createElement('div', { className: 'field' }, labelElement, inputElement);
  const optionDatalist = createElement(
    'datalist',
    { id: `${id}-choices` },
    ...optionChoices.map((choice) => createElement('option', { value: choice })),
  );
  inputElement.setAttribute('list', optionDatalist.id);
  return createElement('div', { className: 'field' }, labelElement, inputElement, optionDatalist);
}

/** Returns the options with one changed; an empty text removes it. */
export function setOptionText(optionTexts: Texts, optionName: string, optionText: string): Texts {
  const { [optionName]: _, ...otherOptionTexts } = optionTexts;
  return optionText === '' ? otherOptionTexts : { ...otherOptionTexts, [optionName]: optionText };
}
