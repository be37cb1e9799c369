/**
 * Entry point of the build for explanations: the whole interface, and a record of the events around one job.
 */
export * from './index';
export { recordedCount, recordedLost, watchJob as watch } from './record/log';
export { Note } from './record/log';
