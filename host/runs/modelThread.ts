/** A thread that makes logs of workload models. */
export { makeModelTrace as default } from '../workload/models.js';
