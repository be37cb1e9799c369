/** Where the processors of sites stand from top to bottom. */

/** The stripe of a site, in pixels. */
export interface Lane {
  readonly first: number;
  readonly capacity: number;
  readonly top: number;
  readonly height: number;
}

const GAP = 5;
const LOWEST = 14;

/** Lanes that fill a height, as high as sites have processors, but none too low to be seen. */
export function lanesOf(capacities: readonly number[], height: number): Lane[] {
  const room = height - GAP * (capacities.length - 1);
  const least = Math.min(LOWEST, room / capacities.length);
  const total = capacities.reduce((sum, capacity) => sum + capacity, 0);
  const wanted = capacities.map((capacity) => Math.max(least, (capacity / total) * room));
  const scale = room / wanted.reduce((sum, each) => sum + each, 0);
  let [first, top] = [0, 0];
  return capacities.map((capacity, site) => {
    const lane = { first, capacity, top: Math.round(top), height: Math.round(wanted[site] * scale) };
    first += capacity;
    top += wanted[site] * scale + GAP;
    return lane;
  });
}

/** The processor at a height, numbered through the grid; -1 between lanes. */
export function processorAt(lanes: readonly Lane[], y: number): number {
  const lane = lanes.find(({ top, height }) => y >= top && y < top + height);
  return lane === undefined ? -1 : lane.first + Math.floor(((y - lane.top) / lane.height) * lane.capacity);
}
