/** Where something was measured. */
import { arch, cpus, platform } from 'node:os';

/** A machine, as far as times depend on it. */
export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly system: string;
  readonly node: string;
}

/** This machine. */
export function thisMachine(): Machine {
  return {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    system: `${platform()} ${arch()}`,
    node: process.version,
  };
}
