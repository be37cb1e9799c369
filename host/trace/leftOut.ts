/** Counts of records that are left out when a log is read. */
import type { LeftOut } from './trace.js';

const SHOWN_PLACES = 5;

/** Counts by rule, in order of appearance. */
export class LeftOutCounts {
  readonly #rules = new Map<string, { count: number; places: string[]; example: string }>();

  add(rule: string, place: string, example: string): void {
    let counted = this.#rules.get(rule);
    if (counted === undefined) {
      counted = { count: 0, places: [], example };
      this.#rules.set(rule, counted);
    }
    counted.count++;
    if (counted.places.length < SHOWN_PLACES) counted.places.push(place);
  }

  list(): LeftOut[] {
    return [...this.#rules].map(([rule, counted]) => ({ rule, ...counted }));
  }
}
