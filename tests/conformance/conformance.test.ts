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

const conformanceSet = readConformanceSet();
const machine = rulesOfKind('machine');
const sites = rulesOfKind('sites');
const rules = [...machine, ...sites];

async function tinyLog({ name: logName, sites }: ConformanceLog): Promise<TinyTestLog> {
  const { columns: swfColumns } = await readTrace(conformanceLogPath(logName));
  const jobs = Array.from(swfColumns.submit, (submit, k) => ({
    submit,
    runtime: swfColumns.runtime[k]!,
    estimate: swfColumns.requestedTime[k]!,
    processors: swfColumns.processors[k]!,
  }));
  return { sites, jobs };
}

const conformanceRulesFor = ({ sites: { length } }: ConformanceLog) => (length > 1 ? sites : machine);

const hasOverdueJob = ({ jobs }: TinyTestLog) => jobs.some(({ runtime, estimate }) => runtime > estimate);

test('the rules stored in the set are those in the code', () => {
  const describedRules = rules.map(({ id: ruleId, title: ruleTitle, options }) => [
    ruleId,
    options ? { title: ruleTitle, options } : { title: ruleTitle },
  ]);
  expect(conformanceSet.rules).toEqual(Object.fromEntries(describedRules));
  expect(
    conformanceSet.cases.map(({ name: logName, tells, why }) => ({ name: logName, pair: tells, why })),
  ).toEqual(
    CONFORMANCE_QUESTIONS.map(({ name: questionName, familyNames: pair, why }) => ({
      name: questionName,
      pair,
      why,
    })),
  );
  expect(rules.filter(({ options }) => options !== undefined).length).toBeGreaterThan(25);
});

test.each(conformanceSet.cases)('$name: what rules, reference and core give', async (conformanceCase) => {
  const log = await tinyLog(conformanceCase);
  expect(log.jobs.length).toBeLessThanOrEqual(12);
  for (const rule of conformanceRulesFor(conformanceCase)) {
    const requiredStarts = startTimesRequiredByRule(conformanceSet, conformanceCase, rule.id);
    expect(requiredStarts, rule.id).toEqual(expectedStarts(log, rule));
    if (!(hasOverdueJob(log) && rule.family.startsWith('kept')))
      expect(requiredStarts, rule.id).toEqual(rule.starts(log));
  }
  const knownRules = conformanceRulesFor(conformanceCase).filter(({ options }) => options !== undefined);
  const coreStartTimes = await gridallocStartTimes(
    conformanceCase,
    knownRules.map(({ options }) => options!),
  );
  expect(coreStartTimes).toEqual(
    knownRules.map(({ id: knownRuleId }) =>
      startTimesRequiredByRule(conformanceSet, conformanceCase, knownRuleId),
    ),
  );
  const answeredCases = conformanceCase.answers.flatMap((answer) =>
    rulesGivingAnswer(conformanceSet, answer),
  );
  expect(new Set(answeredCases).size).toBe(answeredCases.length);
});

test.each(sampleTestCases(CONFORMANCE_QUESTIONS))(
  '$name: no smaller log distinguishes the two rules',
  async ({ name: questionName, familyNames: pair, leastExcess = 0 }) => {
    const log = await tinyLog(
      conformanceSet.cases.find(
        (conformanceCase) => conformanceCase.name === questionName,
      ) as ConformanceCase,
    );
    const ruleGroups = [rulesOfFamilyName(pair[0]), rulesOfFamilyName(pair[1])] as const;
    expect(distinguishesRules(log, ruleGroups)).toBe(true);
    const smallerLogSteps = [...smallerLogs(log, leastExcess)];
    expect(smallerLogSteps.length).toBeGreaterThan(log.jobs.length);
    expect(smallerLogSteps.filter((step) => distinguishesRules(step, ruleGroups))).toEqual([]);
  },
);

test.each([
  ['machine', machine],
  ['sites', sites],
])('every two rules of %s are distinguished by a case', (_, ruleSet) => {
  const cases = conformanceSet.cases.filter(
    (conformanceCase) => conformanceRulesFor(conformanceCase)[0]!.id === ruleSet[0]!.id,
  );
  const signs = ruleSet.map(({ id }) =>
    cases.map((conformanceCase) => String(startTimesRequiredByRule(conformanceSet, conformanceCase, id))),
  );
  const alike = signs.flatMap((sign, k) =>
    signs.slice(0, k).flatMap((otherSign, i) => {
      const doSignsDiffer = sign.some(
        (starts, c) => ![starts, 'undefined'].includes(otherSign[c]!) && starts !== 'undefined',
      );
      return doSignsDiffer ? [] : [`${ruleSet[i]!.id}, ${ruleSet[k]!.id}`];
    }),
  );
  expect(alike).toEqual([]);
});

