/** Asks the function of a policy wherever the core pauses for a decision. */
import type { CoreRun } from '../core/host.js';
import type { PolicyFunction } from '../core/ownPolicy.js';
import { printPolicy } from '../core/policies.js';
import { answerText, FunctionError, InputError, thrownText } from '../errors.js';
import type { Configuration } from '../options/configuration.js';
import type { Workload } from '../workload/workload.js';
import { FunctionView } from './policyView.js';

/** The decisions of a run. */
export class OwnDecisions {
  readonly #run: CoreRun;
  readonly #workload: Workload;
  /** What is shown under a configuration, and who is asked. */
  #configuration: Configuration | undefined;
  #view!: FunctionView;
  #choose!: PolicyFunction;
  #name = '';

  constructor(run: CoreRun, workload: Workload) {
    this.#run = run;
    this.#workload = workload;
  }

  #configure(configuration: Configuration): void {
    const { policy } = configuration;
    this.#name = printPolicy(policy);
    if (policy.choose === undefined) throw new InputError(`no function is here for the policy ${this.#name}`);
    this.#choose = policy.choose;
    this.#view = new FunctionView(this.#run, this.#workload, configuration);
    this.#configuration = configuration;
  }

  /**
   * Answers the pending decision.
   * @throws InputError when the policy has no function; FunctionError when the function fails, or answers with what is
   * no site on which the job can start now.
   */
  answer(configuration: Configuration): void {
    if (configuration !== this.#configuration) this.#configure(configuration);
    const view = this.#view;
    const { core, block, jobs } = this.#run;
    const job = FunctionView.show(view);
    const site = this.#ask(view, job);
    // What is no whole number would be made one on the way to the core.
    const isWhole = typeof site === 'number' && (site | 0) === site;
    const isTaken = isWhole && core.decide(block, jobs.table, site - 1) === core.Status.Finished;
    if (!isTaken) throw this.#unfit(view, job, site);
  }

  #ask(view: FunctionView, job: number): number {
    const choose = this.#choose;
    try {
      return choose(view);
    } catch (error) {
      throw new FunctionError(`${this.#asked(view, job)} failed: ${thrownText(error, this.#name)}`);
    }
  }

  #asked({ time }: FunctionView, job: number): string {
    const { name, job: numbers } = this.#workload;
    return `${name}, job ${numbers[job]} at time ${time}: the policy ${this.#name}`;
  }

  #unfit(view: FunctionView, job: number, site: unknown): FunctionError {
    const { processors, home } = this.#workload;
    const { sites } = view;
    const state = sites.find(({ number }) => number === site);
    const found = answerText(site);
    const asked = this.#asked(view, job);
    if (state === undefined) {
      const [{ number: first }] = sites;
      const expected =
        sites.length === 1
          ? `${first}, the number of its site,`
          : `the number of a site, 1 to ${sites.length},`;
      return new FunctionError(`${asked} answers ${found}, expected ${expected} or 0 for the job to wait`);
    }
    const { grid, minSpeedRatio } = this.#configuration as Configuration;
    const isFastEnough = state.speed >= minSpeedRatio * grid.speeds[home[job]];
    const why =
      state.free < processors[job]
        ? `has ${state.free} processors free where the job needs ${processors[job]}`
        : isFastEnough
          ? 'is not safe: a job with a reservation would start later'
          : 'the job may not use';
    return new FunctionError(`${asked} answers site ${found}, which ${why}`);
  }
}
