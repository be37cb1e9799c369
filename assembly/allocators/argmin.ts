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
export function fastest(slotsAddress: usize, slotCount: i32, request: Slot): Slot {
  let fastestSlot = NO_SLOT;
  switch (slotCount) {
    case 8:
      fastestSlot = slotOfEarlierSite(slotsAddress, 7, request, fastestSlot);
    case 7:
      fastestSlot = slotOfEarlierSite(slotsAddress, 6, request, fastestSlot);
    case 6:
      fastestSlot = slotOfEarlierSite(slotsAddress, 5, request, fastestSlot);
    case 5:
      fastestSlot = slotOfEarlierSite(slotsAddress, 4, request, fastestSlot);
    case 4:
      fastestSlot = slotOfEarlierSite(slotsAddress, 3, request, fastestSlot);
    case 3:
      fastestSlot = slotOfEarlierSite(slotsAddress, 2, request, fastestSlot);
    case 2:
      fastestSlot = slotOfEarlierSite(slotsAddress, 1, request, fastestSlot);
    case 1:
      return slotOfEarlierSite(slotsAddress, 0, request, fastestSlot);
  }
  for (let index = slotCount - 1; index >= 0; index--)
    fastestSlot = slotOfEarlierSite(slotsAddress, index, request, fastestSlot);
  return fastestSlot;
}

/** Returns the slot at an index if the request fits there, otherwise `foundSlot`. */
@inline
function slotOfEarlierSite(slotsAddress: usize, index: i32, request: Slot, foundSlot: Slot): Slot {
  const slot = at<Slot>(slotsAddress, index);
  return select<u64>(slot, foundSlot, fitsInSlot(slot - request));
}

/**
 * Returns the slot with the fewest free processors among those of the first `slotCount` that fit, with the
 * request subtracted; if none fits, a value for which `fitsInSlot` is false.
 */
@inline
export function tightestSlot(slotsAddress: usize, slotCount: i32, request: Slot): Slot {
  let leastRemainder = NO_SLOT;
  switch (slotCount) {
    case 8:
      leastRemainder = min<u64>(leastRemainder, at<Slot>(slotsAddress, 7) - request);
    case 7:
      leastRemainder = min<u64>(leastRemainder, at<Slot>(slotsAddress, 6) - request);
    case 6:
      leastRemainder = min<u64>(leastRemainder, at<Slot>(slotsAddress, 5) - request);
    case 5:
      leastRemainder = min<u64>(leastRemainder, at<Slot>(slotsAddress, 4) - request);
    case 4:
      leastRemainder = min<u64>(leastRemainder, at<Slot>(slotsAddress, 3) - request);
    case 3:
      leastRemainder = min<u64>(leastRemainder, at<Slot>(slotsAddress, 2) - request);
    case 2:
      leastRemainder = min<u64>(leastRemainder, at<Slot>(slotsAddress, 1) - request);
    case 1:
      return min<u64>(leastRemainder, at<Slot>(slotsAddress, 0) - request);
  }
  for (let index = 0; index < slotCount; index++) {
    leastRemainder = min<u64>(leastRemainder, at<Slot>(slotsAddress, index) - request);
  }
  return leastRemainder;
}
