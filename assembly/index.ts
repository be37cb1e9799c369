/** The whole interface of the core; docs/abi.md describes how a host drives it. */
import { ABI_VERSION, Status } from './abi';
import { Jobs, Simulation } from './state';
import { attach } from './columns';
import * as beginning from './engine/begin';
import * as running from './engine/run';
import * as metrics from './metrics';

export { Column, JobColumn, Metric, Option, Scalar, Status } from './abi';
export { Discipline, Instant, Moldable, MoldableFit, MultiSite, Resolution } from './abi';
export { Limit, RuntimeReference, Selection, Topology } from './abi';
export { policyDeclaration } from './allocators/registry';
export { brokenInvariant } from './check';
export { arrangeJobs, jobColumnAddress, sealJobs } from './engine/jobs';
export { columnAddress, scalar, setOption } from './engine/access';
export { arrange, extendLogs } from './engine/layout';

/** Changes whenever a host written for an earlier version would misread this one. */
export function abiVersion(): i32 {
  return ABI_VERSION;
}

/** First address that a host may use; all below belongs to the core. */
export function firstAddress(): usize {
  return __heap_base;
}

/** Takes the options and site columns of a simulation and goes back to before the first event. */
export function begin(simulation: usize, jobs: usize): Status {
  attach(changetype<Simulation>(simulation), changetype<Jobs>(jobs));
  return beginning.begin(changetype<Simulation>(simulation), changetype<Jobs>(jobs));
}

/** Handles all events up to and including a time, in seconds; +infinity runs to the end. */
export function runUntil(simulation: usize, jobs: usize, until: f64): Status {
  attach(changetype<Simulation>(simulation), changetype<Jobs>(jobs));
  return running.runUntil(changetype<Simulation>(simulation), until);
}

/** Computes all metrics of a finished simulation. */
export function measure(simulation: usize, jobs: usize): void {
  attach(changetype<Simulation>(simulation), changetype<Jobs>(jobs));
  metrics.measure(changetype<Simulation>(simulation));
}
