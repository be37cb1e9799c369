/** Creates the form field of an option from its declaration. */
import { createElement } from '../dom.js';
import type { OptionFormDeclaration, Texts } from '../protocol.js';

/** Options that are set for each method, or elsewhere on the page. */
export const OPTION_NAMES_SET_PER_METHOD = ['policy', 'discipline', 'order', 'backfill-order'];

/** Creates the field of an option; it reports its text, or an empty string if the option is not set. */
export function createOptionField(
  option: OptionFormDeclaration,
  optionText: string,
  onTextChange: (text: string) => void,
  id: string,
): HTMLElement {
  const { name: optionName, help, choices: optionChoices, isOpen, isSwitch, defaultText } = option;
  const sharedFieldAttributes = { id, title: help };
  const labelElement = createElement('label', { htmlFor: id }, optionName.replaceAll('-', ' '));
  if (isSwitch) {
    const box = createElement('input', {
      ...sharedFieldAttributes,
      type: 'checkbox',
      checked: optionText === 'true',
      onchange: () => onTextChange(box.checked ? 'true' : ''),
    });
    return createElement('div', { className: 'field switch' }, box, labelElement);
  }
  if (optionChoices.length > 0 && !isOpen) {
    const unsetOptionElement = createElement(
      'option',
      { value: '' },
      defaultText === '' ? 'not set' : defaultText,
    );
    const selectElement = createElement(
      'select',
      { ...sharedFieldAttributes, onchange: () => onTextChange(selectElement.value) },
      unsetOptionElement,
      ...optionChoices
        .filter((choice) => choice !== defaultText)
        .map((choice) => createElement('option', { value: choice }, choice)),
    );
    selectElement.value = optionText === defaultText ? '' : optionText;
    return createElement('div', { className: 'field' }, labelElement, selectElement);
  }
  const inputElement = createElement('input', {
    ...sharedFieldAttributes,
    type: 'text',
    value: optionText,
    placeholder: defaultText,
    spellcheck: false,
    autocomplete: 'off',
    onchange: () => onTextChange(inputElement.value.trim()),
  });
  if (optionChoices.length === 0)
    return createElement('div', { className: 'field' }, labelElement, inputElement);
  const optionDatalistElement = createElement(
    'datalist',
    { id: `${id}-choices` },
    ...optionChoices.map((choice) => createElement('option', { value: choice })),
  );
  inputElement.setAttribute('list', optionDatalistElement.id);
  return createElement('div', { className: 'field' }, labelElement, inputElement, optionDatalistElement);
}

/** Returns the options with one changed; an empty text removes it. */
export function replaceOptionText(optionTexts: Texts, optionName: string, optionText: string): Texts {
  const { [optionName]: _, ...otherOptionTexts } = optionTexts;
  return optionText === '' ? otherOptionTexts : { ...otherOptionTexts, [optionName]: optionText };
}
