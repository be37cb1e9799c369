/** Priorities of Slurm: converts the keys of a slurm.conf to options. */
import { printNotation, splitOutsideBrackets } from '../notation.js';
import { parseSlurmTime, type SlurmConfiguration } from './slurmFile.js';

/** Options for priorities, and the aspects that are not simulated. */
interface SlurmPriorityOptions {
  readonly options: Readonly<Record<string, string>>;
  /** Keys that are not simulated. */
  readonly ignored: readonly string[];
  /** Sentences about differences from Slurm. */
  readonly notes: readonly string[];
}

const SLURM_PRIORITY_WEIGHT_KEYS = {
  age: 'priorityweightage',
  fairshare: 'priorityweightfairshare',
  size: 'priorityweightjobsize',
};
/** Keys whose weights or plugins contribute to priorities but have no counterpart in logs. */
const UNSIMULATED_PRIORITY_KEYS: Readonly<Record<string, string>> = {
  priorityweightassoc: 'PriorityWeightAssoc',
  priorityweightqos: 'PriorityWeightQOS',
  priorityweighttres: 'PriorityWeightTRES',
  prioritysitefactorplugin: 'PrioritySiteFactorPlugin',
};
const UNSIMULATED_PRIORITY_FLAGS = ['ACCRUE_ALWAYS', 'DEPTH_OBLIVIOUS', 'MAX_TRES', 'MAX_TRES_GRES'];

/** Converts the priority settings of a slurm.conf to options. */
export function makeOptionsOfSlurmPriorities(configuration: SlurmConfiguration): SlurmPriorityOptions {
  const { entries: configurationEntries } = configuration;
  const entryText = (settingName: string) => configurationEntries.get(settingName) ?? '';
  const notes = makeNotesOnEnforcedLimits(entryText('accountingstorageenforce'));
  if (!/^priority\/multifactor$/i.test(entryText('prioritytype'))) return { options: {}, ignored: [], notes };
  const flags = entryText('priorityflags').toUpperCase().split(',');
  const ignoredSettings = [
    ...Object.keys(UNSIMULATED_PRIORITY_KEYS).filter((key) => !/^(|0|\(null\)|none)$/i.test(entryText(key))),
  ].map((key) => UNSIMULATED_PRIORITY_KEYS[key]!);
  if (!/^(|none)$/i.test(entryText('priorityusageresetperiod')))
    ignoredSettings.push('PriorityUsageResetPeriod');
  ignoredSettings.push(...UNSIMULATED_PRIORITY_FLAGS.filter((flag) => flags.includes(flag)));
  const parameters = makeMultifactorParameters(configuration, flags);
  if (parameters === undefined) return { options: {}, ignored: ignoredSettings, notes };
  const options: Record<string, string> = { order: printNotation('multifactor', parameters) };
  if (parameters.some(([name]) => name === 'age' || name === 'fairshare'))
    options['usage-step'] = `${parseCalculationPeriod(entryText('prioritycalcperiod'))}`;
  if (parameters.some(([name]) => name === 'fairshare')) {
    const halfLife = parseSlurmTime(entryText('prioritydecayhalflife') || '7-0');
    options['half-life'] = halfLife === 0 ? 'none' : `${halfLife}`;
    options['usage-count'] = 'by-number';
    notes.push(
      'Shares of users are in slurmdbd, not in slurm.conf: all users count as equal, unless the order gives shares such as share=0.2 or share.NAME=0.4.',
    );
    if (!flags.includes('NO_FAIR_TREE'))
      notes.push('Fair Tree is not simulated: the order has the fair share of the flag NO_FAIR_TREE.');
    if (!doesEnforceLimits(entryText('accountingstorageenforce')))
      notes.push(
        'Without AccountingStorageEnforce=limits Slurm does not count the use of jobs since the last computation of priorities before their ends; the simulation does.',
      );
  }
  return { options, ignored: ignoredSettings, notes };
}

/** Parameters of the multifactor order; undefined if no weight is positive. */
function makeMultifactorParameters(
  configuration: SlurmConfiguration,
  flags: readonly string[],
): (readonly [string, string])[] | undefined {
  const { entries: configurationEntries } = configuration;
  const weightOf = (settingName: string) => Number(configurationEntries.get(settingName) ?? 0);
  const parameters: (readonly [string, string])[] = [];
  for (const [name, key] of Object.entries(SLURM_PRIORITY_WEIGHT_KEYS)) {
    if (!(weightOf(key) > 0)) continue;
    parameters.push([name, `${weightOf(key)}`]);
    if (name === 'age') parameters.push(...makeAgeFactorParameters(configurationEntries));
    if (name === 'fairshare') parameters.push(...makeFairshareDampingParameters(configurationEntries));
    if (name === 'size') parameters.push(...makeSizeFactorParameters(configuration, flags));
  }
  parameters.push(
    ...makePartitionFactorParameters(configuration, weightOf('priorityweightpartition'), flags),
  );
  return parameters.length === 0 ? undefined : parameters;
}

