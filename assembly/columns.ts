/**
 * Where the columns of the job table and the simulation at hand are. Both blocks hold references relative to
 * themselves; `attach` turns them into addresses at every entry from the host, so that a column costs one load
 * where it is used. Nothing here outlives a call.
 */
import { Jobs, Simulation } from './abi';
import { column } from './memory';

export let submits: usize = 0;
export let runtimes: usize = 0;
export let processors: usize = 0;
export let homes: usize = 0;
export let demands: usize = 0;
export let narrowestOf64: usize = 0;
export let narrowestOf4096: usize = 0;

export let candidates: usize = 0;
export let capacities: usize = 0;
export let executions: usize = 0;
export let firstProcessors: usize = 0;
export let firstWords: usize = 0;
export let freeBits: usize = 0;
export let homeJobs: usize = 0;
export let homeResponses: usize = 0;
export let loads: usize = 0;
export let log: usize = 0;
export let logIndices: usize = 0;
export let metrics: usize = 0;
export let sites: usize = 0;
export let siteBusy: usize = 0;
export let siteJobs: usize = 0;
export let slotOfSite: usize = 0;
export let speeds: usize = 0;
export let starts: usize = 0;
export let trial: usize = 0;
export let finishJobs: usize = 0;
export let finishTimes: usize = 0;
export let slots: usize = 0;
export let options: usize = 0;

/** Makes the columns of a job table and a simulation the ones at hand. */
export function attach(simulation: Simulation, jobs: Jobs): void {
  const table = changetype<usize>(jobs);
  submits = column(table, jobs.submit);
  runtimes = column(table, jobs.runtime);
  processors = column(table, jobs.processors);
  homes = column(table, jobs.home);
  demands = column(table, jobs.demand);
  narrowestOf64 = column(table, jobs.narrowestOf64);
  narrowestOf4096 = column(table, jobs.narrowestOf4096);
  const block = changetype<usize>(simulation);
  candidates = column(block, simulation.candidates);
  capacities = column(block, simulation.capacity);
  executions = column(block, simulation.execution);
  firstProcessors = column(block, simulation.firstProcessor);
  firstWords = column(block, simulation.firstWord);
  freeBits = column(block, simulation.freeBits);
  homeJobs = column(block, simulation.homeJobs);
  homeResponses = column(block, simulation.homeResponse);
  loads = column(block, simulation.load);
  log = column(block, simulation.log);
  logIndices = column(block, simulation.logIndex);
  metrics = column(block, simulation.metric);
  sites = column(block, simulation.site);
  siteBusy = column(block, simulation.siteBusy);
  siteJobs = column(block, simulation.siteJobs);
  slotOfSite = column(block, simulation.slot);
  speeds = column(block, simulation.speed);
  starts = column(block, simulation.start);
  trial = column(block, simulation.trial);
  finishJobs = column(block, simulation.finishJob);
  finishTimes = column(block, simulation.finishTime);
  slots = column(block, simulation.free);
  options = column(block, simulation.option);
}
