/** Where a job went: what was looked at when it was decided, and what settled it. */
import { asksPolicy, isBackfilling } from '../options/configuration.js';
import { RUN_OPTIONS } from '../options/runOptions.js';
import type { NoteKind, RecordEntry } from '../simulate/recorder.js';
import type {
  Comparison,
  DecidingRule,
  Decision,
  PlannedChoice,
  SiteShare,
  SiteState,
  SplitChoice,
  Trial,
} from './explanation.js';
import { takenBy } from './waitCauses.js';
import { type Case, mayUse, ofKind, type RecordedWait, sharesBehind } from './waitCollector.js';

/** The decision that ended a wait. */
export function decisionOf(about: Case, wait: RecordedWait): Decision {
  const taken = takenBy(about, wait);
  const details = detailsOf(about, wait, taken);
  const sites = siteStates(about, wait, taken);
  return {
    time: wait.details.find(({ kind }) => kind === 'Free')?.time ?? wait.started.time,
    rule: ruleOf(about, wait, sites, details),
    sites,
    ...details,
  };
}

function siteStates(
  about: Case,
  { freeAfter, details }: RecordedWait,
  taken: readonly SiteShare[],
): SiteState[] {
  const { capacities, speeds } = about.configuration.grid;
  const processors = about.workload.processors[about.job];
  const unsafe = new Set(ofKind(details, 'Unsafe').map(({ numbers }) => numbers[0]));
  return capacities.map((capacity, index) => {
    const own = taken.find(({ site }) => site === index + 1)?.processors ?? 0;
    const free = freeAfter[index] + own;
    const isCandidate = mayUse(about, index);
    return {
      ...{ site: index + 1, capacity, speed: speeds[index], free, left: free - processors, isCandidate },
      ...{ fits: isCandidate && free >= processors, isSafe: !unsafe.has(index), taken: own },
    };
  });
}

type Details = Omit<Decision, 'time' | 'rule' | 'sites'>;

function detailsOf(about: Case, { details, started }: RecordedWait, taken: readonly SiteShare[]): Details {
  const numbers = (kind: NoteKind) => details.find((entry) => entry.kind === kind)?.numbers;
  const comparison = comparisonOf(about, details);
  const splits = splitsOf(details);
  const distances = ofKind(details, 'Distance').map((entry) => ({
    site: entry.numbers[0] + 1,
    distance: entry.numbers[1],
  }));
  const [turnarounds, reclaimable, beside] = (['Turnarounds', 'Reclaimable', 'Beside'] as const).map(numbers);
  const candidates = candidatesOf(details, started.time, taken);
  const trial = trialOf(details, about.candidates);
  return {
    ...(comparison && { comparison }),
    ...(splits.length > 0 && { splits }),
    ...(distances.length > 0 && { distances }),
    ...(turnarounds && { turnarounds: turnaroundsOf(turnarounds) }),
    ...(reclaimable && { reclaimable: { free: reclaimable[1], fromOthers: reclaimable[2] } }),
    ...(beside &&
      taken.some(({ site }) => site === beside[4] + 1) && {
        beside: { head: about.names[beside[0]], end: beside[1], headStart: beside[2], beside: beside[3] },
      }),
    ...(candidates.length > 0 && { candidates }),
    ...(trial && { trial }),
  };
}

function trialOf(details: readonly RecordEntry[], policies: ReadonlyMap<number, string>): Trial | undefined {
  const entries = ofKind(details, 'Tried').map(({ numbers }) => numbers);
  if (entries.length === 0) return undefined;
  const time = entries[0][4];
  return {
    time: time < 0 ? null : time,
    candidates: entries.flatMap(([place, isInForce, score, prospect]) => {
      const policy = policies.get(place);
      return policy === undefined ? [] : [{ policy, score, prospect, isInForce: isInForce === 1 }];
    }),
  };
}

function turnaroundsOf([site, free, shrunk, wait, whole, threshold]: readonly number[]) {
  return { site: site + 1, free, shrunk, whole, wait, threshold };
}