function makeAgeFactorParameters(entries: SlurmConfiguration['entries']): (readonly [string, string])[] {
  return [['maxAge', `${parseSlurmTime(entries.get('prioritymaxage') ?? '7-0')}`]];
}

function makeFairshareDampingParameters(
  entries: SlurmConfiguration['entries'],
): (readonly [string, string])[] {
  const dampingFactorText = entries.get('fairsharedampeningfactor') ?? '1';
  return dampingFactorText === '1' ? [] : [['damp', dampingFactorText]];
}

function makeSizeFactorParameters(
  { entries: configurationEntries, nodeLines }: SlurmConfiguration,
  flags: readonly string[],
): (readonly [string, string])[] {
  const nodeCount = nodeLines.reduce((sum, nodeLine) => sum + countNodesOfLine(nodeLine), 0);
  const parameters: (readonly [string, string])[] = nodeCount > 0 ? [['nodes', `${nodeCount}`]] : [];
  if (/^(yes|true|up|1)$/i.test(configurationEntries.get('priorityfavorsmall') ?? ''))
    parameters.push(['favorSmall', 'yes']);
  if (flags.includes('SMALL_RELATIVE_TO_TIME')) parameters.push(['perTime', 'yes']);
  return parameters;
}

/** Points of partitions, unless all are equal. */
function makePartitionFactorParameters(
  { partitionLines }: SlurmConfiguration,
  weight: number,
  flags: readonly string[],
): (readonly [string, string])[] {
  if (!(weight > 0)) return [];
  const partitionFactors = partitionLines.map((partitionLine) => {
    const factorMatch =
      /\bPriorityJobFactor=(\d+)/i.exec(partitionLine) ?? /\bPriority=(\d+)/i.exec(partitionLine);
    return { name: /PartitionName=(\S+)/i.exec(partitionLine)![1]!, factor: Number(factorMatch?.[1] ?? 1) };
  });
  const largestPartitionFactor = Math.max(...partitionFactors.map(({ factor }) => factor));
  if (partitionFactors.every(({ factor }) => factor === largestPartitionFactor)) return [];
  const areNormalized = !flags.includes('NO_NORMAL_PART') && !flags.includes('NO_NORMAL_ALL');
  return partitionFactors
    .filter(({ factor }) => factor > 0)
    .map(({ name: factorName, factor }) => [
      `partition.${factorName}`,
      `${areNormalized ? (weight * factor) / largestPartitionFactor : weight * factor}`,
    ]);
}

const doesEnforceLimits = (enforcementText: string) => /\b(limits|safe|all|1)\b/i.test(enforcementText);

function makeNotesOnEnforcedLimits(enforcementText: string): string[] {
  return doesEnforceLimits(enforcementText)
    ? [
        'Limits of users and accounts are in slurmdbd, not in slurm.conf: give them as --limit user.jobs=3 and the like.',
      ]
    : [];
}

/** Seconds between computations of priorities; 5 minutes by default in slurm.conf. */
const parseCalculationPeriod = (periodText: string) => parseSlurmTime(periodText || '5');

/** Number of nodes in a line such as `NodeName=n[1-8],m1 CPUs=4`; 0 for the line of defaults. */
function countNodesOfLine(line: string): number {
  const nodeNames = /NodeName=(\S+)/i.exec(line)?.[1] ?? '';
  if (/^default$/i.test(nodeNames)) return 0;
  return splitOutsideBrackets(nodeNames, ',').reduce((sum, each) => {
    const bracketedLists = [...each.matchAll(/\[([^\]]*)\]/g)].map(([, listText]) => listText!.split(','));
    return (
      sum +
      bracketedLists.reduce(
        (product, list) => product * list.map(countHostsInRange).reduce((a, b) => a + b),
        1,
      )
    );
  }, 0);
}

function countHostsInRange(hostRange: string): number {
  const [first, last = first] = hostRange.split('-').map(Number);
  return Math.max(1, last! - first! + 1) || 1;
}
