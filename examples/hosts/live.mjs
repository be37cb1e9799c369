// A live queue: a machine reports submissions and ends, and the core says what starts. `node live.mjs`
import { readFileSync } from 'node:fs';
import { instantiateCore, LiveRun } from 'gridalloc/core';

/** Time in seconds, and a job: with processors and estimate if it is submitted, with its number if it ends. */
const REPORTS = [
  [0, { processors: 3, estimate: 3600 }],
  [5, { processors: 4, estimate: 600 }],
  [6, { processors: 1, estimate: 300 }],
  [90, { ended: 0 }],
  [200, { ended: 2 }],
  [300, { processors: 2, estimate: 100 }],
  [690, { ended: 1 }],
  [720, { ended: 3 }],
];

const core = instantiateCore(
  readFileSync(new URL('node_modules/gridalloc/build/release.wasm', import.meta.url)),
);
const sites = { Capacity: [4], Speed: [1] };
const live = new LiveRun(core, {
  capacity: 100,
  sites,
  options: { Discipline: 'Easy', Selection: 'Greedy' },
});
for (const [time, { processors, estimate, ended }] of REPORTS) {
  if (ended === undefined) live.submit({ Submit: time, Processors: processors, Estimate: estimate });
  else live.end(ended, time);
  for (const job of live.advance(time)) console.log(`job ${job} starts at ${time}`);
}
live.finish();
console.log(`mean wait ${live.run.metric('MeanWait')}`);
