/** All methods of a comparison on one replication of its jobs. */
import { openCore } from '../core/module.js';
import type { CodeFile } from '../options/code.js';
import type { Settings } from '../options/options.js';
import { configurationOf, type Method } from '../simulate/experiment.js';
import { placeJobs } from '../simulate/jobTable.js';
import { gridOf, type JobSource, jobSource } from '../simulate/prepare.js';
import { runPolicies } from '../simulate/sharedHistories.js';
import { Simulator } from '../simulate/simulator.js';
import { summarize } from '../simulate/summary.js';
import type { OptionTexts } from '../study/definition.js';
import { metricValues, valuesOfJobs } from '../study/runValues.js';
import { settingsOf } from '../study/settings.js';
import type { Trace } from '../trace/trace.js';

/** What is the same in all replications: plain data, that threads may be given. */
export interface ReplicatedExperiment {
  /** The log, or the jobs of the model, as read. */
  readonly trace: Trace;
  /** What the methods have in common as text, the workload among it. */
  readonly options: OptionTexts;
  readonly capacities: readonly number[];
  /** What each says besides. */
  readonly methods: readonly Method[];
  /** Names of metrics of every job that are wanted besides. */
  readonly jobMetrics: readonly string[];
  /** Whether methods that differ in nothing but their policies are simulated as one until a decision differs; default true. */
  readonly sharing?: boolean | undefined;
  /** The files with functions that methods name. */
  readonly code: readonly CodeFile[];
}

/** Runs replications one after the other, each in the same memory. */
export class ReplicationRunner {
  readonly #experiment: ReplicatedExperiment;
  readonly #settings: Settings;
  readonly #source: JobSource;
  readonly #alike: readonly (readonly number[])[];
  readonly #core = openCore('release');

  constructor(experiment: ReplicatedExperiment) {
    this.#experiment = experiment;
    this.#settings = settingsOf({ options: experiment.options, locate: (option) => `--${option}` });
    this.#source = jobSource(this.#settings, experiment.trace);
    this.#alike = alikeMethods(experiment);
  }

  /**
   * The metrics of each method on replication r = 1, 2, ..., in the order of `metricNames`, then those of every job.
   * @throws InputError for jobs, speeds or options that cannot be simulated.
   */
  run(replication: number): number[][] {
    const { capacities, methods, jobMetrics } = this.#experiment;
    const grid = gridOf({ ...this.#settings, replication }, capacities);
    const { workload } = this.#source.jobs(grid, replication);
    const simulator = new Simulator(workload, placeJobs(this.#core, workload));
    const configurations = methods.map((method) => configurationOf(grid, this.#settings, method));
    const values: number[][] = [];
    for (const group of this.#alike) {
      if (group.length > 1) {
        const policies = group.map((method) => configurations[method].policy);
        const shared = runPolicies(simulator, configurations[group[0]], policies, (each) =>
          metricValues(summarize(each)),
        );
        group.forEach((method, i) => {
          values[method] = shared.values[i];
        });
        continue;
      }
      const [method] = group;
      simulator.begin(configurations[method]);
      simulator.run();
      values[method] = [...metricValues(summarize(simulator)), ...valuesOfJobs(simulator, jobMetrics)];
    }
    return values;
  }
}

/** Methods that differ in nothing but their policies; each by itself where metrics of every job, or functions, are asked for. */
function alikeMethods({ methods, jobMetrics, sharing = true, code }: ReplicatedExperiment): number[][] {
  const areShared = sharing && jobMetrics.length === 0 && code.length === 0;
  const groups = new Map<string, number[]>();
  methods.forEach(({ policy, ...others }, method) => {
    const key = areShared && policy !== undefined ? JSON.stringify(others) : String(method);
    groups.set(key, [...(groups.get(key) ?? []), method]);
  });
  return [...groups.values()];
}
