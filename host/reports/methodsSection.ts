/**
 * Text for the methods section of a paper about a comparison: simulated jobs, statistical method, and
 * references.
 */
import { formatCount, formatMeasurement, formatNumber, joinWithAnd } from '../format/numbers.js';
import { escapeNonPrintingText, makePrintableSourceName } from '../format/text.js';
import type { Grid } from '../grid/grid.js';
import { firstElement } from '../lists.js';
import {
  isComparisonDecided,
  isSequentialComparison,
  type JudgedComparison,
  type JudgedMetric,
} from '../runs/comparison.js';
import type { TraceHeader } from '../trace/trace.js';
import { isModelNotation } from '../workload/models.js';
import type { Workload } from '../workload/workload.js';
import {
  describeMetricVerdicts,
  describeVerdictsByLog,
  type LogsWithComparisons,
  listCaveatsOfLogComparisons,
  listComparisonCaveats,
} from './comparisonReport.js';
import { formatBibtexEntry, makeBibtexEntriesOfLog } from './references.js';
import { chooseReplicationUnit, compareOnLogPieces, formatEquivalenceMargin } from './verdicts.js';

interface SimulatedJobsFacts {
  /** Jobs before any perturbation. */
  readonly workload: Workload;
  readonly grid: Grid;
  /** Sites of each method, if they differ. */
  readonly machines: readonly { readonly name: string; readonly grid: Grid }[];
  /** SHA-256 of the simulated jobs. */
  readonly sha256: string;
  /** Header of the log: computer, installation, start time and other entries. */
  readonly header: TraceHeader;
  /** Number of replications with different model seeds; default: 1. */
  readonly seeds?: number;
}

/** Sentence parts for filter rules without a parameter. */
const DROP_REASON_PHRASES: Readonly<Record<string, string>> = {
  runtime: 'without a positive runtime',
  processors: 'without a number of processors',
  oversize: 'too large for the sites',
};

/**
 * Text on dropped records: `8 without a positive runtime and 1 without a number of processors were left
 * out`; empty if none were.
 */
