import { Simulation } from '../state';
import { Slot, freeAt } from '../grid/sites';
import { at } from '../memory';

/**
 * Scans of the slots, and of the sites. The value "no slot" has its top bit set, as has every difference
 * below zero.
 */
export const NO_SLOT: Slot = ~(<u64>0);

/** Whether a slot less a job's demand is one that has room. */
@inline
export function hasRoom(left: Slot): bool {
  return <i64>left >= 0;
}

/**
 * Among the first `count` slots, the first with room for a demand; without room anywhere, one for which
 * `hasRoom` is false.
 */
@inline
export function fastest(slots: usize, count: i32, demand: Slot): Slot {
  let first = NO_SLOT;
  switch (count) {
    case 8: first = sooner(slots, 7, demand, first);
    case 7: first = sooner(slots, 6, demand, first);
    case 6: first = sooner(slots, 5, demand, first);
    case 5: first = sooner(slots, 4, demand, first);
    case 4: first = sooner(slots, 3, demand, first);
    case 3: first = sooner(slots, 2, demand, first);
    case 2: first = sooner(slots, 1, demand, first);
    case 1: return sooner(slots, 0, demand, first);
  }
  for (let place = count - 1; place >= 0; place--) first = sooner(slots, place, demand, first);
  return first;
}

/** The slot of a place if it has room, else the one found behind it. */
@inline
function sooner(slots: usize, place: i32, demand: Slot, found: Slot): Slot {
  const slot = at<Slot>(slots, place);
  return select<u64>(slot, found, hasRoom(slot - demand));
}

/**
 * Among the first `count` slots, the one with the fewest free processors after a job takes its `demand`, with
 * that demand taken off; without room anywhere, one for which `hasRoom` is false.
 */
@inline
export function tightest(slots: usize, count: i32, demand: Slot): Slot {
  let least = NO_SLOT;
  switch (count) {
    case 8: least = min<u64>(least, at<Slot>(slots, 7) - demand);
    case 7: least = min<u64>(least, at<Slot>(slots, 6) - demand);
    case 6: least = min<u64>(least, at<Slot>(slots, 5) - demand);
    case 5: least = min<u64>(least, at<Slot>(slots, 4) - demand);
    case 4: least = min<u64>(least, at<Slot>(slots, 3) - demand);
    case 3: least = min<u64>(least, at<Slot>(slots, 2) - demand);
    case 2: least = min<u64>(least, at<Slot>(slots, 1) - demand);
    case 1: return min<u64>(least, at<Slot>(slots, 0) - demand);
  }
  for (let place = 0; place < count; place++) {
    least = min<u64>(least, at<Slot>(slots, place) - demand);
  }
  return least;
}

/**
 * Of the sites with so many processors free, the one with the least value, equal values by index; -1 when
 * there is none. `M` values a site for a job with so many processors and such a speed at home.
 */
@inline
export function least<M>(measure: M, simulation: Simulation, processors: i32, homeSpeed: f64): i32 {
  let best = -1;
  let bestValue: f64 = Infinity;
  for (let site = 0; site < simulation.siteCount; site++) {
    const free = freeAt(site);
    if (free < processors) continue;
    const value = measure.of(site, <f64>free, <f64>processors, homeSpeed);
    if (value < bestValue) {
      bestValue = value;
      best = site;
    }
  }
  return best;
}
