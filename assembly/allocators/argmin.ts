import { Slot } from '../grid/sites';
import { at } from '../memory/memory';

/**
 * Value that searches over slots (sites with their free processors) return if none fits. Its top
 * bit is set, as in every negative difference, so one comparison rejects both.
 */
export const NO_SLOT: Slot = ~(<u64>0);

/** True if a request fits in a slot: the slot less the request, `remainingSlot`, is not negative. */
@inline
export function fitsInSlot(remainingSlot: Slot): bool {
  return <i64>remainingSlot >= 0;
}

/**
 * Returns the first of `slotCount` slots on which the request fits; if it fits on none, a value for which
 * `fitsInSlot` is false.
 */
@inline
export function fastestFittingSlot(slotsAddress: usize, slotCount: i32, request: Slot): Slot {
  let fastestSlot = NO_SLOT;
  switch (slotCount) {
    case 8:
      fastestSlot = slotAtIndexOrFallback(slotsAddress, 7, request, fastestSlot);
    case 7:
      fastestSlot = slotAtIndexOrFallback(slotsAddress, 6, request, fastestSlot);
    case 6:
      fastestSlot = slotAtIndexOrFallback(slotsAddress, 5, request, fastestSlot);
    case 5:
      fastestSlot = slotAtIndexOrFallback(slotsAddress, 4, request, fastestSlot);
    case 4:
      fastestSlot = slotAtIndexOrFallback(slotsAddress, 3, request, fastestSlot);
    case 3:
      fastestSlot = slotAtIndexOrFallback(slotsAddress, 2, request, fastestSlot);
    case 2:
      fastestSlot = slotAtIndexOrFallback(slotsAddress, 1, request, fastestSlot);
    case 1:
      return slotAtIndexOrFallback(slotsAddress, 0, request, fastestSlot);
  }
  for (let index = slotCount - 1; index >= 0; index--)
    fastestSlot = slotAtIndexOrFallback(slotsAddress, index, request, fastestSlot);
  return fastestSlot;
}

/** Returns the slot at an index if the request fits there, otherwise `fallbackSlot`. */
@inline
function slotAtIndexOrFallback(slotsAddress: usize, index: i32, request: Slot, fallbackSlot: Slot): Slot {
  const slot = at<Slot>(slotsAddress, index);
  return select<u64>(slot, fallbackSlot, fitsInSlot(slot - request));
}

/**
 * Returns the slot with the fewest free processors among those of the first `slotCount` that fit, with the
 * request subtracted; if none fits, a value for which `fitsInSlot` is false.
 */
@inline
export function tightestFittingSlot(slotsAddress: usize, slotCount: i32, request: Slot): Slot {
  let tightestRemainingSlot = NO_SLOT;
  switch (slotCount) {
    case 8:
      tightestRemainingSlot = min<u64>(tightestRemainingSlot, at<Slot>(slotsAddress, 7) - request);
    case 7:
      tightestRemainingSlot = min<u64>(tightestRemainingSlot, at<Slot>(slotsAddress, 6) - request);
    case 6:
      tightestRemainingSlot = min<u64>(tightestRemainingSlot, at<Slot>(slotsAddress, 5) - request);
    case 5:
      tightestRemainingSlot = min<u64>(tightestRemainingSlot, at<Slot>(slotsAddress, 4) - request);
    case 4:
      tightestRemainingSlot = min<u64>(tightestRemainingSlot, at<Slot>(slotsAddress, 3) - request);
    case 3:
      tightestRemainingSlot = min<u64>(tightestRemainingSlot, at<Slot>(slotsAddress, 2) - request);
    case 2:
      tightestRemainingSlot = min<u64>(tightestRemainingSlot, at<Slot>(slotsAddress, 1) - request);
    case 1:
      return min<u64>(tightestRemainingSlot, at<Slot>(slotsAddress, 0) - request);
  }
  for (let index = 0; index < slotCount; index++) {
    tightestRemainingSlot = min<u64>(tightestRemainingSlot, at<Slot>(slotsAddress, index) - request);
  }
  return tightestRemainingSlot;
}
