/** Sharing beside simulations one by one on the studies that come with the package, in one thread. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parsePolicy } from '../host/core/policies.js';
import { groupRuns, type History } from '../host/runner/histories.js';
import { type Planned, planStudy } from '../host/runner/planStudy.js';
import { readStudy } from '../host/runner/readStudy.js';
import { runPolicies } from '../host/simulate/sharedHistories.js';
import { Simulator } from '../host/simulate/simulator.js';
import { summarize } from '../host/simulate/summary.js';
import { runConfiguration } from '../host/study/plan.js';
import { jobMetricsIn, metricValues } from '../host/study/runValues.js';
import { traceFile } from '../tests/traces.js';
import { tableOf } from './table.js';
import { least } from './timing.js';

/** Histories of a study that are timed, spread over all that have several policies. */
const HISTORIES = 6;

/** Replications of a study that are planned: more are more of the same. */
const REPLICATIONS = 2;

/** What was measured of a study. */
export interface StudyTimes {
  readonly study: string;
  readonly runs: number;
  readonly histories: number;
  /** Of the histories that were timed. */
  readonly policies: number;
  readonly millisecondsApart: number;
  readonly millisecondsShared: number;
  /** The least ratio of one of them. */
  readonly worst: number;
  readonly forks: number;
  readonly joins: number;
}

const FOLDER = fileURLToPath(new URL('../studies/', import.meta.url));

/** The plan of a study, of few replications where their number can be changed; undefined without its log. */
async function planOf(name: string): Promise<Planned | undefined> {
  const path = `${FOLDER}${name}.yaml`;
  const trace = traceFile('sdsc-sp2-54041.swf.gz');
  if (trace === undefined && readFileSync(path, 'utf8').includes('$TRACE')) return undefined;
  const all = await readStudy(path);
  const study = all.draws === undefined ? all : await readStudy(path, { draws: REPLICATIONS });
  return await planStudy(study, { trace, allowMany: true });
}

/** Times one history both ways, if its values are the same. */
async function timeHistory({ plan, jobsOf }: Planned, history: History, rounds: number) {
  const [[, first]] = history;
  const workload = await jobsOf(plan.runs.workload(first));
  const [alone, shared] = [new Simulator(workload), new Simulator(workload)];
  const configuration = runConfiguration(plan.runs.parameters(first));
  const policies = history.map(([, run]) => parsePolicy(plan.runs.parameter(run, 'policy')));
  const apart = () =>
    policies.map((policy) => {
      alone.begin({ ...configuration, policy });
      alone.run();
      return metricValues(summarize(alone));
    });
  const together = () =>
    runPolicies(shared, configuration, policies, (each) => metricValues(summarize(each)));
  const { values, sharing } = together();
  if (JSON.stringify(values) !== JSON.stringify(apart())) {
    throw new Error(`${plan.study}: policies together have other metrics than by themselves`);
  }
  let [one, all] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < rounds; round++) {
    one = Math.min(one, least(1, apart));
    all = Math.min(all, least(1, together));
  }
  return { apart: one / 1e6, shared: all / 1e6, forks: sharing.forks, joins: sharing.joins };
}

/** Checks that both ways give the same on every study, then times them by turns unless only the check is asked for. */
export async function benchStudies(checkOnly: boolean): Promise<StudyTimes[]> {
  const rows: StudyTimes[] = [];
  let skipped = 0;
  for (const file of readdirSync(FOLDER).filter((each) => each.endsWith('.yaml'))) {
    const study = file.replace('.yaml', '');
    const planned = await planOf(study);
    if (planned === undefined) {
      skipped++;
      continue;
    }
    const { plan } = planned;
    const runs = Uint32Array.from({ length: plan.runs.length }, (_, run) => run);
    const histories = groupRuns([{ planned, runs }], true).flatMap((each) => each.histories);
    const several = histories.filter(({ length }) => length > 1);
    if (jobMetricsIn(plan.metrics).length > 0 || several.length === 0) continue;
    const most = checkOnly ? 1 : HISTORIES;
    const step = Math.max(1, several.length / most);
    const chosen = Array.from(
      { length: Math.min(most, several.length) },
      (_, i) => several[Math.floor(i * step)],
    );
    const times: Awaited<ReturnType<typeof timeHistory>>[] = [];
    for (const history of chosen) times.push(await timeHistory(planned, history, checkOnly ? 0 : 3));
    const sum = (of: (each: (typeof times)[number]) => number) =>
      times.reduce((total, each) => total + of(each), 0);
    rows.push({
      study,
      runs: plan.runs.length,
      histories: histories.length,
      policies: chosen.reduce((total, { length }) => total + length, 0) / chosen.length,
      millisecondsApart: sum((each) => each.apart),
      millisecondsShared: sum((each) => each.shared),
      worst: Math.min(...times.map((each) => each.apart / each.shared)),
      forks: sum((each) => each.forks),
      joins: sum((each) => each.joins),
    });
  }
  const without = skipped > 0 ? `, ${skipped} need logs that are not here` : '';
  console.log(`studies: in ${rows.length} of them runs share histories, with the same metrics${without}`);
  if (checkOnly) return rows;
  const head = ['study', 'runs', 'histories', 'policies each', 'apart, ms', 'together, ms', 'ratio', 'worst'];
  console.log(
    tableOf(
      [...head, 'forks', 'joins'],
      rows.map((each) => [
        each.study,
        each.runs,
        each.histories,
        each.policies.toFixed(1),
        each.millisecondsApart.toFixed(1),
        each.millisecondsShared.toFixed(1),
        (each.millisecondsApart / each.millisecondsShared).toFixed(2),
        each.worst.toFixed(2),
        each.forks,
        each.joins,
      ]),
    ),
  );
  return rows;
}