function comparisonOf({ configuration }: Case, details: readonly RecordEntry[]): Comparison | undefined {
  const numbers = (kind: NoteKind) => details.find((entry) => entry.kind === kind)?.numbers;
  const nominated = numbers('Nominated');
  if (nominated === undefined) return undefined;
  const [bestFit, fastestFirst] = nominated;
  const { speeds } = configuration.grid;
  const [situation, heterogeneity, loading] = (['Situation', 'Heterogeneity', 'Loading'] as const).map(
    numbers,
  );
  const [jobs, capacity] = (['JobsPlaced', 'CapacityPlaced'] as const).map(numbers);
  return {
    bestFit: bestFit + 1,
    fastestFirst: fastestFirst + 1,
    ...(situation && { situation: situation[0] === 1 ? 'a' : 'b' }),
    ...(heterogeneity && { heterogeneity: { value: heterogeneity[0], threshold: heterogeneity[1] } }),
    ...(loading && {
      loading: {
        waiting: loading[0],
        free: loading[1],
        value: loading[0] / loading[1],
        threshold: loading[2],
      },
    }),
    ...(jobs && { jobs: { bestFit: jobs[0], fastestFirst: jobs[1], score: jobs[2] } }),
    ...(capacity && {
      capacity: {
        bestFit: capacity[0],
        fastestFirst: capacity[1],
        bestFitProduct: speeds[bestFit] * capacity[0],
        fastestFirstProduct: speeds[fastestFirst] * capacity[1],
      },
    }),
  };
}

function splitsOf(details: readonly RecordEntry[]): SplitChoice[] {
  return details.flatMap(({ kind, numbers }, place) => {
    if (kind !== 'Split') return [];
    const [rule, slowestSpeed, jobsBehind] = numbers;
    return [
      {
        rule: RUN_OPTIONS.multiSite.wordOf(rule) ?? '',
        sites: sharesAt(details, place),
        slowestSpeed,
        jobsBehind,
      },
    ];
  });
}

function sharesAt(details: readonly RecordEntry[], place: number): SiteShare[] {
  return sharesBehind(details, place).map(({ site, processors }) => ({ site: site + 1, processors }));
}

function candidatesOf(
  details: readonly RecordEntry[],
  start: number,
  taken: readonly SiteShare[],
): PlannedChoice[] {
  const candidates = details.flatMap(({ kind, numbers }, place) => {
    if (kind !== 'Candidate') return [];
    const isPlanned = Number.isFinite(numbers[1]);
    const sites = sharesAt(details, place);
    return [{ sites, start: isPlanned ? numbers[0] : null, end: isPlanned ? numbers[1] : null }];
  });
  const isSame = (sites: readonly SiteShare[]) =>
    sites.length === taken.length &&
    sites.every((share, i) => share.site === taken[i].site && share.processors === taken[i].processors);
  // Sets of sites that leave some without a share come down to the same choice.
  const texts = candidates.map((candidate) => JSON.stringify(candidate));
  const different = candidates.filter((_, place) => texts.indexOf(texts[place]) === place);
  const chosen = different.findIndex((candidate) => candidate.start === start && isSame(candidate.sites));
  return different.map((candidate, place) => ({ ...candidate, isChosen: place === chosen }));
}

/** What settled it. */
function ruleOf(
  about: Case,
  wait: RecordedWait,
  sites: readonly SiteState[],
  details: Details,
): DecidingRule {
  const { configuration, workload, job } = about;
  const processors = workload.processors[job];
  const held = sites.reduce((sum, { taken }) => sum + taken, 0);
  if (configuration.moldable !== 'none') {
    if (held < processors) return 'scaled-down';
    return held > processors ? 'scaled-up' : 'moldable-fit';
  }
  if (isBackfilling(configuration.discipline) && !asksPolicy(configuration)) return planningRule(details);
  const hasStopped = ofKind(wait.events, 'Stopped').some(
    ({ time, numbers }) => time === wait.started.time && numbers[3] === job,
  );
  if (hasStopped) return 'reclaimed';
  if (!sites.some(({ fits }) => fits)) return 'split';
  const { comparison } = details;
  if (comparison !== undefined) return comparisonRule(comparison, configuration.policy.declaration.name);
  return sites.filter(({ fits, isSafe }) => fits && isSafe).length === 1 ? 'only-site' : 'policy';
}

function planningRule({ candidates, beside }: Details): DecidingRule {
  if (candidates !== undefined) return 'planned';
  return beside === undefined ? 'room' : 'backfilled';
}

/** Which of the rules of Shih et al. 2010 had the last word. */
function comparisonRule(
  { bestFit, fastestFirst, situation, heterogeneity, loading, jobs, capacity }: Comparison,
  policy: string,
): DecidingRule {
  if (bestFit === fastestFirst) return 'agreed';
  if (jobs !== undefined) return 'jobs-placed';
  if (capacity !== undefined) return 'capacity-placed';
  if (policy === 'si') return 'situation';
  if (policy === 'ti') return situation === 'a' ? 'heterogeneity' : 'loading';
  if (heterogeneity === undefined) return 'speeds';
  const isHigh = heterogeneity.value > heterogeneity.threshold;
  const loadIsHigh = loading !== undefined && loading.waiting > loading.threshold * loading.free;
  return isHigh === loadIsHigh ? 'speeds' : 'thresholds';
}
