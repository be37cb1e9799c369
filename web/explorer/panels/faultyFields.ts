/** Marks the invalid fields of the settings, each with its error sentence below. */
import { createElement } from '../dom.js';

const FAULTY_FIELD_NOTE_CLASS = 'field-fault';

/**
 * Returns the endings of the element ids that an error sentence refers to: an option, a policy or a model
 * parameter.
 */
function findFieldNamesInError(fault: string): readonly string[] {
  const [, option] = /--([a-z-]+)/.exec(fault) ?? [];
  const [, policy] = /unknown (policy)\b/.exec(fault) ?? [];
  const [, parameter] = /^(\w+) of \w+: /.exec(fault) ?? [];
  return [option, policy, parameter].filter((name) => name !== undefined);
}

/**
 * Returns the fields of the settings that an error refers to. If each method has such a field, returns the
 * first one with the quoted value.
 */
function findFaultyFields(
  bar: HTMLElement,
  fault: string,
): readonly (HTMLInputElement | HTMLSelectElement)[] {
  const fieldIdPatterns = findFieldNamesInError(fault).map(
    (fieldName) => new RegExp(`^(?:option|model|method-\\d+)-${fieldName}$`),
  );
  const namedFields = [...bar.querySelectorAll<HTMLInputElement | HTMLSelectElement>('input, select')].filter(
    ({ id }) => fieldIdPatterns.some((pattern) => pattern.test(id)),
  );
  const positionOfValueInError = ({ value }: { readonly value: string }) =>
    value === '' || !fault.includes(value) ? Infinity : fault.indexOf(value);
  const earliestPositionInError = Math.min(...namedFields.map(positionOfValueInError));
  return namedFields.filter((field) => positionOfValueInError(field) === earliestPositionInError);
}

/**
 * Marks the fields that an error refers to and the headings of their forms, and removes earlier marks.
 * @param fault error sentence; empty if there is no error.
 */
export function markFaultyFields(bar: HTMLElement, fault: string): void {
  for (const note of bar.querySelectorAll(`.${FAULTY_FIELD_NOTE_CLASS}`)) note.remove();
  for (const faultyField of bar.querySelectorAll('[aria-invalid]')) {
    faultyField.removeAttribute('aria-invalid');
    faultyField.removeAttribute('aria-describedby');
  }
  for (const elementMarkedAsWrong of bar.querySelectorAll('.is-wrong'))
    elementMarkedAsWrong.classList.remove('is-wrong');
  if (fault === '') return;
  for (const field of findFaultyFields(bar, fault)) {
    const faultNoteElement = createElement(
      'p',
      { className: FAULTY_FIELD_NOTE_CLASS, id: `${field.id}-fault` },
      fault,
    );
    field.setAttribute('aria-invalid', 'true');
    field.setAttribute('aria-describedby', faultNoteElement.id);
    field.closest('.field')?.append(faultNoteElement);
    for (let fold = field.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null) {
      fold.classList.add('is-wrong');
      if (fold.matches('.group')) fold.open = true;
    }
  }
}
