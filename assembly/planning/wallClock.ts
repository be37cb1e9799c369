import { Option } from '../abi/abi';
import * as columns from '../memory/columns';

/** Times in multiples of a unit, on the clock of 1970. */

/** Time in seconds rounded down to the resolution of reservations. */
@inline
export function roundDownToUnit(time: f64): f64 {
  const unitSeconds = columns.optionOfRun(Option.BackfillResolution);
  if (unitSeconds === 0) return time;
  const origin = columns.optionOfRun(Option.ClockOrigin);
  return floor<f64>((time + origin) / unitSeconds) * unitSeconds - origin;
}

/** Time in seconds rounded up to the resolution of reservations. */
export function roundUpToUnit(time: f64): f64 {
  const unitSeconds = columns.optionOfRun(Option.BackfillResolution);
  if (unitSeconds === 0) return time;
  const origin = columns.optionOfRun(Option.ClockOrigin);
  return ceil<f64>((time + origin) / unitSeconds) * unitSeconds - origin;
}

/** Next multiple of a unit behind a time. */
@inline
export function nextMultipleAfter(time: f64, unitSeconds: f64): f64 {
  const origin = columns.optionOfRun(Option.ClockOrigin);
  return floor<f64>((time + origin) / unitSeconds) * unitSeconds + unitSeconds - origin;
}