/**
 * Start times in seconds under each rule for one machine, as text. With overdue jobs, only the rules of the
 * reference simulator are used.
 */
function startsByRules(
  jobs: TinyTestLog['jobs'],
  tinyLog: TinyTestLog,
  ruleSet: readonly ConformanceTestRule[] = machine,
): string[] {
  return [...new Set(ruleSet.flatMap((rule) => String(expectedStarts({ ...tinyLog, jobs }, rule) ?? [])))];
}

test('habits are recognized whatever the rule', () => {
  const [killed, zeroRuntimeLog] = SCHEDULER_HABITS.map(({ log: tinyLog }) => tinyLog);
  const expectedAnswers = conformanceSet.habits.map(({ answers }) => answers.map(({ starts }) => starts));
  const definedRules = machine.filter(({ family }) => !family.startsWith('kept-'));
  expect(startsByRules(killed!.jobs, killed!, definedRules)).toEqual([String(expectedAnswers[0]![0])]);
  const killedJobs = killed!.jobs.map((job) => ({ ...job, runtime: Math.min(job.runtime, job.estimate) }));
  expect(startsByRules(killedJobs, killed!)).toEqual([String(expectedAnswers[0]![1])]);
  const jobsOfOneSecond = zeroRuntimeLog!.jobs.map((job) => ({ ...job, runtime: Math.max(1, job.runtime) }));
  // These rules keep reserved processors until the reserved start, so that the requested time of job 2
  // matters.
  const unheldRules = machine.filter(({ family }) => !['easy-held', 'kept-fixed'].includes(family));
  expect(startsByRules(zeroRuntimeLog!.jobs, zeroRuntimeLog!, unheldRules)).toEqual([
    String(expectedAnswers[1]![0]),
  ]);
  expect(startsByRules(jobsOfOneSecond, zeroRuntimeLog!)).toEqual([String(expectedAnswers[1]![1])]);
  const jobsWithRuntime = zeroRuntimeLog!.jobs.filter(({ runtime }) => runtime > 0);
  expect(startsByRules(jobsWithRuntime, zeroRuntimeLog!)).toEqual([
    String(expectedAnswers[1]![2]!.filter((start) => start !== null)),
  ]);
});

test('gridalloc lets jobs exceed estimates, kills them on request, and excludes those without a runtime', async () => {
  const [killed, zeroRuntimeLog] = conformanceSet.habits;
  const easyOptions = { discipline: 'easy' };
  const [runsOn, startsWhenKilled] = await gridallocStartTimes(killed!, [
    easyOptions,
    { ...easyOptions, kill: 'at-estimate' },
  ]);
  expect([runsOn, startsWhenKilled]).toEqual(killed!.answers.map(({ starts }) => starts));
  expect(await gridallocStartTimes(zeroRuntimeLog!, [easyOptions])).toEqual([
    zeroRuntimeLog!.answers[2]!.starts,
  ]);
});

test('cases of passes have the starts that follow by hand from the rules', () => {
  const startsIn = (simulatorName: string, rule: string) =>
    startTimesRequiredByRule(
      conformanceSet,
      conformanceSet.cases.find((conformanceCase) => conformanceCase.name === simulatorName)!,
      rule,
    );
  // The only backfill pass of these rules is at 0 s; afterwards, heads of the queue start at events.
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
  const knownRules = machine.filter(({ options }) => options !== undefined);
  for (const seed of caseSeeds(200)) {
    const random = new SeededDraws(seed);
    const processors = random.between(2, 6);
    let submit = 0;
    const jobs = random
      .times(random.between(2, 9), () => 0)
      .map(() => {
        submit += random.pick([0, 0, 1, 1, 2]);
        const runtime = random.between(1, 5);
        const estimate = runtime + random.pick([0, 0, 1, 3]);
        return { submit, runtime, estimate, processors: random.between(1, processors) };
      });
    const log = { sites: [processors], jobs };
    for (const { id: knownRuleId, starts: startsOf, options } of knownRules)
      expect(startsOf(log), `seed ${seed}, ${knownRuleId}`).toEqual(referenceStarts(log, options!));
  }
});
