/** Times of a plot in a unit that gives small numbers, and ticks at round ones. */

/** A unit of time. */
export interface TimeUnit {
  readonly name: string;
  readonly seconds: number;
}

const UNITS: readonly TimeUnit[] = [
  { name: 'd', seconds: 86_400 },
  { name: 'h', seconds: 3600 },
  { name: 'min', seconds: 60 },
];

/** The largest unit of which a span has three or more; seconds for short ones. */
export function timeUnitFor(seconds: number): TimeUnit {
  return UNITS.find((unit) => seconds >= 3 * unit.seconds) ?? { name: 's', seconds: 1 };
}

/** About `count` round numbers from `low` to `high`: multiples of 1, 2 or 5 times a power of ten. */
export function roundTicks(low: number, high: number, count: number): number[] {
  if (!(high > low)) return [low];
  const rough = (high - low) / count;
  const power = Number(`1e${Math.floor(Math.log10(rough))}`);
  const step = ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power;
  const ticks: number[] = [];
  for (let i = Math.ceil(low / step); i * step <= high; i++) ticks.push(Number((i * step).toPrecision(12)));
  return ticks;
}
