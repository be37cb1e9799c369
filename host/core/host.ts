/**
 * `gridalloc/core`: the core by itself, on whatever runs JavaScript and WebAssembly. It needs no package and nothing
 * of Node; columns, options and statuses have the names that docs/abi.md gives them.
 */
export { type ColumnView, CoreRun, type KeysOfJob } from './coreRun.js';
export {
  type Core,
  CoreCallRefusal as Refusal,
  type CoreOption,
  declaredPolicies,
  instantiateCore,
  type PolicyDeclaration,
  type PolicyParameter,
} from './instance.js';
export { type LiveJob, LiveRun, type LiveRunSettings } from './live.js';
export { Blocks, type CoreJobs, type JobInput, makeCoreJobs as makeJobs } from './memory.js';
export type { Column, PolicyParameters, RunInput, RunOptions, RunSettings } from './runSettings.js';