function describeDroppedRecords({ dropped: droppedRecords }: Workload['accounting']): string {
  const droppedTexts = droppedRecords
    .filter(({ count: recordCount }) => recordCount > 0)
    .map(
      ({ rule, count: recordCount }) =>
        `${formatNumber(recordCount)} ${DROP_REASON_PHRASES[rule] ?? `by the rule \`${rule}\``}`,
    );
  const totalDroppedCount = droppedRecords.reduce((sum, { count: recordCount }) => sum + recordCount, 0);
  return droppedTexts.length === 0
    ? ''
    : `; ${joinWithAnd(droppedTexts)} ${totalDroppedCount === 1 ? 'was' : 'were'} excluded`;
}

/** Description of sites: `on one site of 100 processors`. */
function describeSites({ capacities, speeds }: Grid): string {
  const areAllSpeedsOne = new Set(speeds).size === 1 && speeds[0] === 1;
  const speedPhrase = areAllSpeedsOne
    ? ''
    : `, whose speeds are ${joinWithAnd(speeds.map(formatMeasurement))}`;
  return capacities.length === 1
    ? `on one site of ${formatCount(capacities[0]!, 'processor')}${speedPhrase.replace('speeds are', 'speed is')}`
    : `on ${capacities.length} sites of ${joinWithAnd(capacities.map((capacity) => formatNumber(capacity)))} processors${speedPhrase}`;
}

/**
 * Sentence on the simulated jobs: `28,467 of 28,476 records of KTH.swf were simulated on one site of 100
 * processors; ...`.
 */
function describeSimulatedJobs({ workload, grid, machines, sha256, seeds = 1 }: SimulatedJobsFacts): string {
  const { name, accounting, count: jobCount } = workload;
  const { read: readCount, kept: keptCount, split } = accounting;
  const workloadName = makePrintableSourceName(name);
  const sitesPhrase =
    machines.length === 0
      ? describeSites(grid)
      : joinWithAnd(machines.map((machine) => `${describeSites(machine.grid)} (${machine.name})`));
  if (isModelNotation(name) && seeds > 1) {
    const firstSeed = Number(/\bseed=(\d+)/.exec(name)?.[1] ?? 1);
    return `${formatNumber(seeds)} samples of the model ${workloadName} were simulated ${sitesPhrase}, with the seeds ${formatNumber(firstSeed)} to ${formatNumber(firstSeed + seeds - 1)}: ${formatCount(jobCount, 'job')} with the first of them (SHA-256 of these jobs: ${sha256}).`;
  }
  const jobsPhrase = isModelNotation(name)
    ? `${formatCount(jobCount, 'job')} of the model ${workloadName}`
    : readCount === keptCount
      ? `All ${formatCount(readCount, 'record')} of ${workloadName}`
      : `${formatNumber(keptCount)} of ${formatCount(readCount, 'record')} of ${workloadName}`;
  const splitPhrase =
    split.jobs === 0
      ? ''
      : `; ${formatCount(split.jobs, 'wide job')} ${split.jobs === 1 ? 'was' : 'were'} cut into ${formatNumber(split.pieces)} pieces`;
  return `${jobsPhrase} were simulated ${sitesPhrase}${describeDroppedRecords(accounting)}${splitPhrase} (SHA-256 of the jobs: ${sha256}).`;
}

/** Values of a header field, in order. */
function findHeaderFieldValues({ lines }: TraceHeader, headerKey: string): string[] {
  const headerLinePattern = new RegExp(`^;\\s*${headerKey}:\\s*(\\S.*)$`);
  return lines.flatMap((line) => {
    const fieldValue = headerLinePattern.exec(line.trim())?.[1];
    return fieldValue === undefined ? [] : [escapeNonPrintingText(fieldValue)];
  });
}

/** Reference for the jobs: for a log, the acknowledgement that its header requests. */
function citeLogSource({ workload: { name }, header }: SimulatedJobsFacts): string {
  const workloadName = makePrintableSourceName(name);
  if (isModelNotation(name)) return `The paper of the model of ${workloadName} is below.`;
  const [people, places, pages] = ['Acknowledge', 'Installation', 'Information'].map((key) =>
    findHeaderFieldValues(header, key),
  ) as [string[], string[], string[]];
  const headerPhrases = [
    ...(people.length === 0 ? [] : [`names ${joinWithAnd(people)} to be acknowledged`]),
    ...(places.length === 0 ? [] : [`gives the installation as ${joinWithAnd(places)}`]),
    ...(pages.length === 0 ? [] : [`refers to ${joinWithAnd(pages)}`]),
  ];
  const headerNoteText = headerPhrases.length === 0 ? '' : ` Its header ${joinWithAnd(headerPhrases)}.`;
  return `Cite ${workloadName} as those who published it ask.${headerNoteText}`;
}

/** Sentences on a comparison for a paper. */
export interface MethodsSectionSentences {
  /** Paragraphs on the design: methods, replications, statistical tests. */
  readonly design: readonly string[];
  /** Paragraphs or lists with the results. */
  readonly results: readonly string[];
  /** BibTeX entries of the papers on the statistical methods. */
  readonly statisticsReferences: readonly string[];
  /** BibTeX entries of the papers on the simulated methods. */
  readonly methodReferences: readonly string[];
  /** Remarks on user-written code files. */
  readonly remarks: readonly string[];
}

interface MethodsSectionFacts extends MethodsSectionSentences {
  readonly jobs: readonly SimulatedJobsFacts[];
  /**
   * Sentences on the simulation of several logs and on settings that differ from the defaults; may be
   * empty.
   */
  readonly settings: readonly string[];
  readonly version: string;
  readonly coreSha256: string;
  /** Command that recreates the results. */
  readonly command: string;
}

/** Sentence on the metric of a comparison and its equivalence margin. */
function describeMetricAndMargin({ metric, judgement }: JudgedMetric): string {
  const showsPercentages = judgement.methods[judgement.observedBest]!.mean !== 0;
  return metric.label + (showsPercentages ? ` (tolerance ${formatEquivalenceMargin(judgement)})` : '');
}

/** Sentence on the number of replications and the times at which they were evaluated. */
function describeReplications(comparison: JudgedComparison): string {
  const { replications: replicationCount, population, looks } = comparison;
  const replicationText = formatNumber(replicationCount);
  if (population.counted !== undefined)
    return `Every method ran on each of the same ${replicationText} ${population.copies}.`;
  const perturbedCopiesText = `${replicationText} ${population.copies} (--perturb ${population.perturb})`;
  if (!isSequentialComparison(comparison))
    return `Every method ran on the same ${perturbedCopiesText}, a number fixed beforehand.`;
  const stopReason = isComparisonDecided(comparison)
    ? 'once no method was undecided'
    : 'at the most that we allowed';
  return `Every method ran on the same ${perturbedCopiesText}; we stopped ${stopReason}, after ${formatCount(looks.length, 'look')}, and the limits are valid at all looks simultaneously.`;
}

/** Sentences on the statistical rule that decides between methods. */
function describeStatisticalRule(comparison: JudgedComparison): string {
  const { metrics, replications: replicationCount, population } = comparison;
  const { judgement } = firstElement(metrics);
  if (judgement.methods.length === 1) return '';
  const unitWord = chooseReplicationUnit(population);
  if (judgement.isOneSample)
    return `We drew no conclusions: each method has the same value in all ${unitWord}, which are one sample.`;
  if (!judgement.isJudged)
    return population.counted === undefined
      ? `We drew no conclusions: at least ${population.fewest} replications are needed.`
      : `We give no verdict over all ${unitWord}, which needs ${population.fewest} ${unitWord} or more.`;
  const limits = isSequentialComparison(comparison)
    ? "limits that hold at all looks together, of Student's t mixed over normal effects (Lai 1976; Wang and Ramdas 2024)"
    : replicationCount < 20
      ? "Student's t after Bonferroni"
      : "the wider of Student's t after Bonferroni and the bootstrap-t of the maximum over methods, from 1,999 resamples of whole replications";
  const sharedErrorNote = metrics.length > 1 ? ` The ${metrics.length} metrics share the error.` : '';
  return (
    'Methods were compared by paired differences on the same replications, as multiple comparisons with the best (Edwards and ' +
    `Hsu 1983): simultaneous 95 % intervals of the difference between each method and the best of the others, by ${limits}. A method is ` +
    'called worse where its interval lies above 0, the best or as good as the best where it ends below the tolerance, and else ' +
    `undecided. Where two methods differ in only some replications, limits reach at least as far as Student's t with as many degrees of freedom as these, less one.${sharedErrorNote}`
  );
}

