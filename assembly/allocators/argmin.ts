import { Slot } from '../grid/sites';
import { at } from '../memory/memory';

/**
 * Value that searches over slots (sites with their free processors) return if none fits. Its top
 * bit is set, as in every negative difference, so one comparison rejects both.
 */
export const NO_SLOT: Slot = ~(<u64>0);

/** True if a slot has enough free processors: its difference to the request is not negative. */
@inline
export function fitsInSlot(left: Slot): bool {
  return <i64>left >= 0;
}

/**
 * Returns the first of `slotCount` slots that fits the request; if none fits, a value for which `fitsInSlot`
 * is false.
 */
@inline
export function fastest(slots: usize, slotCount: i32, request: Slot): Slot {
  let first = NO_SLOT;
  switch (slotCount) {
    case 8:
      first = slotOfEarlierSite(slots, 7, request, first);
    case 7:
      first = slotOfEarlierSite(slots, 6, request, first);
    case 6:
      first = slotOfEarlierSite(slots, 5, request, first);
    case 5:
      first = slotOfEarlierSite(slots, 4, request, first);
    case 4:
      first = slotOfEarlierSite(slots, 3, request, first);
    case 3:
      first = slotOfEarlierSite(slots, 2, request, first);
    case 2:
      first = slotOfEarlierSite(slots, 1, request, first);
    case 1:
      return slotOfEarlierSite(slots, 0, request, first);
  }
  for (let index = slotCount - 1; index >= 0; index--)
    first = slotOfEarlierSite(slots, index, request, first);
  return first;
}

/** Returns the slot at an index if the request fits there, otherwise `foundSlot`. */
@inline
function slotOfEarlierSite(slots: usize, index: i32, request: Slot, foundSlot: Slot): Slot {
  const slot = at<Slot>(slots, index);
  return select<u64>(slot, foundSlot, fitsInSlot(slot - request));
}

/**
 * Returns the slot with the fewest free processors among those of the first `slotCount` that fit, with the
 * request subtracted; if none fits, a value for which `fitsInSlot` is false.
 */
@inline
export function tightestSlot(slots: usize, slotCount: i32, request: Slot): Slot {
  let least = NO_SLOT;
  switch (slotCount) {
    case 8:
      least = min<u64>(least, at<Slot>(slots, 7) - request);
    case 7:
      least = min<u64>(least, at<Slot>(slots, 6) - request);
    case 6:
      least = min<u64>(least, at<Slot>(slots, 5) - request);
    case 5:
      least = min<u64>(least, at<Slot>(slots, 4) - request);
    case 4:
      least = min<u64>(least, at<Slot>(slots, 3) - request);
    case 3:
      least = min<u64>(least, at<Slot>(slots, 2) - request);
    case 2:
      least = min<u64>(least, at<Slot>(slots, 1) - request);
    case 1:
      return min<u64>(least, at<Slot>(slots, 0) - request);
  }
  for (let index = 0; index < slotCount; index++) {
    least = min<u64>(least, at<Slot>(slots, index) - request);
  }
  return least;
}
