/** By what jobs are coloured in a drawing: how long they waited, their home site, their user. */
import type { FinishedJob } from '../results/finishedJobs.js';
import { areaColors } from './palette.js';
import { ramp, TIME_SCALES, textOn } from './timeColors.js';

/** By what a drawing colours its jobs. */
export type JobColoring = 'wait' | 'home site' | 'user';

/** Jobs of one colour, as a legend calls them. */
export interface JobGroup {
  readonly name: string;
  readonly fill: string;
  /** The colour of text upon it. */
  readonly text: string;
}

/** Waits up to so many seconds. */
const WAITS: readonly (readonly [most: number, name: string])[] = [
  [0, 'did not wait'],
  [600, 'waited up to 10 min'],
  [3600, 'up to 1 h'],
  [21_600, 'up to 6 h'],
  [86_400, 'up to 1 d'],
  [Infinity, 'more than 1 d'],
];
/** Their colours, of the hue that waits have everywhere: the longer, the darker, but not so dark that a dark background hides them in a file. */
const LONGEST_FILL = '#6a3fb5';
const WAIT_FILLS = [
  TIME_SCALES.light.none,
  ...ramp([TIME_SCALES.light.more[0], LONGEST_FILL], WAITS.length - 1),
];
const DARK_WAIT_FILLS = [TIME_SCALES.dark.none, ...ramp(TIME_SCALES.dark.more, WAITS.length - 1)];

/** Colours of waits in drawings, each with what it is on a dark page. */
export const DARK_WAITS: readonly (readonly [light: string, dark: string])[] = WAIT_FILLS.map((fill, i) => [
  fill,
  DARK_WAIT_FILLS[i]!,
]);

/** Users with a colour of their own; all others share one. */
const MOST_USERS = 6;
const OTHERS = 'other users';

/** What home sites are called in a legend. */
const homeName = (home: number) => `home site ${home + 1}`;

/** By what the jobs of a drawing can be coloured; first by what they are, if nothing else is said. */
export function jobColorings(jobs: readonly FinishedJob[]): JobColoring[] {
  const hasHomes = new Set(jobs.map(({ home }) => home)).size > 1;
  const hasUsers = jobs.some(({ user }) => user !== undefined);
  return [...(hasHomes ? ['home site' as const] : []), 'wait', ...(hasUsers ? ['user' as const] : [])];
}

/** The users with most jobs. */
function frequentUsers(jobs: readonly FinishedJob[]): string[] {
  const counts = new Map<string, number>();
  for (const { user = '' } of jobs) counts.set(user, (counts.get(user) ?? 0) + 1);
  return [...counts.keys()].sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0)).slice(0, MOST_USERS);
}

/** The groups that jobs are in, in the order of a legend, and the name of the group of a job. */
export function jobGroups(
  jobs: readonly FinishedJob[],
  coloring: JobColoring = jobColorings(jobs)[0] as JobColoring,
): { readonly groups: readonly JobGroup[]; readonly nameOf: (job: FinishedJob) => string } {
  if (coloring === 'wait') {
    const nameOf = ({ submit, start }: FinishedJob) =>
      WAITS.find(([most]) => start - submit <= most)?.[1] ?? '';
    const present = new Set(jobs.map(nameOf));
    const groups = WAITS.map(([, name], i) => {
      const fill = WAIT_FILLS[i]!;
      return { name, fill, text: textOn(fill) };
    });
    return { groups: groups.filter(({ name }) => present.has(name)), nameOf };
  }
  if (coloring === 'home site') {
    const homes = [...new Set(jobs.map(({ home }) => home))].sort((a, b) => a - b);
    const colors = areaColors(Math.max(-1, ...homes) + 1);
    return {
      groups: homes.map((home) => ({ name: homeName(home), ...(colors[home] as Omit<JobGroup, 'name'>) })),
      nameOf: ({ home }) => homeName(home),
    };
  }
  const users = frequentUsers(jobs);
  const colors = areaColors(users.length);
  const hasOthers = jobs.some(({ user = '' }) => !users.includes(user));
  return {
    groups: [
      ...users.map((user, i) => ({ name: `user ${user}`, ...(colors[i] as Omit<JobGroup, 'name'>) })),
      ...(hasOthers ? [{ name: OTHERS, fill: '#8a8a8a', text: '#000000' }] : []),
    ],
    nameOf: ({ user = '' }) => (users.includes(user) ? `user ${user}` : OTHERS),
  };
}
