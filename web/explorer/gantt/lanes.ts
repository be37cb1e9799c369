/** Where the processors of sites are from top to bottom. */

/** The stripe of a site, in pixels. */
export interface Lane {
  readonly first: number;
  readonly capacity: number;
  readonly top: number;
  readonly height: number;
}

/** Between lanes; less where there are many. */
const [GAP, NARROW_GAP] = [5, 2];
const MANY = 20;
/** The least height of a lane. */
const LEAST = 8;

/**
 * Lanes that fill a height, as high as sites have processors, but none too low to be seen: many of them are together higher.
 * @param scale device pixels per pixel.
 */
export function lanesOf(capacities: readonly number[], height: number, scale: number): Lane[] {
  const gap = scale * (capacities.length > MANY ? NARROW_GAP : GAP);
  const least = scale * LEAST;
  const room = Math.max(height - gap * (capacities.length - 1), least * capacities.length);
  // Low sites are raised, and the others share what is left.
  let [rest, processors] = [room, capacities.reduce((sum, capacity) => sum + capacity, 0)];
  for (const capacity of capacities.toSorted((a, b) => a - b)) {
    if ((capacity / processors) * rest >= least) break;
    [rest, processors] = [rest - least, processors - capacity];
  }
  const perProcessor = processors > 0 ? rest / processors : 0;
  let [first, top] = [0, 0];
  return capacities.map((capacity) => {
    const high = Math.max(least, capacity * perProcessor);
    const lane = {
      first,
      capacity,
      top: Math.round(top),
      height: Math.round(top + high) - Math.round(top),
    };
    first += capacity;
    top += high + gap;
    return lane;
  });
}

/** How high all lanes are together. */
export function heightOf(lanes: readonly Lane[]): number {
  const last = lanes.at(-1);
  return last === undefined ? 0 : last.top + last.height;
}

/** The positions of the lanes where the first `by` pixels are scrolled away. */
export function scrolled(lanes: readonly Lane[], by: number): Lane[] {
  return lanes.map((lane) => ({ ...lane, top: lane.top - by }));
}

/** The visible sites, the first and the last. */
export function seenSites(lanes: readonly Lane[], height: number): readonly [number, number] {
  const first = lanes.findIndex(({ top, height: high }) => top + high > 0);
  const after = lanes.findIndex(({ top }) => top >= height);
  return [Math.max(first, 0), after < 0 ? lanes.length - 1 : after - 1];
}

/** The processor at a height, numbered through the grid; -1 between lanes. */
export function processorAt(lanes: readonly Lane[], y: number): number {
  const lane = lanes.find(({ top, height }) => y >= top && y < top + height);
  return lane === undefined ? -1 : lane.first + Math.floor(((y - lane.top) / lane.height) * lane.capacity);
}
