import { describe, expect, test } from 'vitest';
import type { CommandContext } from '../../host/cli/context.js';
import { runSimulationInSlices } from '../../host/cli/simulateMethods.js';
import { listAllocatorDeclarations } from '../../host/core/policies.js';
import { makeGrid, makeModelTrace, makeWorkload, Simulator, withEstimates } from '../../host/index.js';
import { isPolicyUsed, makeConfiguration } from '../../host/options/configuration.js';
import { RULES_FOR_TRIAL_POLICIES } from '../../host/options/rules.js';
import { RUN_OPTIONS } from '../../host/options/runOptions.js';
import { makeSwfRecord, runProgramInProcess, writeLogFile } from './runProgram.js';

/** Progress messages and refusals must name methods and options in the user's own words. */

const trace = makeModelTrace('lublin99[jobs=30]');
const CAPACITIES_OF_TEST_GRIDS = [[256], [128, 128]];
const QUEUE_OPTION_VALUES = ['shared', 'independent'] as const;
const POLICIES = [undefined, 'fastest-first'] as const;

describe.each(RUN_OPTIONS.discipline.choices ?? [])('progress of %s', (discipline) => {
  test.each(CAPACITIES_OF_TEST_GRIDS)('on %d processors', async (...capacities) => {
    const grid = makeGrid({ capacities });
    const workload = withEstimates(
      makeWorkload(trace, { siteCount: capacities.length, capacities, oversize: 'drop' }),
      { source: 'exact' },
    );
    for (const queue of QUEUE_OPTION_VALUES) {
      for (const policy of POLICIES) {
        const configuration = makeConfiguration(grid, { discipline: discipline as 'easy', queue, policy });
        const progressTexts: string[] = [];
        const context = {
          startProgressLine: (progressText: (completedCount: number, total: number) => string) => {
            progressTexts.push(progressText(1, 2));
            return { update: () => {}, end: () => {} };
          },
          say: async () => {},
          pause: async () => {},
          io: { withDefaultSignalHandling: async (action: () => void) => action() },
        };
        await runSimulationInSlices(
          new Simulator(workload),
          configuration,
          context as unknown as CommandContext,
        );
        expect(progressTexts).toHaveLength(1);
        const namedPolicies = listAllocatorDeclarations()
          .map(({ name: policyName }) => policyName)
          .filter((name) => progressTexts[0].split(/[\s,]+/).includes(name));
        const hasChoice = isPolicyUsed(configuration) && capacities.length > 1 && queue === 'shared';
        expect(namedPolicies, progressTexts[0]).toEqual(hasChoice ? [policy ?? 'best-fit'] : []);
        if (!hasChoice || discipline !== 'fcfs') expect(progressTexts[0]).toContain(discipline);
      }
    }
  });
});

/** Example command-line words for each option that appears in a rule. */
const EXAMPLE_WORDS: Readonly<Record<string, readonly string[]>> = {
  queue: ['--queue', 'per-home', '--home', 'queue'],
  multiSite: ['--multi-site', 'adaptive'],
  interval: ['--interval', '600', '--discipline', 'easy'],
  order: ['--order', 'wfp3'],
  discipline: ['--discipline', 'sjf', '--estimates', 'recent[n=1,refresh=yes]'],
  backfillOrder: ['--backfill-order', 'wfp3', '--discipline', 'easy'],
  dependencies: ['--dependencies'],
};
const logFile = writeLogFile(
  [makeSwfRecord(1, 0, 100, 4, 1, 100), makeSwfRecord(2, 1, 100, 4, 1, 100), ''].join('\n'),
);
const optionsExcludedByPolicy = RULES_FOR_TRIAL_POLICIES.flatMap(({ of: ruleSubjects, excludes = [] }) =>
  ruleSubjects.some(({ option }) => option === 'policy') ? excludes.map(({ option }) => option) : [],
);

test.each(optionsExcludedByPolicy)(
  'dynamic with %s is refused in words, alone and with other policies',
  async (option) => {
    const commandWords = EXAMPLE_WORDS[option];
    expect(commandWords, option).toBeDefined();
    const refusedResult = {
      exitCode: 2,
      stderr: expect.stringMatching(/--policy dynamic (?:with [^\n]+ )?cannot be combined with /),
    };
    for (const policy of ['dynamic', 'best-fit,dynamic']) {
      expect(
        await runProgramInProcess([
          'simulate',
          logFile,
          '--sites',
          '4,4',
          '--policy',
          policy,
          ...commandWords,
        ]),
      ).toMatchObject(refusedResult);
    }
  },
);
