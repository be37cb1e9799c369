/** Vertical layout of the sites' processors. */

/** Stripe of a site; positions in pixels. */
export interface SitePixelLane {
  readonly first: number;
  readonly capacity: number;
  readonly top: number;
  readonly height: number;
}

/** Gap between lanes in pixels; the second is for many lanes. */
const [LANE_GAP, NARROW_LANE_GAP] = [5, 2];
const MIN_SITE_COUNT_FOR_NARROW_GAPS = 20;
/** Smallest height of a lane in pixels. */
const MIN_SITE_LANE_HEIGHT = 8;

/**
 * Lays out lanes in proportion to the sites' processors. Each lane has a minimum height, so that many lanes
 * may exceed `height`.
 * @param scale device pixels per CSS pixel.
 */
export function layOutPixelLanes(
  capacities: readonly number[],
  height: number,
  scale: number,
): SitePixelLane[] {
  const laneGap = scale * (capacities.length > MIN_SITE_COUNT_FOR_NARROW_GAPS ? NARROW_LANE_GAP : LANE_GAP);
  const minHeight = scale * MIN_SITE_LANE_HEIGHT;
  const availableHeight = Math.max(height - laneGap * (capacities.length - 1), minHeight * capacities.length);
  // Raises low sites to the minimum; the others share the remaining height.
  let [remainingHeight, remainingProcessors] = [
    availableHeight,
    capacities.reduce((sum, capacity) => sum + capacity, 0),
  ];
  for (const capacity of capacities.toSorted((a, b) => a - b)) {
    if ((capacity / remainingProcessors) * remainingHeight >= minHeight) break;
    [remainingHeight, remainingProcessors] = [remainingHeight - minHeight, remainingProcessors - capacity];
  }
  const pixelsPerProcessor = remainingProcessors > 0 ? remainingHeight / remainingProcessors : 0;
  let [first, top] = [0, 0];
  return capacities.map((capacity) => {
    const laneHeight = Math.max(minHeight, capacity * pixelsPerProcessor);
    const lane = {
      first,
      capacity,
      top: Math.round(top),
      height: Math.round(top + laneHeight) - Math.round(top),
    };
    first += capacity;
    top += laneHeight + laneGap;
    return lane;
  });
}

/** Returns the total height of the lanes. */
export function totalHeightOfLanes(lanes: readonly SitePixelLane[]): number {
  const lastLane = lanes.at(-1);
  return lastLane === undefined ? 0 : lastLane.top + lastLane.height;
}

/** Returns the lanes shifted up by a number of pixels. */
export function scrollLanes(lanes: readonly SitePixelLane[], pixels: number): SitePixelLane[] {
  return lanes.map((lane) => ({ ...lane, top: lane.top - pixels }));
}

/** Returns the first and last visible sites. */
export function findVisibleSiteRange(
  lanes: readonly SitePixelLane[],
  height: number,
): readonly [number, number] {
  const firstVisibleLaneIndex = lanes.findIndex(
    ({ top: laneTop, height: laneHeight }) => laneTop + laneHeight > 0,
  );
  const firstLaneBelowView = lanes.findIndex(({ top: laneTop }) => laneTop >= height);
  return [
    Math.max(firstVisibleLaneIndex, 0),
    firstLaneBelowView < 0 ? lanes.length - 1 : firstLaneBelowView - 1,
  ];
}

/** Returns the processor at a height, numbered through all sites; -1 between lanes. */
export function findProcessorAtHeight(lanes: readonly SitePixelLane[], y: number): number {
  const lane = lanes.find(({ top: laneTop, height }) => y >= laneTop && y < laneTop + height);
  return lane === undefined ? -1 : lane.first + Math.floor(((y - lane.top) / lane.height) * lane.capacity);
}
