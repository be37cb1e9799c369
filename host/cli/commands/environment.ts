/** gridalloc environment: an agent in another program chooses the sites of jobs, over a pipe. */

import { createInterface } from 'node:readline';
import { InputError } from '../../errors.js';
import { joinFileNames } from '../../files/traceFiles.js';
import { QUANTITIES } from '../../jobs/quantities.js';
import {
  Environment,
  type EnvironmentOptions,
  FEATURES,
  type FeatureName,
  featureNumberNames,
} from '../../learn/environment.js';
import { firstElement } from '../../lists.js';
import { checkKnownNames } from '../../notation.js';
import { runOptionsOf } from '../../options/configuration.js';
import {
  CODE_OPTIONS,
  COMMON_OPTIONS,
  SETTING_OPTIONS,
  WORKLOAD_WORD,
} from '../../request/commandOptions.js';
import type { OptionTable } from '../../request/definitions.js';
import { type CommandInput, readInput } from '../../request/fromArguments.js';
import { simulateRequest } from '../../request/request.js';
import { type Experiment, jobSource } from '../../simulate/experiment.js';
import { isModelText } from '../../workload/models.js';
import type { Command } from '../command.js';
import type { Context } from '../context.js';
import { prepareExperiment } from '../loading.js';

/** Options of a simulation that an episode does not have: the agent is the policy, and every job counts in the rewards. */
const OPTIONS_IDLE_IN_EPISODE = ['policy', 'replication', 'warm-up', 'cool-down', 'reclaim'];

const EPISODE_OPTIONS: OptionTable = Object.fromEntries(
  Object.entries(SETTING_OPTIONS).filter(([name]) => !OPTIONS_IDLE_IN_EPISODE.includes(name)),
);

const DEFAULT_FEATURES: readonly FeatureName[] = ['processors', 'queuedProcessors', 'free', 'speed'];

const ENVIRONMENT_OPTIONS = {
  observe: {
    describe: `what the agent sees, with commas: ${FEATURES.join(', ')}`,
    default: DEFAULT_FEATURES.join(','),
    complete: () => FEATURES,
    isRepeatable: true,
    group: 'Agent:',
  },
  reward: {
    describe: 'minus the sum of this over the jobs that have started since the last step',
    choices: QUANTITIES,
    default: 'response',
    group: 'Agent:',
  },
  'may-wait': {
    describe: 'the agent may choose 0, which makes the job wait, while other jobs run',
    isSwitch: true,
    group: 'Agent:',
  },
  ...EPISODE_OPTIONS,
  ...CODE_OPTIONS,
  quiet: COMMON_OPTIONS.quiet,
  verbose: COMMON_OPTIONS.verbose,
} satisfies OptionTable;

/** gridalloc environment. */
export const environmentCommand: Command<CommandInput<typeof ENVIRONMENT_OPTIONS>> = {
  description: [
    'Lets an agent in another program choose the site of each job, as in Gymnasium: reads one JSON request a line from ' +
      'standard input, {"reset": 1}, {"step": 2} or {"summary": true}, and answers each with one line of JSON on standard ' +
      'output. The first line describes actions and observations. docs/environment.md has a client in Python.',
    'Episodes of a model, and with --perturb those of a log, differ by replication; otherwise all have the same jobs.',
    'WORKLOAD is a job log or a model, as for gridalloc simulate; it cannot be standard input.',
  ].join('\n\n'),
  positionals: [WORKLOAD_WORD],
  options: ENVIRONMENT_OPTIONS,
  read: readInput(ENVIRONMENT_OPTIONS),
  examples: [
    [
      "gridalloc environment 'lublin99[jobs=1000]' --sites 64,128 --speeds 2,1",
      'episodes of a model; requests are typed, or piped in',
    ],
    [
      'gridalloc environment log.swf.gz --sites 64,64 --perturb shake --observe processors,left',
      'a log whose submit times are shaken differently in each episode',
    ],
  ],
  run,
};

