/**
 * Runs a study of RUNS tiny simulations with the built program and prints the bytes of heap in use after
 * garbage collection: the median while they run, and the value when all results are there. Usage: `node
 * --expose-gc heap.mjs FOLDER RUNS`.
 */
import { planStudy } from '../../dist/runs/planStudy.js';
import { runPlannedStudy } from '../../dist/runs/runPlan.js';
import { parseStudy } from '../../dist/study/study.js';

const [folder, runs] = process.argv.slice(2);
const POLICIES = ['best-fit', 'fastest-first', 'si', 'ti', 'ai', 'ai2', 'tai', 'tai2'];

const study = await parseStudy(
  `
title: Tiny
simulate:
  workload: lublin99[jobs=50]
  sites: 8,128,128,128,50
  speeds: draw[sh=0.12,seed={draw}]
  policy: '{policy}'
axes: { policy: [${POLICIES}] }
draws: { axis: draw, count: ${runs / POLICIES.length} }
measures: { art: { metric: averageResponseTime } }
`,
  'tiny.yaml',
);

function bytesInUse() {
  globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

const RUNS_BETWEEN_MEASUREMENTS = 4;
const plannedStudy = await planStudy(study);
const looks = [];
let calls = 0;
const outcome = await runPlannedStudy(study, plannedStudy, {
  out: folder,
  threads: 2,
  onProgress: () => {
    if (calls++ % RUNS_BETWEEN_MEASUREMENTS === 0) looks.push(bytesInUse());
  },
});
const running = looks.sort((a, b) => a - b)[looks.length >> 1];
// Memory of finished runs is released only after their last promises are settled.
for (let i = 0; i < 3; i++) {
  await new Promise(setImmediate);
  globalThis.gc();
}
process.stdout.write(JSON.stringify({ runs: outcome.results.length, running, end: bytesInUse() }));
