/** Whose jobs functions are asked about, which what they are shown does not say. */

const LOGS = new WeakMap<object, string>();

/** Notes of what a function is shown whose jobs it is about; returns it. */
export function askedAbout<Shown extends object>(shown: Shown, log: string): Shown {
  LOGS.set(shown, log);
  return shown;
}

/** The name of the workload whose jobs a function is shown. */
export function logShown(shown: object): string {
  return LOGS.get(shown) as string;
}
