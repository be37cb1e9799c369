/**
 * Measures an open run of generated jobs from which ended jobs are removed: jobs per second of processor
 * time, and peak memory of the process. Usage: `npx tsx bench/live.ts JOBS [RULES]`. Utilization is about
 * 0.64.
 */
import { readFileSync } from 'node:fs';
import { CoreRun } from '../host/core/coreRun.js';
import { instantiateCore } from '../host/core/instance.js';
import { jobTableColumnView, makeOpenTable } from '../host/core/memory.js';
import type { RunSettings } from '../host/core/runSettings.js';
import { coreFile } from '../host/files/coreFile.js';

const TABLE_ROW_CAPACITY = 32_768;
const MAX_JOBS_PER_BATCH = 8192;
const SITES = { Capacity: [128, 64], Speed: [1, 1.5] };
/** Mean seconds between submissions. */
const MEAN_SUBMIT_INTERVAL = 230;
const OPTIONS_BY_RULE: Readonly<Record<string, NonNullable<RunSettings['options']>>> = {
  fcfs: {},
  easy: { Discipline: 'Easy', Selection: 'Greedy' },
  kept: { Discipline: 'Conservative', Selection: 'Greedy', Reservations: 'Kept' },
  sjf: { Discipline: 'FirstAvailable', Order: 'Shortest' },
};

const [jobCountText = '1e6', ruleName = 'fcfs'] = process.argv.slice(2);
const jobCount = Number(jobCountText);
const core = instantiateCore(readFileSync(coreFile('release')));
const jobs = makeOpenTable(core, TABLE_ROW_CAPACITY, ['Row']);
const run = new CoreRun(jobs);
run.begin({ policy: 'best-fit', sites: SITES, options: { ...OPTIONS_BY_RULE[ruleName], Open: 1 } });

let randomState = 12_345;
const draw = () => {
  randomState = (Math.imul(randomState, 1_103_515_245) + 12_345) >>> 0;
  return randomState / 2 ** 32;
};
let time = 0;

/** Appends jobs behind the rows of the table. */
function append(rowCount: number, addedCount: number): void {
  const viewJobColumn = (name: 'Submit' | 'Runtime' | 'Processors' | 'Estimate' | 'Home') =>
    jobTableColumnView(core, jobs.table, TABLE_ROW_CAPACITY, name);
  const [submit, runtime, estimate] = [
    viewJobColumn('Submit'),
    viewJobColumn('Runtime'),
    viewJobColumn('Estimate'),
  ];
  const [processors, home] = [viewJobColumn('Processors'), viewJobColumn('Home')];
  for (let row = rowCount; row < rowCount + addedCount; row++) {
    time += Math.floor(-MEAN_SUBMIT_INTERVAL * Math.log(1 - draw()));
    submit[row] = time;
    runtime[row] = 1 + Math.floor(7200 * draw() * draw());
    estimate[row] = 3 * runtime[row]!;
    processors[row] = 1 << Math.floor(7 * draw());
    home[row] = 0;
  }
  run.check(core.appendJobs(jobs.table, addedCount));
}

const cpuUsageAtStart = process.cpuUsage();
let rowCount = 0;
let maxRowCount = 0;
for (let appendedCount = 0; appendedCount < jobCount; ) {
  const batchSize = Math.min(MAX_JOBS_PER_BATCH, jobCount - appendedCount);
  append(rowCount, batchSize);
  rowCount += batchSize;
  appendedCount += batchSize;
  // Jobs of the next batch may be submitted at the same time as the last one.
  run.runUntil(Math.max(0, time - 1));
  if (rowCount <= TABLE_ROW_CAPACITY - MAX_JOBS_PER_BATCH) continue;
  run.check(core.compact(run.block, jobs.table));
  rowCount = jobTableColumnView(core, jobs.table, TABLE_ROW_CAPACITY, 'Row')[rowCount - 1]! + 1;
  maxRowCount = Math.max(maxRowCount, rowCount);
}
run.check(core.closeRun(run.block, jobs.table));
run.run();
const { user, system } = process.cpuUsage(cpuUsageAtStart);
const seconds = (user + system) / 1e6;
const peakMegabytes = process.resourceUsage().maxRSS / 1024;
console.log(
  `${ruleName}, ${jobCount} jobs: ${Math.round(jobCount / seconds)} jobs/s, ${peakMegabytes.toFixed(0)} MiB, ` +
    `at most ${maxRowCount} left after a removal, mean wait ${run.metric('MeanWait').toFixed(1)} s, ` +
    `utilization ${run.metric('Utilization').toFixed(3)}`,
);
