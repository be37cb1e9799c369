import { expect, test } from 'vitest';
import {
  type ConformanceCase,
  type ConformanceLog,
  conformanceLogPath,
  gridallocStartTimes,
  readConformanceSet,
  rulesGivingAnswer,
  startTimesRequiredByRule,
} from '../../host/conformance/conformanceSet.js';
import { readTrace } from '../../host/files/traceFiles.js';
import { caseSeeds, sampleTestCases } from '../cases.js';
import { SeededDraws } from '../reference/cases/draws.js';
import { CONFORMANCE_QUESTIONS, SCHEDULER_HABITS } from './questions.js';
import {
  type ConformanceTestRule,
  expectedStarts,
  referenceStarts,
  rulesOfFamilyName,
  rulesOfKind,
  type TinyTestLog,
} from './rules.js';
import { distinguishesRules, smallerLogs } from './smallest.js';

/**
 * Checks the written conformance set against its rules, the reference simulator and the core, and
 * that its logs distinguish the rules they claim to.
 */

const set = readConformanceSet();
const machine = rulesOfKind('machine');
const sites = rulesOfKind('sites');
const rules = [...machine, ...sites];

async function tinyLog({ name, sites }: ConformanceLog): Promise<TinyTestLog> {
  const { columns } = await readTrace(conformanceLogPath(name));
  const jobs = Array.from(columns.submit, (submit, k) => ({
    submit,
    runtime: columns.runtime[k]!,
    estimate: columns.requestedTime[k]!,
    processors: columns.processors[k]!,
  }));
  return { sites, jobs };
}

const conformanceRulesFor = ({ sites: { length } }: ConformanceLog) => (length > 1 ? sites : machine);

const hasOverdueJob = ({ jobs }: TinyTestLog) => jobs.some(({ runtime, estimate }) => runtime > estimate);

test('the rules stored in the set are those in the code', () => {
  const described = rules.map(({ id, title, options }) => [id, options ? { title, options } : { title }]);
  expect(set.rules).toEqual(Object.fromEntries(described));
  expect(set.cases.map(({ name, tells, why }) => ({ name, pair: tells, why }))).toEqual(
    CONFORMANCE_QUESTIONS.map(({ name, pair, why }) => ({ name, pair, why })),
  );
  expect(rules.filter(({ options }) => options !== undefined).length).toBeGreaterThan(25);
});

test.each(set.cases)('$name: what rules, reference and core give', async (each) => {
  const log = await tinyLog(each);
  expect(log.jobs.length).toBeLessThanOrEqual(12);
  for (const rule of conformanceRulesFor(each)) {
    const starts = startTimesRequiredByRule(set, each, rule.id);
    expect(starts, rule.id).toEqual(expectedStarts(log, rule));
    if (!(hasOverdueJob(log) && rule.family.startsWith('kept')))
      expect(starts, rule.id).toEqual(rule.starts(log));
  }
  const known = conformanceRulesFor(each).filter(({ options }) => options !== undefined);
  const own = await gridallocStartTimes(
    each,
    known.map(({ options }) => options!),
  );
  expect(own).toEqual(known.map(({ id }) => startTimesRequiredByRule(set, each, id)));
  const answeredCases = each.answers.flatMap((answer) => rulesGivingAnswer(set, answer));
  expect(new Set(answeredCases).size).toBe(answeredCases.length);
});

test.each(sampleTestCases(CONFORMANCE_QUESTIONS))(
  '$name: no smaller log distinguishes the two rules',
  async ({ name, pair, leastExcess = 0 }) => {
    const log = await tinyLog(set.cases.find((each) => each.name === name) as ConformanceCase);
    const both = [rulesOfFamilyName(pair[0]), rulesOfFamilyName(pair[1])] as const;
    expect(distinguishesRules(log, both)).toBe(true);
    const steps = [...smallerLogs(log, leastExcess)];
    expect(steps.length).toBeGreaterThan(log.jobs.length);
    expect(steps.filter((step) => distinguishesRules(step, both))).toEqual([]);
  },
);

test.each([
  ['machine', machine],
  ['sites', sites],
])('every two rules of %s are distinguished by a case', (_, among) => {
  const cases = set.cases.filter((each) => conformanceRulesFor(each)[0]!.id === among[0]!.id);
  const signs = among.map(({ id }) => cases.map((each) => String(startTimesRequiredByRule(set, each, id))));
  const alike = signs.flatMap((sign, k) =>
    signs.slice(0, k).flatMap((other, i) => {
      const conformanceDifference = sign.some(
        (starts, c) => ![starts, 'undefined'].includes(other[c]!) && starts !== 'undefined',
      );
      return conformanceDifference ? [] : [`${among[i]!.id}, ${among[k]!.id}`];
    }),
  );
  expect(alike).toEqual([]);
});

