import { expect, test } from 'vitest';
import {
  type ConformanceCase,
  type ConformanceLog,
  findRulesGivingAnswer,
  findStartTimesRequiredByRule,
  locateConformanceLog,
  readConformanceSet,
  simulateConformanceLog,
} from '../../host/conformance/conformanceSet.js';
import { readTrace } from '../../host/files/traceFiles.js';
import { listCaseSeeds, sampleTestCases } from '../cases.js';
import { SeededDraws } from '../reference/cases/draws.js';
import { CONFORMANCE_QUESTIONS, SCHEDULER_HABITS } from './questions.js';
import {
  type ConformanceTestRule,
  computeReferenceStarts,
  computeRequiredStarts,
  listRulesOfKind,
  rulesOfFamilyName,
  type TinyTestLog,
} from './rules.js';
import { distinguishesRules, generateSmallerLogs } from './smallest.js';

/**
 * Checks the written conformance set against its rules, the reference simulator and the core, and
 * that its logs distinguish the rules they claim to.
 */

const conformanceSet = readConformanceSet();
const machine = listRulesOfKind('machine');
const sites = listRulesOfKind('sites');
const rules = [...machine, ...sites];

async function readTinyLog({ name: logName, sites }: ConformanceLog): Promise<TinyTestLog> {
  const { columns: swfColumns } = await readTrace(locateConformanceLog(logName));
  const jobs = Array.from(swfColumns.submit, (submit, k) => ({
    submit,
    runtime: swfColumns.runtime[k]!,
    estimate: swfColumns.requestedTime[k]!,
    processors: swfColumns.processors[k]!,
  }));
  return { sites, jobs };
}

const selectConformanceRules = ({ sites: { length } }: ConformanceLog) => (length > 1 ? sites : machine);

const isAnyJobOverdue = ({ jobs }: TinyTestLog) => jobs.some(({ runtime, estimate }) => runtime > estimate);

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
  const log = await readTinyLog(conformanceCase);
  expect(log.jobs.length).toBeLessThanOrEqual(12);
  for (const rule of selectConformanceRules(conformanceCase)) {
    const requiredStarts = findStartTimesRequiredByRule(conformanceSet, conformanceCase, rule.id);
    expect(requiredStarts, rule.id).toEqual(computeRequiredStarts(log, rule));
    if (!(isAnyJobOverdue(log) && rule.family.startsWith('kept')))
      expect(requiredStarts, rule.id).toEqual(rule.starts(log));
  }
  const rulesWithCoreOptions = selectConformanceRules(conformanceCase).filter(
    ({ options }) => options !== undefined,
  );
  const coreStartTimes = await simulateConformanceLog(
    conformanceCase,
    rulesWithCoreOptions.map(({ options }) => options!),
  );
  expect(coreStartTimes).toEqual(
    rulesWithCoreOptions.map(({ id: knownRuleId }) =>
      findStartTimesRequiredByRule(conformanceSet, conformanceCase, knownRuleId),
    ),
  );
  const answeredCases = conformanceCase.answers.flatMap((answer) =>
    findRulesGivingAnswer(conformanceSet, answer),
  );
  expect(new Set(answeredCases).size).toBe(answeredCases.length);
});

test.each(sampleTestCases(CONFORMANCE_QUESTIONS))(
  '$name: no smaller log distinguishes the two rules',
  async ({ name: questionName, familyNames: pair, leastExcess = 0 }) => {
    const log = await readTinyLog(
      conformanceSet.cases.find(
        (conformanceCase) => conformanceCase.name === questionName,
      ) as ConformanceCase,
    );
    const ruleGroups = [rulesOfFamilyName(pair[0]), rulesOfFamilyName(pair[1])] as const;
    expect(distinguishesRules(log, ruleGroups)).toBe(true);
    const logsOneStepSmaller = [...generateSmallerLogs(log, leastExcess)];
    expect(logsOneStepSmaller.length).toBeGreaterThan(log.jobs.length);
    expect(logsOneStepSmaller.filter((step) => distinguishesRules(step, ruleGroups))).toEqual([]);
  },
);

test.each([
  ['machine', machine],
  ['sites', sites],
])('every two rules of %s are distinguished by a case', (_, rulesOfOneKind) => {
  const cases = conformanceSet.cases.filter(
    (conformanceCase) => selectConformanceRules(conformanceCase)[0]!.id === rulesOfOneKind[0]!.id,
  );
  const signs = rulesOfOneKind.map(({ id }) =>
    cases.map((conformanceCase) => String(findStartTimesRequiredByRule(conformanceSet, conformanceCase, id))),
  );
  const alike = signs.flatMap((sign, k) =>
    signs.slice(0, k).flatMap((startsOfOtherRule, i) => {
      const doStartsDiffer = sign.some(
        (starts, c) => ![starts, 'undefined'].includes(startsOfOtherRule[c]!) && starts !== 'undefined',
      );
      return doStartsDiffer ? [] : [`${rulesOfOneKind[i]!.id}, ${rulesOfOneKind[k]!.id}`];
    }),
  );
  expect(alike).toEqual([]);
});

