/**
 * Command `gridalloc environment`: lets an agent in another program choose the sites of jobs, over a pipe.
 */

import { createInterface } from 'node:readline';
import { InputError } from '../../errors.js';
import { joinFileNames } from '../../files/traceFiles.js';
import { JOB_QUANTITIES } from '../../jobs/quantities.js';
import {
  Environment,
  type EnvironmentOptions,
  FEATURES,
  type FeatureName,
  listObservationNumberNames,
} from '../../learn/environment.js';
import { firstElement } from '../../lists.js';
import { checkKnownNames } from '../../notation.js';
import { makeRunOptionsOfSettings } from '../../options/configuration.js';
import {
  CODE_EXECUTION_OPTIONS,
  COMMON_COMMAND_OPTIONS,
  SIMULATION_OPTION_DEFINITIONS,
  WORKLOAD_ARGUMENT,
} from '../../request/commandOptions.js';
import type { CommandOptionTable } from '../../request/definitions.js';
import { type CommandInput, makeInputReader } from '../../request/fromArguments.js';
import { makeSimulateRequest } from '../../request/request.js';
import { type Experiment, makeJobMaker } from '../../simulate/experiment.js';
import { isModelNotation } from '../../workload/models.js';
import type { Command } from '../command.js';
import type { CommandContext } from '../context.js';
import { loadRequestedExperiment } from '../loading.js';

/** Simulation options that episodes do not support: the agent is the policy, and rewards count every job. */
const OPTIONS_UNUSED_IN_EPISODES = ['policy', 'replication', 'warm-up', 'cool-down', 'reclaim'];

const EPISODE_OPTIONS: CommandOptionTable = Object.fromEntries(
  Object.entries(SIMULATION_OPTION_DEFINITIONS).filter(
    ([name]) => !OPTIONS_UNUSED_IN_EPISODES.includes(name),
  ),
);

const DEFAULT_OBSERVED_FEATURES: readonly FeatureName[] = ['processors', 'queuedProcessors', 'free', 'speed'];

const ENVIRONMENT_OPTIONS = {
  observe: {
    describe: `what the agent sees, with commas: ${FEATURES.join(', ')}`,
    default: DEFAULT_OBSERVED_FEATURES.join(','),
    complete: () => FEATURES,
    isRepeatable: true,
    group: 'Agent:',
  },
  reward: {
    describe: 'minus the sum of this over the jobs that have started since the last step',
    choices: JOB_QUANTITIES,
    default: 'response',
    group: 'Agent:',
  },
  'may-wait': {
    describe: 'the agent may choose 0, which makes the job wait, while other jobs run',
    isSwitch: true,
    group: 'Agent:',
  },
  ...EPISODE_OPTIONS,
  ...CODE_EXECUTION_OPTIONS,
  quiet: COMMON_COMMAND_OPTIONS.quiet,
  verbose: COMMON_COMMAND_OPTIONS.verbose,
} satisfies CommandOptionTable;

/** Command `gridalloc environment`. */
export const environmentCommand: Command<CommandInput<typeof ENVIRONMENT_OPTIONS>> = {
  description: [
    'Lets an agent in another program choose the site of each job, as in Gymnasium: reads one JSON request a line from ' +
      'standard input, {"reset": 1}, {"step": 2} or {"summary": true}, and answers each with one line of JSON on standard ' +
      'output. The first line describes actions and observations. docs/environment.md has a client in Python.',
    'Episodes of a model, and with --perturb those of a log, differ by replication; otherwise all have the same jobs.',
    'WORKLOAD is a job log or a model, as for gridalloc simulate; it cannot be standard input.',
  ].join('\n\n'),
  positionals: [WORKLOAD_ARGUMENT],
  options: ENVIRONMENT_OPTIONS,
  read: makeInputReader(ENVIRONMENT_OPTIONS),
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
  run: runEnvironmentCommand,
};

async function runEnvironmentCommand(
  commandInput: CommandInput<typeof ENVIRONMENT_OPTIONS>,
  context: CommandContext,
): Promise<number> {
  const source = joinFileNames(commandInput.positionals);
  if (source === '-')
    throw new InputError('standard input is for the requests; give the path of a job log, or a model');
  const features = parseObservedFeatures(commandInput);
  const request = makeSimulateRequest(source, commandInput.options);
  const experiment = await loadRequestedExperiment(request, context);
  const environment = new Environment({
    ...{ jobs: makeEpisodeWorkloads(experiment), grid: experiment.grid, observation: features },
    reward: commandInput.values.reward as EnvironmentOptions['reward'],
    mayWait: commandInput.values['may-wait'] !== undefined,
    simulation: makeRunOptionsOfSettings({ ...experiment.settings, ...firstElement(experiment.methods) }),
  });
  await context.print(JSON.stringify(describeEnvironment(environment, features)));
  const { stdin, signal } = context.io;
  for await (const line of createInterface({ input: stdin, crlfDelay: Infinity, signal }))
    if (line.trim() !== '') await context.print(answerRequestLine(environment, line));
  signal.throwIfAborted();
  return 0;
}

