/** Command `gridalloc metrics`: lists the metrics for --metric and for studies. */

import { COMMON_COMMAND_OPTIONS, listMetricNames } from '../../request/commandOptions.js';
import { type CommandInput, makeInputReader } from '../../request/fromArguments.js';
import {
  CLASS_METRIC_NAMES,
  findJobMetric,
  formatClassMetricName,
  JOB_METRICS,
} from '../../simulate/jobMetrics.js';
import type { Metric } from '../../simulate/metric.js';
import { makeUnknownMetricError, SCALAR_METRICS, SITE_METRICS } from '../../simulate/summary.js';
import { wrapText } from '../../view/terminal.js';
import type { Command } from '../command.js';
import type { CommandContext } from '../context.js';

/** Command `gridalloc metrics`. */
export const metricsCommand: Command<CommandInput<typeof COMMON_COMMAND_OPTIONS>> = {
  description:
    'Lists the metrics of a simulation with their units and formulas, under the names used by --metric, study measures and summary.json. docs/model.md explains the symbols and edge cases.',
  positionals: [
    {
      name: 'METRIC',
      meaning: 'a METRIC, such as meanWait',
      isOptional: true,
      isRepeatable: true,
      complete: listMetricNames,
    },
  ],
  options: COMMON_COMMAND_OPTIONS,
  read: makeInputReader(COMMON_COMMAND_OPTIONS),
  examples: [
    ['gridalloc metrics', 'all of them'],
    ['gridalloc metrics meanWait', 'one'],
    ['gridalloc metrics --json', 'the same for programs'],
  ],
  run: runMetricsCommand,
};

/** Groups of metrics: heading and content. */
const METRIC_GROUPS: readonly (readonly [
  of: string,
  metrics: readonly (Metric & { readonly name: string })[],
])[] = [
  ['of a run', SCALAR_METRICS],
  ['of a run, from every job', JOB_METRICS],
  [
    'of a class of jobs (user, group, account, queue, partition, home, class)',
    CLASS_METRIC_NAMES.flatMap(
      (metricName) => findJobMetric(formatClassMetricName(metricName, 'user', 'ann')) ?? [],
    ),
  ],
  [
    'of site 2, or of the jobs at home there',
    SITE_METRICS.map((metric) => ({ ...metric, name: metric.nameOf(2) })),
  ],
];

/**
 * Restricts the groups to metrics with given names.
 * @throws InputError for an unknown metric.
 */
function selectMetricGroups(metricNames: readonly string[]): typeof METRIC_GROUPS {
  const knownMetricNames = METRIC_GROUPS.flatMap(([, metrics]) =>
    metrics.map(({ name: metricName }) => metricName),
  );
  for (const metricName of metricNames)
    if (!knownMetricNames.includes(metricName)) throw makeUnknownMetricError(metricName, knownMetricNames);
  return METRIC_GROUPS.map(
    ([of, metrics]) =>
      [of, metrics.filter(({ name: metricName }) => metricNames.includes(metricName))] as const,
  ).filter(([, metrics]) => metrics.length > 0);
}

async function runMetricsCommand(
  { positionals: commandWords }: CommandInput<typeof COMMON_COMMAND_OPTIONS>,
  context: CommandContext,
): Promise<number> {
  const shownMetricGroups = commandWords.length === 0 ? METRIC_GROUPS : selectMetricGroups(commandWords);
  return context.printResult(
    shownMetricGroups.flatMap(([of, metrics]) => metrics.map((metric) => makeMetricDocument(of, metric))),
    () => shownMetricGroups.map(([of, metrics]) => formatMetricLines(of, metrics, context)).join('\n\n'),
  );
}

function makeMetricDocument(
  subjectPhrase: string,
  {
    name,
    label: metricLabel,
    unit: metricUnit,
    better: betterDirection,
    formula,
    edges,
  }: Metric & { readonly name: string },
): object {
  return {
    name,
    of: subjectPhrase,
    label: metricLabel,
    unit: metricUnit ?? null,
    better: betterDirection ?? null,
    formula,
    edges: edges ?? null,
  };
}

/** Formats each metric as a line with name, unit and label, followed by its formula. */
function formatMetricLines(
  subject: string,
  metrics: readonly (Metric & { readonly name: string })[],
  { colors, io }: CommandContext,
): string {
  const width = io.stdout.columns ?? 80;
  const metricTexts = metrics.map(
    ({
      name: metricName,
      label: metricLabel,
      unit: metricUnit,
      format,
      better: betterDirection,
      formula,
    }) => {
      const unitText =
        format.style === 'percent' ? ' [share]' : metricUnit === undefined ? '' : ` [${metricUnit}]`;
      const betterDirectionText = betterDirection === undefined ? '' : `, ${betterDirection} is better`;
      const plainFormula = formula.replaceAll('<sup>2</sup>', '²').replaceAll(/`|<\/?sub>/g, '');
      const formulaText = wrapText(plainFormula, width - METRIC_INDENT.length).replaceAll(
        /^/gm,
        METRIC_INDENT,
      );
      return `${wrapText(`${metricName}${unitText}: ${metricLabel}${betterDirectionText}`, width).replace(metricName, colors.bold(metricName))}\n${formulaText}`;
    },
  );
  return `${colors.bold(`Metrics ${subject}`)}\n\n${metricTexts.join('\n')}`;
}

const METRIC_INDENT = '    ';
