/** Header of a job table: its size, and what `seal` found. */
@unmanaged
export class Jobs {
  /** Tells a job table from anything else. */
  magic: u32;
  bytes: u32;
  count: i32;
  /** Which columns it has besides: a sum of `Extra`. */
  extras: i32;
  /** A hash of all that the host wrote; 0 until the table is sealed. */
  identity: u64;
  /** Most processors of a job, greatest home site, longest runtime or estimate. */
  widest: i32;
  lastHome: i32;
  longest: f64;
  /** The shortest runtime above 0. */
  shortest: f64;
  /** Whether all submits, and think times, are whole seconds. */
  hasWholeSubmits: i32;
  /** Most bytes of a job. */
  largest: f64;
  /** The job that `seal` refused, or -1. */
  refused: i32;
}