async function run(input: CommandInput<typeof ENVIRONMENT_OPTIONS>, context: Context): Promise<number> {
  const source = joinFileNames(input.words);
  if (source === '-')
    throw new InputError('standard input is for the requests; give the path of a job log, or a model');
  const features = parseObservedFeatures(input);
  const request = simulateRequest(source, input.options);
  const experiment = await prepareExperiment(request, context);
  const environment = new Environment({
    ...{ jobs: makeEpisodeJobs(experiment), grid: experiment.grid, observation: features },
    reward: input.values.reward as EnvironmentOptions['reward'],
    mayWait: input.values['may-wait'] !== undefined,
    simulation: runOptionsOf({ ...experiment.settings, ...firstElement(experiment.methods) }),
  });
  await context.print(JSON.stringify(environmentDocument(environment, features)));
  const { stdin, signal } = context.io;
  for await (const line of createInterface({ input: stdin, crlfDelay: Infinity, signal }))
    if (line.trim() !== '') await context.print(answerLine(environment, line));
  signal.throwIfAborted();
  return 0;
}

/** Features that the agent observes, from --observe. */
function parseObservedFeatures(input: CommandInput<typeof ENVIRONMENT_OPTIONS>): readonly FeatureName[] {
  if (input.values.observe === undefined) return DEFAULT_FEATURES;
  const names = (input.values.observe ?? []).flatMap((text) => text.split(',').map((name) => name.trim()));
  checkKnownNames(names, FEATURES, 'feature');
  return names as FeatureName[];
}

/**
 * The jobs of each episode.
 * @throws InputError where each is to have other speeds too, since observations are of one grid.
 */
function makeEpisodeJobs({ settings, loaded, grid, workload }: Experiment): EnvironmentOptions['jobs'] {
  if (settings.perturb?.speeds)
    throw new InputError('--perturb speeds: all episodes have the sites of the grid; perturb the jobs alone');
  if (settings.perturb === undefined && !isModelText(settings.workload)) return workload;
  const source = jobSource(settings, loaded);
  return (replication) => source.jobs(grid, replication).workload;
}

// The lines that go over the pipe.

/** Kinds of requests. */
const REQUEST_KINDS = ['reset', 'step', 'summary'] as const;
type Request = { readonly [Key in (typeof REQUEST_KINDS)[number]]?: unknown };

const EXPECTED_REQUESTS = 'expected {"reset": REPLICATION}, {"step": ACTION} or {"summary": true}';

/**
 * What an environment is, which is said before the first request: how many actions there are, and what the numbers of an
 * observation are.
 * @param features those that the environment was made with.
 */
export function environmentDocument(
  { actionCount }: Environment,
  features: readonly FeatureName[],
): { readonly actions: number; readonly observation: readonly string[] } {
  return { actions: actionCount, observation: featureNumberNames(features, actionCount - 1) };
}

/**
 * The answer to one request, as a JSON document in one line. A request that cannot be met is answered with its `error`, and
 * changes nothing.
 * @param line `{"reset": REPLICATION}` (true: the next one), `{"step": ACTION}` or `{"summary": true}`.
 */
export function answerLine(environment: Environment, line: string): string {
  try {
    return JSON.stringify(answerRequest(environment, parseRequestLine(line)));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return JSON.stringify({ error: error.message });
  }
}

function answerRequest(environment: Environment, request: Request): object {
  if (request.summary !== undefined) return { summary: environment.summary() };
  if (request.step !== undefined) environment.step(requireWholeNumber(request.step, 'step'));
  else if (request.reset === true) environment.reset();
  else environment.reset(requireWholeNumber(request.reset, 'reset'));
  const { last, replication } = environment;
  return {
    observation: [...last.observation],
    mask: last.terminated ? [] : [...environment.actionMask()],
    reward: last.reward,
    terminated: last.terminated,
    replication,
  };
}

function parseRequestLine(line: string): Request {
  let request: unknown;
  try {
    request = JSON.parse(line);
  } catch {
    throw new InputError(
      `${EXPECTED_REQUESTS}, found ${JSON.stringify(line.slice(0, 80))}, which is not JSON`,
    );
  }
  const keys = typeof request === 'object' && request !== null ? Object.keys(request) : [];
  const [key] = keys;
  if (keys.length === 1 && (REQUEST_KINDS as readonly (string | undefined)[]).includes(key))
    return request as Request;
  throw new InputError(`${EXPECTED_REQUESTS}, found ${line.slice(0, 80)}`);
}

function requireWholeNumber(value: unknown, what: string): number {
  if (typeof value === 'number') return value;
  throw new InputError(`${what}: expected a number, found ${JSON.stringify(value)}`);
}
