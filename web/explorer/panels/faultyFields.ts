/** The fields of the settings that are wrong, each with the sentence that says so beneath it. */
import { h } from '../dom.js';

const NOTE = 'field-fault';

/** The ends of the ids of the fields that a sentence of the library may be about: an option, a kind of policy, a parameter of a model. */
function namesIn(fault: string): readonly string[] {
  const [, option] = /--([a-z-]+)/.exec(fault) ?? [];
  const [, policy] = /unknown (policy)\b/.exec(fault) ?? [];
  const [, parameter] = /^(\w+) of \w+: /.exec(fault) ?? [];
  return [option, policy, parameter].filter((name) => name !== undefined);
}

/** The fields in a row of settings that a fault is about. Where methods have a field each, the one whose value it quotes first. */
function fieldsOf(bar: HTMLElement, fault: string): readonly (HTMLInputElement | HTMLSelectElement)[] {
  const ends = namesIn(fault).map((name) => new RegExp(`^(?:option|model|method-\\d+)-${name}$`));
  const named = [...bar.querySelectorAll<HTMLInputElement | HTMLSelectElement>('input, select')].filter(
    ({ id }) => ends.some((end) => end.test(id)),
  );
  const placeOf = ({ value }: { readonly value: string }) =>
    value === '' || !fault.includes(value) ? Infinity : fault.indexOf(value);
  const first = Math.min(...named.map(placeOf));
  return named.filter((field) => placeOf(field) === first);
}

/**
 * Marks the fields that a fault is about, and the words that open their forms; takes earlier marks away.
 * @param fault a sentence of the library; empty where nothing is wrong.
 */
export function markFaults(bar: HTMLElement, fault: string): void {
  for (const note of bar.querySelectorAll(`.${NOTE}`)) note.remove();
  for (const each of bar.querySelectorAll('[aria-invalid]')) {
    each.removeAttribute('aria-invalid');
    each.removeAttribute('aria-describedby');
  }
  for (const each of bar.querySelectorAll('.is-wrong')) each.classList.remove('is-wrong');
  if (fault === '') return;
  for (const field of fieldsOf(bar, fault)) {
    const note = h('p', { className: NOTE, id: `${field.id}-fault` }, fault);
    field.setAttribute('aria-invalid', 'true');
    field.setAttribute('aria-describedby', note.id);
    field.closest('.field')?.append(note);
    for (let fold = field.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null) {
      fold.classList.add('is-wrong');
      if (fold.matches('.group')) fold.open = true;
    }
  }
}