/**
 * Start times in seconds under each rule for one machine, as text. With overdue jobs, only the rules of the
 * reference simulator are used.
 */
function computeDistinctStarts(
  jobs: TinyTestLog['jobs'],
  tinyLog: TinyTestLog,
  rulesOfOneKind: readonly ConformanceTestRule[] = machine,
): string[] {
  return [
    ...new Set(
      rulesOfOneKind.flatMap((rule) => String(computeRequiredStarts({ ...tinyLog, jobs }, rule) ?? [])),
    ),
  ];
}

test('habits are recognized whatever the rule', () => {
  const [killed, zeroRuntimeLog] = SCHEDULER_HABITS.map(({ log: tinyLog }) => tinyLog);
  const expectedAnswers = conformanceSet.habits.map(({ answers }) => answers.map(({ starts }) => starts));
  const rulesWithoutKeptReservations = machine.filter(({ family }) => !family.startsWith('kept-'));
  expect(computeDistinctStarts(killed!.jobs, killed!, rulesWithoutKeptReservations)).toEqual([
    String(expectedAnswers[0]![0]),
  ]);
  const jobsKilledAtEstimate = killed!.jobs.map((job) => ({
    ...job,
    runtime: Math.min(job.runtime, job.estimate),
  }));
  expect(computeDistinctStarts(jobsKilledAtEstimate, killed!)).toEqual([String(expectedAnswers[0]![1])]);
  const jobsOfAtLeastOneSecond = zeroRuntimeLog!.jobs.map((job) => ({
    ...job,
    runtime: Math.max(1, job.runtime),
  }));
  // These rules keep reserved processors until the reserved start, so that the requested time of job 2
  // matters.
  const rulesNotHoldingProcessors = machine.filter(
    ({ family }) => !['easy-held', 'kept-fixed'].includes(family),
  );
  expect(computeDistinctStarts(zeroRuntimeLog!.jobs, zeroRuntimeLog!, rulesNotHoldingProcessors)).toEqual([
    String(expectedAnswers[1]![0]),
  ]);
  expect(computeDistinctStarts(jobsOfAtLeastOneSecond, zeroRuntimeLog!)).toEqual([
    String(expectedAnswers[1]![1]),
  ]);
  const jobsWithRuntime = zeroRuntimeLog!.jobs.filter(({ runtime }) => runtime > 0);
  expect(computeDistinctStarts(jobsWithRuntime, zeroRuntimeLog!)).toEqual([
    String(expectedAnswers[1]![2]!.filter((start) => start !== null)),
  ]);
});

test('gridalloc lets jobs exceed estimates, kills them on request, and excludes those without a runtime', async () => {
  const [killed, zeroRuntimeLog] = conformanceSet.habits;
  const easyOptions = { discipline: 'easy' };
  const [runsOn, startsWhenKilled] = await simulateConformanceLog(killed!, [
    easyOptions,
    { ...easyOptions, kill: 'at-estimate' },
  ]);
  expect([runsOn, startsWhenKilled]).toEqual(killed!.answers.map(({ starts }) => starts));
  expect(await simulateConformanceLog(zeroRuntimeLog!, [easyOptions])).toEqual([
    zeroRuntimeLog!.answers[2]!.starts,
  ]);
});

test('cases of passes have the starts that follow by hand from the rules', () => {
  const findStartsRequiredInCase = (conformanceCaseName: string, rule: string) =>
    findStartTimesRequiredByRule(
      conformanceSet,
      conformanceSet.cases.find((conformanceCase) => conformanceCase.name === conformanceCaseName)!,
      rule,
    );
  // The only backfill pass of these rules is at 0 s; afterwards, heads of the queue start at events.
  expect(findStartsRequiredInCase('passes', 'easy event')).toEqual([0, 2, 1]);
  expect(findStartsRequiredInCase('passes', 'passes-easy')).toEqual([0, 2, 2]);
  expect(findStartsRequiredInCase('passes-reservations', 'passes-easy')).toEqual([0, 1, 2, 0]);
  // One processor is free beside job 2 from 1 to 2, and none beside job 3 from 2 to 3.
  expect(findStartsRequiredInCase('passes-reservations', 'passes')).toEqual([0, 1, 2, 3]);
  // Free processors from 0 on: 2, 1 and 2 until 4, so job 4 has one until 3.
  expect(findStartsRequiredInCase('nodes', 'passes')).toEqual([0, 1, 2, 0]);
  expect(findStartsRequiredInCase('nodes', 'passes-nodes')).toEqual([0, 1, 2, 2]);
  expect(findStartsRequiredInCase('closed-overlap', 'passes-nodes')).toEqual([0, 1, 0]);
  expect(findStartsRequiredInCase('closed-overlap', 'passes-closed')).toEqual([0, 1, 2]);
});

test('the plain rules are those of the reference on random jobs', () => {
  const rulesWithCoreOptions = machine.filter(({ options }) => options !== undefined);
  for (const seed of listCaseSeeds(200)) {
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
    for (const { id: knownRuleId, starts: startsOf, options } of rulesWithCoreOptions)
      expect(startsOf(log), `seed ${seed}, ${knownRuleId}`).toEqual(computeReferenceStarts(log, options!));
  }
});
