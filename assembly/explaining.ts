/** A third entry point, for explanations: the whole interface, and a record of what happens around a job. */
export * from './index';
export { recordedCount, recordedLost, watch } from './record/log';
export { Note } from './record/log';