/** Sentences on the comparison of methods on each log. */
function describeLogComparisonDesign(logComparisons: LogsWithComparisons): string[] {
  const firstComparison = firstElement(logComparisons.comparisons);
  const messageSentences = [
    describeReplications(firstComparison),
    describeStatisticalRule(firstComparison),
  ].filter((text) => text !== '');
  return [
    `On each log by itself: ${messageSentences.join(' ')}`,
    listCaveatsOfLogComparisons(logComparisons).join(' '),
  ];
}

const isFirstMetricJudged = ({ metrics }: JudgedComparison) => firstElement(metrics).judgement.isJudged;

/**
 * Sentences for a paper on a comparison over replications.
 * @param logComparisons comparisons on single logs; absent if there is one log.
 */
export function describeReplicatedComparison(
  methodNames: readonly string[],
  comparison: JudgedComparison,
  logComparisons?: LogsWithComparisons,
): Pick<MethodsSectionSentences, 'design' | 'results' | 'statisticsReferences'> {
  const { metrics } = comparison;
  const isAnyComparisonJudged = [comparison, ...(logComparisons?.comparisons ?? [])].some(
    isFirstMetricJudged,
  );
  const verdicts = metrics.map((judgedMetric, i) => {
    const pieceComparisonSentences = compareOnLogPieces(judgedMetric, methodNames).map(
      ({ sentence: comparisonSentence }) => comparisonSentence,
    );
    const messageSentences = [
      ...describeMetricVerdicts(judgedMetric, methodNames, comparison),
      ...pieceComparisonSentences,
    ];
    const verdictsOnLogs =
      logComparisons === undefined
        ? []
        : describeVerdictsByLog(logComparisons, i, methodNames).map((text) => `\n  - ${text}`);
    return `- ${judgedMetric.metric.label}: ${messageSentences.join(' ')}${verdictsOnLogs.join('')}`;
  });
  return {
    design: [
      methodNames.length === 1
        ? `We simulated one method, ${methodNames[0]}, and measured its ${joinWithAnd(metrics.map(({ metric }) => metric.label))}.`
        : `We compared ${methodNames.length} methods: ${joinWithAnd(methodNames)}; by ${joinWithAnd(metrics.map(describeMetricAndMargin))}.`,
      describeReplications(comparison),
      ...[describeStatisticalRule(comparison)].filter((text) => text !== ''),
      ...listComparisonCaveats(comparison),
      ...(logComparisons === undefined ? [] : describeLogComparisonDesign(logComparisons)),
    ],
    results: [verdicts.join('\n')],
    statisticsReferences: isAnyComparisonJudged
      ? [
          BIBTEX_ENTRY_EDWARDS_HSU_1983,
          ...(isSequentialComparison(comparison)
            ? [BIBTEX_ENTRY_LAI_1976, BIBTEX_ENTRY_WANG_RAMDAS_2023]
            : []),
        ]
      : [],
  };
}