/**
 * Start times under all rules of one machine, as text. With overdue jobs, only rules of the
 * reference simulator are used.
 */
function startsByRules(
  jobs: TinyTestLog['jobs'],
  log: TinyTestLog,
  among: readonly ConformanceTestRule[] = machine,
): string[] {
  return [...new Set(among.flatMap((rule) => String(expectedStarts({ ...log, jobs }, rule) ?? [])))];
}

test('habits are recognized whatever the rule', () => {
  const [killed, zero] = SCHEDULER_HABITS.map(({ log }) => log);
  const expected = set.habits.map(({ answers }) => answers.map(({ starts }) => starts));
  const definedRules = machine.filter(({ family }) => !family.startsWith('kept-'));
  expect(startsByRules(killed!.jobs, killed!, definedRules)).toEqual([String(expected[0]![0])]);
  const cut = killed!.jobs.map((job) => ({ ...job, runtime: Math.min(job.runtime, job.estimate) }));
  expect(startsByRules(cut, killed!)).toEqual([String(expected[0]![1])]);
  const second = zero!.jobs.map((job) => ({ ...job, runtime: Math.max(1, job.runtime) }));
  // Under rules whose reserved processors stay reserved until the start, the requested time of job
  // 2 matters.
  const unheldRules = machine.filter(({ family }) => !['easy-held', 'kept-fixed'].includes(family));
  expect(startsByRules(zero!.jobs, zero!, unheldRules)).toEqual([String(expected[1]![0])]);
  expect(startsByRules(second, zero!)).toEqual([String(expected[1]![1])]);
  const left = zero!.jobs.filter(({ runtime }) => runtime > 0);
  expect(startsByRules(left, zero!)).toEqual([String(expected[1]![2]!.filter((start) => start !== null))]);
});

test('gridalloc lets jobs exceed estimates, kills them on request, and excludes those without a runtime', async () => {
  const [killed, zero] = set.habits;
  const easy = { discipline: 'easy' };
  const [runsOn, ends] = await gridallocStartTimes(killed!, [easy, { ...easy, kill: 'at-estimate' }]);
  expect([runsOn, ends]).toEqual(killed!.answers.map(({ starts }) => starts));
  expect(await gridallocStartTimes(zero!, [easy])).toEqual([zero!.answers[2]!.starts]);
});

test('cases of passes have the starts that follow by hand from the rules', () => {
  const startsIn = (name: string, rule: string) =>
    startTimesRequiredByRule(set, set.cases.find((each) => each.name === name)!, rule);
  // The only pass of these cases that backfills comes at 0. After it, heads of the queue start at events.
  expect(startsIn('passes', 'easy event')).toEqual([0, 2, 1]);
  expect(startsIn('passes', 'passes-easy')).toEqual([0, 2, 2]);
  expect(startsIn('passes-reservations', 'passes-easy')).toEqual([0, 1, 2, 0]);
  // One processor is free beside job 2 from 1 to 2, and none beside job 3 from 2 to 3.
  expect(startsIn('passes-reservations', 'passes')).toEqual([0, 1, 2, 3]);
  // Free processors from 0 on: 2, 1 and 2 until 4, so job 4 has one until 3.
  expect(startsIn('nodes', 'passes')).toEqual([0, 1, 2, 0]);
  expect(startsIn('nodes', 'passes-nodes')).toEqual([0, 1, 2, 2]);
  expect(startsIn('closed-overlap', 'passes-nodes')).toEqual([0, 1, 0]);
  expect(startsIn('closed-overlap', 'passes-closed')).toEqual([0, 1, 2]);
});

test('the plain rules are those of the reference on random jobs', () => {
  const known = machine.filter(({ options }) => options !== undefined);
  for (const seed of caseSeeds(200)) {
    const draws = new SeededDraws(seed);
    const processors = draws.between(2, 6);
    let submit = 0;
    const jobs = draws
      .times(draws.between(2, 9), () => 0)
      .map(() => {
        submit += draws.pick([0, 0, 1, 1, 2]);
        const runtime = draws.between(1, 5);
        const estimate = runtime + draws.pick([0, 0, 1, 3]);
        return { submit, runtime, estimate, processors: draws.between(1, processors) };
      });
    const log = { sites: [processors], jobs };
    for (const { id, starts, options } of known)
      expect(starts(log), `seed ${seed}, ${id}`).toEqual(referenceStarts(log, options!));
  }
});
