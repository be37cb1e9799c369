/**
 * `npm run conformance`: searches logs for the conformance set and writes it with the starts under
 * each rule.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CONFORMANCE_QUESTIONS, SCHEDULER_HABITS } from './questions.js';
import {
  type ConformanceTestRule,
  computeRequiredStarts,
  listRulesOfKind,
  rulesOfFamilyName,
  type TinyTestLog,
} from './rules.js';
import { distinguishesRules, findSmallestLog } from './smallest.js';

const folder = fileURLToPath(new URL('../../traces/conformance/', import.meta.url));
const singleMachineRules = listRulesOfKind('machine');
const severalSiteRules = listRulesOfKind('sites');
const rules = [...singleMachineRules, ...severalSiteRules];

/** The log in the Standard Workload Format; all fields without data are -1. */
function formatTinyLogAsSwf(logName: string, { jobs, sites }: TinyTestLog): string {
  const totalProcessors = sites.reduce((sum, site) => sum + site, 0);
  const swfRecords = jobs.map(({ submit, runtime, estimate, processors }, k) =>
    [
      k + 1,
      submit,
      -1,
      runtime,
      processors,
      -1,
      -1,
      processors,
      estimate,
      -1,
      1,
      1,
      1,
      -1,
      1,
      1,
      -1,
      -1,
    ].join(' '),
  );
  const headerFields = [
    'Version: 2.2',
    `Computer: ${logName}`,
    `MaxJobs: ${jobs.length}`,
    `MaxRecords: ${jobs.length}`,
  ];
  const headerLines = [...headerFields, 'UnixStartTime: 0', `MaxProcs: ${totalProcessors}`].map(
    (line) => `; ${line}`,
  );
  return `${[...headerLines, ...swfRecords].join('\n')}\n`;
}

/**
 * Distinct start times of a log under all rules, each with the names of the rules that give them,
 * grouped by family.
 */
function groupRulesByStarts(tinyLog: TinyTestLog, rulesOfOneKind: readonly ConformanceTestRule[]) {
  const rulesByStarts = new Map<string, { starts: number[]; rules: Record<string, string[] | 'all'> }>();
  for (const rule of rulesOfOneKind) {
    const startTimes = computeRequiredStarts(tinyLog, rule);
    if (startTimes === undefined) continue;
    const rulesWithSameStarts = rulesByStarts.get(String(startTimes)) ?? { starts: startTimes, rules: {} };
    rulesByStarts.set(String(startTimes), rulesWithSameStarts);
    const measuredTimings = [...(rulesWithSameStarts.rules[rule.family] ?? []), rule.timing] as string[];
    const rulesOfFamily = rulesOfOneKind.filter(({ family }) => family === rule.family);
    rulesWithSameStarts.rules[rule.family] =
      measuredTimings.length === rulesOfFamily.length ? 'all' : measuredTimings;
  }
  return [...rulesByStarts.values()];
}

const logsFoundForQuestions: TinyTestLog[] = [];
const conformanceCases = CONFORMANCE_QUESTIONS.map(
  ({ name: questionName, familyNames: ruleIds, why: explanation, leastExcess = 0 }) => {
    const ruleGroups = [rulesOfFamilyName(ruleIds[0]), rulesOfFamilyName(ruleIds[1])] as const;
    const rulesOfOneKind = severalSiteRules.some(({ id }) => id === ruleGroups[0][0]!.id)
      ? severalSiteRules
      : singleMachineRules;
    const tinyLog = findSmallestLog(
      { pair: ruleGroups, leastExcess },
      rulesOfOneKind,
      rulesOfOneKind === severalSiteRules ? 2 : 1,
    );
    if (tinyLog === undefined) throw new Error(`no log tells ${ruleIds.join(' from ')}`);
    logsFoundForQuestions.push(tinyLog);
    writeFileSync(`${folder}${questionName}.swf`, formatTinyLogAsSwf(questionName, tinyLog));
    return {
      name: questionName,
      sites: tinyLog.sites,
      tells: ruleIds,
      why: explanation,
      answers: groupRulesByStarts(tinyLog, rulesOfOneKind),
    };
  },
);

const schedulerHabits = SCHEDULER_HABITS.map(
  ({ name: schedulerHabitName, log: tinyLog, why, possibleStarts: answers }) => {
    writeFileSync(`${folder}${schedulerHabitName}.swf`, formatTinyLogAsSwf(schedulerHabitName, tinyLog));
    return { name: schedulerHabitName, sites: tinyLog.sites, why, answers };
  },
);

const pairsOfEquivalentRules = [singleMachineRules, severalSiteRules].flatMap((rulesOfOneKind) =>
  rulesOfOneKind.flatMap((rule, k) =>
    rulesOfOneKind
      .slice(0, k)
      .filter(
        (otherRule) =>
          !logsFoundForQuestions.some(
            (tinyLog) =>
              tinyLog.sites.length === (rulesOfOneKind === severalSiteRules ? 2 : 1) &&
              distinguishesRules(tinyLog, [[rule], [otherRule]]),
          ),
      )
      .map((otherRule) => `${otherRule.id} and ${rule.id}`),
  ),
);
if (pairsOfEquivalentRules.length > 0)
  throw new Error(`no case tells apart ${pairsOfEquivalentRules.join(', ')}`);

const describedRules = Object.fromEntries(
  rules.map(({ id: ruleId, title: ruleTitle, options }) => [
    ruleId,
    options === undefined ? { title: ruleTitle } : { title: ruleTitle, options },
  ]),
);
const conformanceDocument = { rules: describedRules, cases: conformanceCases, habits: schedulerHabits };
writeFileSync(`${folder}conformance.json`, `${JSON.stringify(conformanceDocument)}\n`);
