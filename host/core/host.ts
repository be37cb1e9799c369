/**
 * Module `gridalloc/core`: the core alone, for any host with JavaScript and WebAssembly. It requires no
 * package and no Node API; columns, options and statuses are named as in docs/abi.md.
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
export {
  type EndedLiveJob,
  type LiveJob,
  type LiveOutage,
  LiveRun,
  type LiveRunSettings,
  type LiveState,
  type LiveStateJob,
} from './live.js';
export { Blocks, type CoreJobs, type JobInput, makeCoreJobs as makeJobs } from './memory.js';
export type {
  ChangeableRules,
  Column,
  PolicyParameters,
  RunInput,
  RunOptions,
  RunSettings,
} from './runSettings.js';
