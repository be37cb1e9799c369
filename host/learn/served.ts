/** An environment for programs in any language: each line in is a request, each line out its answer, both JSON. */
import { InputError } from '../errors.js';
import type { Environment } from './environment.js';
import { type FeatureName, featureNumbers } from './observation.js';

/** What a request may ask for. */
const REQUESTS = ['reset', 'step', 'summary'] as const;
type Request = { readonly [Key in (typeof REQUESTS)[number]]?: unknown };

const EXPECTED = 'expected {"reset": REPLICATION}, {"step": ACTION} or {"summary": true}';

/**
 * What an environment is, which is said before the first request: how many actions there are, and what the numbers of an
 * observation are.
 * @param features those that the environment was made with.
 */
export function environmentDocument(
  { actionCount }: Environment,
  features: readonly FeatureName[],
): { readonly actions: number; readonly observation: readonly string[] } {
  return { actions: actionCount, observation: featureNumbers(features, actionCount - 1) };
}

/**
 * The answer to one request, as a JSON document in one line. A request that cannot be met is answered with its `error`, and
 * changes nothing.
 * @param line `{"reset": REPLICATION}` (true: the next one), `{"step": ACTION}` or `{"summary": true}`.
 */
export function answerTo(environment: Environment, line: string): string {
  try {
    return JSON.stringify(answer(environment, requestIn(line)));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return JSON.stringify({ error: error.message });
  }
}

function answer(environment: Environment, request: Request): object {
  if (request.summary !== undefined) return { summary: environment.summary() };
  if (request.step !== undefined) environment.step(numberIn(request.step, 'step'));
  else if (request.reset === true) environment.reset();
  else environment.reset(numberIn(request.reset, 'reset'));
  const { last, replication } = environment;
  return {
    observation: [...last.observation],
    mask: last.terminated ? [] : [...environment.actionMask()],
    reward: last.reward,
    terminated: last.terminated,
    replication,
  };
}

function requestIn(line: string): Request {
  let request: unknown;
  try {
    request = JSON.parse(line);
  } catch {
    throw new InputError(`${EXPECTED}, found ${JSON.stringify(line.slice(0, 80))}, which is not JSON`);
  }
  const keys = typeof request === 'object' && request !== null ? Object.keys(request) : [];
  const [key] = keys;
  if (keys.length === 1 && (REQUESTS as readonly (string | undefined)[]).includes(key))
    return request as Request;
  throw new InputError(`${EXPECTED}, found ${line.slice(0, 80)}`);
}

function numberIn(value: unknown, what: string): number {
  if (typeof value === 'number') return value;
  throw new InputError(`${what}: expected a number, found ${JSON.stringify(value)}`);
}
