/** Metrics of summaries by name, and those that are worth showing. */
import { candidatesOf } from '../core/policies.js';
import { InputError } from '../errors.js';
import { capitalized } from '../format/numbers.js';
import { suggested, suggestion } from '../notation.js';
import type { Configuration } from '../options/configuration.js';
import type { Workload } from '../workload/workload.js';
import type { Metric, NamedMetric } from './metric.js';
import { METRICS } from './metrics.js';
import { type Summary, type SummaryWith, summaryOf, type ValuesOf } from './summary.js';

/** A metric that is one number of a run. */
export interface ScalarMetric extends NamedMetric {
  readonly of: (summary: Summary) => number;
}

/** A metric of each site, or of the jobs at home on each. */
export interface SiteMetric extends Metric {
  /** As studies call that of site 2, which is also home 2: `site2Utilization`, `home2Jobs`. */
  readonly nameOf: (number: number) => string;
  readonly of: (summary: Summary, site: number) => number;
}

type Table = Readonly<Record<string, Metric>>;

/** What a metric of a part of a summary is called: `decisionsAgreed`, `site2Utilization`. */
const inPart = (part: string) => (field: string) => `${part}${capitalized(field)}`;

/** Every metric that is one number, in the order of summary.json. */
export const SCALAR_METRICS: readonly ScalarMetric[] = [
  ...Object.entries<Metric>(METRICS.run).map(([name, metric]) => ({
    ...metric,
    name,
    of: (summary: Summary) => summary[name as keyof typeof METRICS.run],
  })),
  ...Object.entries<Metric>(METRICS.trials).map(([field, metric]) => ({
    ...metric,
    name: inPart('trials')(field),
    of: ({ trials }: Summary) => trials?.[field as keyof typeof METRICS.trials] ?? 0,
  })),
  ...Object.entries<Metric>(METRICS.decisions).map(([field, metric]) => ({
    ...metric,
    name: inPart('decisions')(field),
    of: ({ decisions }: Summary) => decisions[field as keyof typeof METRICS.decisions],
  })),
];

function siteMetrics(of: 'site' | 'home', table: Table): SiteMetric[] {
  return Object.entries(table).map(([field, metric]) => ({
    ...metric,
    nameOf: (number: number) => inPart(`${of}${number}`)(field),
    of: (summary: Summary, site: number) => {
      const values = summary[`${of}s`][site] as unknown as Readonly<Record<string, number>>;
      return values[field]!;
    },
  }));
}

/** Every metric of each site and of each home, in the order of summary.json. */
export const SITE_METRICS: readonly SiteMetric[] = [
  ...siteMetrics('site', METRICS.sites),
  ...siteMetrics('home', METRICS.homes),
];

/** The summary of a run by the values of its metrics; how often each candidate of a policy was in force is no metric. */
export function summaryByMetrics(
  workload: Workload,
  configuration: Configuration,
  value: (name: string) => number,
): SummaryWith<ValuesOf<typeof METRICS.trials>> {
  const read = <Of extends Table>(table: Of, nameOf: (field: string) => string) =>
    Object.fromEntries(Object.keys(table).map((field) => [field, value(nameOf(field))])) as ValuesOf<Of>;
  const { grid, policy } = configuration;
  return summaryOf(workload, configuration, {
    run: read(METRICS.run, (name) => name),
    decisions: read(METRICS.decisions, inPart('decisions')),
    ...(candidatesOf(policy).length > 0 ? { trials: read(METRICS.trials, inPart('trials')) } : {}),
    sites: grid.capacities.map((capacity, i) => ({
      capacity,
      speed: grid.speeds[i]!,
      ...read(METRICS.sites, inPart(`site${i + 1}`)),
    })),
    homes: grid.capacities.map((_, i) => read(METRICS.homes, inPart(`home${i + 1}`))),
  });
}

/**
 * The metrics of a run that tables show, besides those of its heading: none of a topic that did not come up.
 * @param hasHomes whether jobs have homes.
 */
export function shownMetrics(
  summary: Summary,
  hasHomes: boolean,
): { readonly metric: ScalarMetric; readonly value: number }[] {
  const seen = new Set(SCALAR_METRICS.flatMap(({ topic, of }) => (of(summary) === 0 ? [] : [topic])));
  const isShown = ({ topic, needsHomes = false }: Metric) =>
    (topic === undefined || (topic !== 'heading' && seen.has(topic))) && (hasHomes || !needsHomes);
  const shown = SCALAR_METRICS.filter(isShown).map((metric) => ({ metric, value: metric.of(summary) }));
  // Summaries of earlier versions have fewer.
  return shown.filter(({ value }) => value !== undefined);
}

const OF_PROMISES = ['meanPromiseError', 'maxPromiseError'];

/** Whether a run has a metric: where no reservation is kept, nothing was promised, and what is 0 there says nothing. */
export const hasMetric = (
  { name }: Pick<NamedMetric, 'name'>,
  { reservations }: Pick<Configuration, 'reservations'>,
) => reservations === 'kept' || !OF_PROMISES.includes(name);

/**
 * Checks that every method has the metrics that methods are compared by.
 * @throws InputError for a method that keeps no reservations, and a metric of what they promise.
 */
export function checkHad(
  metrics: readonly NamedMetric[],
  configurations: readonly Pick<Configuration, 'reservations' | 'discipline'>[],
): void {
  for (const metric of metrics) {
    const without = configurations.find((each) => !hasMetric(metric, each));
    if (without === undefined) continue;
    throw new InputError(
      `metric '${metric.name}': ${without.discipline} promises no start, so it cannot be compared by it; ` +
        'compare methods whose reservations are kept',
    );
  }
}

/** The words of a name, sorted: the same for `waitP95`, `p95_wait` and `p95Wait`. */
const wordsIn = (name: string) =>
  [...name.matchAll(/[A-Z]?[a-z]*\d*/g)]
    .map(([word]) => word.toLowerCase())
    .filter((word) => word !== '')
    .sort();

/** So many metrics are suggested for a word that several have. */
const MOST_SUGGESTED = 4;

/** The error for a metric outside a known set, with the nearest known one, or with those whose names have all of its words. */
export function unknownMetric(name: string, known: readonly string[]): InputError {
  const words = wordsIn(name);
  const meant = known.find((each) => String(wordsIn(each)) === String(words)) ?? name;
  const hasAll = (each: string) => words.length > 0 && words.every((word) => wordsIn(each).includes(word));
  const having = known.filter(hasAll).slice(0, MOST_SUGGESTED);
  const meantBy = suggestion(meant, known) || suggested(having.map((each) => `'${each}'`)) || '.';
  return new InputError(`unknown metric '${name}'${meantBy} See gridalloc metrics`);
}