const BIBTEX_ENTRY_EDWARDS_HSU_1983 = formatBibtexEntry('article', 'edwards1983', {
  author: 'Edwards, Don G. and Hsu, Jason C.',
  title: 'Multiple comparisons with the best treatment',
  journal: 'Journal of the American Statistical Association',
  volume: '78',
  number: '384',
  pages: '965--971',
  year: '1983',
});

const BIBTEX_ENTRY_LAI_1976 = formatBibtexEntry('article', 'lai1976', {
  author: 'Lai, Tze Leung',
  title: 'On confidence sequences',
  journal: 'The Annals of Statistics',
  volume: '4',
  number: '2',
  pages: '265--280',
  year: '1976',
});

const BIBTEX_ENTRY_WANG_RAMDAS_2023 = formatBibtexEntry('misc', 'wang2024', {
  author: 'Wang, Hongjian and Ramdas, Aaditya',
  title: 'Anytime-valid t-tests and confidence sequences for {Gaussian} means with unknown variance',
  eprint: '2310.03722',
  archivePrefix: 'arXiv',
  year: '2024',
});

/** BibTeX text of all references. */
function formatBibliography({
  version,
  coreSha256,
  statisticsReferences,
  methodReferences,
  jobs,
}: MethodsSectionFacts): string {
  const bibtexEntryOfGridalloc = formatBibtexEntry('misc', 'gridalloc', {
    key: 'gridalloc',
    title: '{gridalloc}: exact trace-driven simulation of parallel job allocation',
    howpublished: `Version ${version}`,
    note: `SHA-256 of the core: ${coreSha256}`,
  });
  const logs = jobs.flatMap(({ workload: { name: workloadName }, header, sha256 }) =>
    makeBibtexEntriesOfLog({
      name: workloadName,
      header,
      sha256,
      valuesOf: (headerKey) => findHeaderFieldValues(header, headerKey),
    }),
  );
  return [...new Set([bibtexEntryOfGridalloc, ...logs, ...methodReferences, ...statisticsReferences])].join(
    '\n\n',
  );
}

/** Methods section as Markdown. */
export function formatMethodsSection(facts: MethodsSectionFacts): string {
  const { jobs, settings, version, coreSha256, command, design, results, remarks } = facts;
  return [
    '# Methods',
    [...jobs.map(describeSimulatedJobs), ...settings].join(' '),
    `We used gridalloc ${version}, a trace-driven simulator whose results are the same on every machine (core ${coreSha256.slice(0, 12)}).`,
    ...design,
    ...remarks,
    '# Results',
    ...results,
    '# Again',
    `    ${command}`,
    '# To cite',
    jobs.map(citeLogSource).join('\n\n'),
    `\`\`\`bibtex\n${formatBibliography(facts)}\n\`\`\``,
  ]
    .join('\n\n')
    .concat('\n');
}
