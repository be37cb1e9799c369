/**
 * Tests `gridalloc environment` with a learning agent on a pipe: the greeting, episodes whose metrics equal
 * simulations, and refused requests.
 */
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { runProgram } from '../../host/cli/main.js';
import { sumColumnExactly } from '../../host/math/exactSum.js';
import { runProgramInProcess, TextCollectingStream } from './runProgram.js';

const MODEL = 'lublin99[jobs=60,processors=64]';
const SITE_WORDS = ['--sites', '32,64', '--speeds', '2,1'];

/** Responses to requests, without the greeting on the first line. */
async function requestAgentResponses(commandWords: readonly string[], requests: readonly unknown[]) {
  const requestLines = requests.map(
    (request) => `${typeof request === 'string' ? request : JSON.stringify(request)}\n`,
  );
  const { exitCode, stdout, stderr } = await runProgramInProcess(['environment', ...commandWords], {
    input: requestLines.join(''),
  });
  const [space, ...jsonAnswers] = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  return { exitCode, stderr, space, answers: jsonAnswers };
}

/** Plays one episode with the decisions of best-fit and returns the final summary. */
async function playEpisode(commandWords: readonly string[], replication: number) {
  const stdin = new PassThrough();
  const parsedAnswers: { readonly [key: string]: unknown }[] = [];
  const ask = (request: object) => stdin.write(`${JSON.stringify(request)}\n`);
  const stdout = new TextCollectingStream();
  stdout._write = (chunk, _, finish) => {
    finish();
    const environmentAnswer = JSON.parse(String(chunk));
    parsedAnswers.push(environmentAnswer);
    if (environmentAnswer.actions !== undefined) ask({ reset: replication });
    else if (environmentAnswer.terminated) ask({ summary: true });
    else if (environmentAnswer.mask === undefined) stdin.end();
    else ask({ step: environmentAnswer.observation.indexOf(1) + 1 });
  };
  const signal = new AbortController().signal;
  const io = {
    stdin,
    stdout,
    stderr: new TextCollectingStream(),
    env: {},
    signal,
    withDefaultSignalHandling: async <T>(action: () => T) => action(),
  };
  expect(await runProgram(['environment', ...commandWords, '--observe', 'bestFit'], io)).toBe(0);
  return {
    rewards: parsedAnswers.slice(1, -1).map(({ reward }) => Number(reward)),
    summary: Object(parsedAnswers.at(-1)).summary,
  };
}

test('the meaning of the numbers comes first, and requests may end at any time', async () => {
  const { exitCode, space, answers } = await requestAgentResponses(
    [MODEL, ...SITE_WORDS, '--observe', 'waited,left'],
    [],
  );
  expect({ exitCode, space, answers }).toEqual({
    exitCode: 0,
    space: { actions: 3, observation: ['waited', 'left[1]', 'left[2]'] },
    answers: [],
  });
});

test.each([
  ['a model', MODEL, ['--load', '9']],
  ['a model under easy', MODEL, ['--load', '9', '--discipline', 'easy', '--estimates', 'exact']],
  ['a log', 'traces/queues.swf', ['--load', '200']],
  ['a log, shaken', 'traces/queues.swf', ['--load', '200', '--perturb', 'shake']],
])('an episode is a simulation: %s', async (_, source, options) => {
  const commandWords = [source, ...SITE_WORDS, '--oversize', 'drop', ...options];
  const isEqual = source !== MODEL && !options.includes('--perturb');
  const { rewards, summary } = await playEpisode([...commandWords, '--reward', 'response'], 2);
  expect(rewards.length).toBeGreaterThan(3);
  expect(sumColumnExactly(Float64Array.from(rewards))).toBeCloseTo(
    -summary.jobs * summary.averageResponseTime,
    4,
  );
  const replication = isEqual ? [] : ['--replication', '2'];
  const { stdout } = await runProgramInProcess([
    'simulate',
    ...commandWords,
    ...replication,
    '--policy',
    'best-fit',
    '--json',
  ]);
  expect(summary.averageResponseTime).toBeGreaterThan(0);
  expect(summary.averageResponseTime).toBe(JSON.parse(stdout).averageResponseTime);
});

test('replications follow each other, and can be repeated exactly', async () => {
  const { answers } = await requestAgentResponses(
    [MODEL, ...SITE_WORDS, '--observe', 'estimate'],
    [{ reset: 1 }, { reset: true }, { reset: true }, { reset: 1 }],
  );
  expect(answers.map(({ replication }) => replication)).toEqual([1, 2, 3, 1]);
  expect(answers[3]).toEqual(answers[0]);
  expect(answers[1]).not.toEqual({ ...answers[0], replication: 2 });
});

test('waiting is an action if requested', async () => {
  const { answers } = await requestAgentResponses(
    [MODEL, ...SITE_WORDS, '--may-wait', '--load', '4'],
    [{ reset: 1 }, ...Array.from({ length: 3 }, () => ({ step: 1 }))],
  );
  expect(answers.some(({ mask }) => mask?.[0] === 1)).toBe(true);
});

test('a request that cannot be met is answered in a sentence, and the episode goes on', async () => {
  const wrongRequests = [
    '',
    '{',
    '7',
    'null',
    '[]',
    {},
    { go: 1 },
    { reset: 1, step: 1 },
    { step: '1' },
    { reset: 'x' },
  ];
  const impossibleRequests = [
    { step: 7 },
    { step: 0.5 },
    { step: 0 },
    { summary: true },
    { reset: -1 },
    { reset: 1.5 },
  ];
  const requests = [{ step: 1 }, { reset: 1 }, ...wrongRequests, ...impossibleRequests, { step: 1 }];
  const { exitCode, stderr, answers } = await requestAgentResponses([MODEL, ...SITE_WORDS], requests);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const refusedAnswers = answers.filter(({ error }) => error !== undefined);
  // An empty line is not counted as a request.
  expect(refusedAnswers).toHaveLength(wrongRequests.length - 1 + impossibleRequests.length + 1);
  for (const { error } of refusedAnswers) expect(error).toMatch(/^[^\n]{10,300}$/);
  expect(answers.at(-1)).toMatchObject({ terminated: false, replication: 1 });
});

test.each([
  [['-'], /standard input is for the requests/],
  [
    [MODEL, '--sites', '32,64,16', '--speeds', 'draw[sh=0.2]', '--perturb', 'speeds'],
    /perturb the jobs alone/,
  ],
  [[MODEL, ...SITE_WORDS, '--observe', 'fre'], /fre/],
  [[MODEL, ...SITE_WORDS, '--policy', 'ai'], /--policy/],
  [[MODEL, ...SITE_WORDS, '--warm-up', '7d'], /--warm-up/],
  [[MODEL, ...SITE_WORDS, '--discipline', 'easy,fcfs'], /discipline/],
])('%j is refused', async (commandWords, sentence) => {
  const { exitCode, stdout, stderr } = await runProgramInProcess(['environment', ...commandWords]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toMatch(sentence);
});
