import { Option } from '../abi/abi';
import * as columns from '../memory/columns';

/** Times in multiples of a unit, on the clock of 1970. */

/** A time rounded down to the resolution of reservations. */
@inline
export function roundedDown(time: f64): f64 {
  const unit = columns.taken(Option.BackfillResolution);
  if (unit === 0) return time;
  const origin = columns.taken(Option.ClockOrigin);
  return floor<f64>((time + origin) / unit) * unit - origin;
}

/** A time rounded up to the resolution of reservations. */
export function roundedUp(time: f64): f64 {
  const unit = columns.taken(Option.BackfillResolution);
  if (unit === 0) return time;
  const origin = columns.taken(Option.ClockOrigin);
  return ceil<f64>((time + origin) / unit) * unit - origin;
}

/** Next multiple of a unit behind a time. */
@inline
export function multipleBehind(time: f64, unit: f64): f64 {
  const origin = columns.taken(Option.ClockOrigin);
  return floor<f64>((time + origin) / unit) * unit + unit - origin;
}