/** Parses the features of --observe. */
function parseObservedFeatures(
  commandInput: CommandInput<typeof ENVIRONMENT_OPTIONS>,
): readonly FeatureName[] {
  const { observe } = commandInput.values;
  if (observe === undefined) return DEFAULT_OBSERVED_FEATURES;
  const observedFeatureNames = observe.flatMap((featureList) =>
    featureList.split(',').map((featureName) => featureName.trim()),
  );
  checkKnownNames(observedFeatureNames, FEATURES, 'feature');
  return observedFeatureNames as FeatureName[];
}

/**
 * Creates the jobs of each episode.
 * @throws InputError if episodes would have different speeds, since observations describe one grid.
 */
function makeEpisodeWorkloads({
  settings,
  loaded: loadedLog,
  grid,
  workload,
}: Experiment): EnvironmentOptions['jobs'] {
  if (settings.perturb?.speeds)
    throw new InputError('--perturb speeds: all episodes have the sites of the grid; perturb the jobs alone');
  if (settings.perturb === undefined && !isModelNotation(settings.workload)) return workload;
  const jobMaker = makeJobMaker(settings, loadedLog);
  return (replication) => jobMaker.makeJobs(grid, replication).workload;
}

// The lines that go over the pipe.

/** Kinds of requests. */
const ENVIRONMENT_REQUEST_KINDS = ['reset', 'step', 'summary'] as const;
type EnvironmentRequest = { readonly [Key in (typeof ENVIRONMENT_REQUEST_KINDS)[number]]?: unknown };

const EXPECTED_REQUESTS_MESSAGE = 'expected {"reset": REPLICATION}, {"step": ACTION} or {"summary": true}';

/**
 * Describes the environment before the first request: the number of actions, and the meaning of the numbers
 * of an observation.
 * @param features features with which the environment was created.
 */
export function describeEnvironment(
  { actionCount }: Environment,
  features: readonly FeatureName[],
): { readonly actions: number; readonly observation: readonly string[] } {
  return { actions: actionCount, observation: listObservationNumberNames(features, actionCount - 1) };
}

/**
 * Answers one request with one line of JSON. An invalid request is answered with `error` and changes nothing.
 * @param line `{"reset": REPLICATION}` (true: the next one), `{"step": ACTION}` or `{"summary": true}`.
 */
export function answerRequestLine(environment: Environment, line: string): string {
  try {
    return JSON.stringify(answerEnvironmentRequest(environment, parseEnvironmentRequest(line)));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return JSON.stringify({ error: error.message });
  }
}

function answerEnvironmentRequest(environment: Environment, request: EnvironmentRequest): object {
  if (request.summary !== undefined) return { summary: environment.summary() };
  if (request.step !== undefined) environment.step(requireNumber(request.step, 'step'));
  else if (request.reset === true) environment.reset();
  else environment.reset(requireNumber(request.reset, 'reset'));
  const { last: lastStep, replication } = environment;
  return {
    observation: [...lastStep.observation],
    mask: lastStep.terminated ? [] : [...environment.actionMask()],
    reward: lastStep.reward,
    terminated: lastStep.terminated,
    replication,
  };
}

function parseEnvironmentRequest(line: string): EnvironmentRequest {
  let request: unknown;
  try {
    request = JSON.parse(line);
  } catch {
    throw new InputError(
      `${EXPECTED_REQUESTS_MESSAGE}, found ${JSON.stringify(line.slice(0, 80))}, which is not JSON`,
    );
  }
  const requestKeys = typeof request === 'object' && request !== null ? Object.keys(request) : [];
  const [key] = requestKeys;
  if (
    requestKeys.length === 1 &&
    (ENVIRONMENT_REQUEST_KINDS as readonly (string | undefined)[]).includes(key)
  )
    return request as EnvironmentRequest;
  throw new InputError(`${EXPECTED_REQUESTS_MESSAGE}, found ${line.slice(0, 80)}`);
}

function requireNumber(argument: unknown, requestKind: string): number {
  if (typeof argument === 'number') return argument;
  throw new InputError(`${requestKind}: expected a number, found ${JSON.stringify(argument)}`);
}
