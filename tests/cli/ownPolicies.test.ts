import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { doesRunAllCases } from '../cases.js';
import { runGridallocInFolder } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { findTraceFilePath } from '../traces.js';

/**
 * Policies from files: copies of built-in policies must give identical output, and errors must be
 * reported.
 */

const folder = makeTemporaryFolder();

const CUSTOM_POLICY_CODES: Readonly<Record<string, string>> = {
  'best-fit': `export default ({ job, sites }) =>
  sites.filter(({ free }) => free >= job.processors).reduce((best, site) => (site.free < best.free ? site : best)).number;
`,
  'fastest-first': `export default ({ job, sites }) =>
  sites.filter(({ free }) => free >= job.processors).reduce((best, site) => (site.speed > best.speed ? site : best)).number;
`,
  ti: `export default ({ situation, speedHeterogeneity, queuedProcessors, freeProcessors, bestFit, fastestFirst }) => {
  const isFull = situation === 'a' ? speedHeterogeneity <= 0.05 : queuedProcessors > 2 * Math.max(1, freeProcessors);
  return isFull ? bestFit : fastestFirst;
};
`,
  ai2: `export default (view) => {
  const { situation, sites, bestFit, fastestFirst } = view;
  const speed = (site) => sites[site - 1].speed;
  if (situation === 'a') return speed(bestFit) >= speed(fastestFirst) ? bestFit : fastestFirst;
  const product = (site) => speed(site) * view.lookAhead(site).capacity;
  return product(fastestFirst) > product(bestFit) ? fastestFirst : bestFit;
};
`,
};
const POLICY_NAMES = Object.keys(CUSTOM_POLICY_CODES);
for (const policyName of POLICY_NAMES)
  writeFileSync(join(folder, `own-${policyName}.js`), CUSTOM_POLICY_CODES[policyName]);

async function run(...commandWords: string[]) {
  const { exitCode, stdout, stderr } = await runGridallocInFolder(folder, commandWords);
  return { exitCode, stdout, stderr };
}

const logFile = findTraceFilePath('sdsc-sp2-54041.swf.gz') ?? '';

describe.skipIf(logFile === '')('on the log of the San Diego SP2', () => {
  test('built-in policies written as functions give the bytes of the built-in ones', async () => {
    const policies = POLICY_NAMES.flatMap((name) => [name, `./own-${name}.js`]).join(',');
    const jobs = doesRunAllCases ? [] : ['--filter', 'first=20000'];
    const setting = ['--preset', 'shih2010', '--load', '2', '--speeds', '1,1.2,0.9,1.1,1.4', ...jobs];
    const simulation = await run(
      'simulate',
      logFile,
      ...setting,
      '--policy',
      policies,
      '--out',
      'all',
      '--quiet',
    );
    expect(simulation).toMatchObject({ exitCode: 0, stderr: '' });
    const folderOf: Readonly<Record<string, string>> = { ti: 'ti-sht-0.05-slt-2' };
    for (const policyName of POLICY_NAMES) {
      const jobsCsvText = readFileSync(join(folder, 'all', folderOf[policyName] ?? policyName, 'jobs.csv'));
      expect(jobsCsvText.equals(readFileSync(join(folder, 'all', `own-${policyName}`, 'jobs.csv')))).toBe(
        true,
      );
    }
  }, 60_000);

  test('in a study too', async () => {
    writeFileSync(
      join(folder, 'study.yaml'),
      `title: Own policies
simulate: { workload: $TRACE, preset: shih2010, filter: first=10000, load: 2, speeds: '1,1.2,0.9,1.1,1.4', policy: '{policy}' }
axes: { policy: [${POLICY_NAMES.flatMap((name) => [name, `./own-${name}.js`]).join(', ')}] }
measures: { response: { metric: averageResponseTime } }
`,
    );
    const commandWords = ['--trace', logFile, '--allow-code', '--threads', '1', '--out', 'study', '--quiet'];
    expect(await run('study', 'run', 'study.yaml', ...commandWords)).toMatchObject({
      exitCode: 0,
      stderr: '',
    });
    const [headerLine, ...lines] = readFileSync(join(folder, 'study', 'results.csv'), 'utf8')
      .trim()
      .split('\n');
    // Columns that count decisions are left out, since only built-in methods that choose between best-fit and
    // fastest-first have them.
    const areColumnsCompared = headerLine
      .split(',')
      .map((name) => !/agreed|bestFit|fastestFirst/i.test(name));
    const indexOfFirstMetricColumn = headerLine.split(',').indexOf('jobs') - areColumnsCompared.length;
    const comparedValuesByLine = lines.map((line) =>
      line
        .split(',')
        .slice(indexOfFirstMetricColumn)
        .filter((_, i) => areColumnsCompared.slice(indexOfFirstMetricColumn)[i])
        .join(),
    );
    POLICY_NAMES.forEach((_, i) => {
      expect(comparedValuesByLine[2 * i + 1]).toBe(comparedValuesByLine[2 * i]);
    });
    expect(new Set(comparedValuesByLine).size).toBe(POLICY_NAMES.length);
  }, 60_000);
});

describe('a policy from a file', () => {
  const SETTING_WORDS = ['lublin99[jobs=300,seed=1]', '--sites', '64,64,128', '--speeds', '1,2,1.5'];

  test.each([
    [
      'throws',
      '() => nothing',
      1,
      /lublin99\S*, job \d+ at time \d+: the policy \.\/throws\.js failed: nothing is not defined \(line 1\)$/m,
    ],
    [
      'runtime',
      '({ job }) => job.runtime.toFixed()',
      1,
      /job \d+ at time \d+: the policy \.\/runtime\.js failed: Cannot/,
    ],
    [
      'text',
      "() => 'first'",
      1,
      /job \d+ at time \d+: the policy \.\/text\.js returned 'first'; expected the number of a site/,
    ],
    [
      'fourth',
      '() => 4',
      1,
      /job \d+ at time \d+: the policy \.\/fourth\.js returned 4; expected the number of a site, 1 to 3/,
    ],
    [
      'loops',
      '() => { while (true); }',
      1,
      /lublin99\S*, job \d+ at time \d+: the function \.\/loops\.js has not answered within 0\.5 s/,
    ],
  ])('%s fails in one sentence', async (name, code, status, sentence) => {
    writeFileSync(join(folder, `${name}.js`), `export default ${code};\n`);
    const timeout = name === 'loops' ? ['--policy-timeout', '0.5'] : [];
    const simulation = await run(
      'simulate',
      ...SETTING_WORDS,
      '--policy',
      `./${name}.js`,
      ...timeout,
      '--out',
      'failed',
      '--quiet',
    );
    expect(simulation.stderr).toMatch(sentence);
    expect([simulation.exitCode, simulation.stdout, simulation.stderr.trim().split('\n').length]).toEqual([
      status,
      '',
      1,
    ]);
  });

  test('is called for a single site too where the job may wait', async () => {
    const wait = 'export const mayWait = true;\nexport default () => 0;\n';
    writeFileSync(join(folder, 'waits.js'), wait);
    expect(await run('simulate', ...SETTING_WORDS, '--policy', './waits.js', '--quiet')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('lets it wait while no job runs'),
    });
  });
});
