/** Sentences for the methods section of a paper, about a comparison over replications, and what it cites. */

import { countOf, formatNumber, formatPercent, listed } from '../format/numbers.js';
import { firstOf } from '../lists.js';
import { isAllDecided, isSequential, type JudgedComparison, type JudgedMetric } from '../runs/comparison.js';
import { type SimulatedJobs, simulatedText, sourceToCite } from './jobsSentences.js';
import { piecesSentence } from './replicationsText.js';
import { verdictNotes, verdictText } from './verdictText.js';

/** The file of the sentences. */
export const METHODS_FILE = 'methods.md';

/** What the sentences are about. */
export interface MethodsFacts {
  /** What was simulated; each log of several. */
  readonly jobs: readonly SimulatedJobs[];
  /** How several logs were simulated, and settings other than the defaults; none where there is nothing to say. */
  readonly settings: readonly string[];
  readonly version: string;
  readonly coreSha256: string;
  /** The command that does it again. */
  readonly command: string;
  /** Paragraphs on what was compared, how often, and how it was judged. */
  readonly design: readonly string[];
  /** Paragraphs or lists on what came out. */
  readonly results: readonly string[];
  /** The papers whose rules judged, as BibTeX. */
  readonly rules: readonly string[];
}

/** By what methods are judged, and how near to the best counts as best. */
function metricText({ metric, within, judgement }: JudgedMetric): string {
  const scale = Math.abs(judgement.methods[judgement.observedBest]!.mean);
  const share = formatPercent(within, 1).replace('.0', '');
  const amount = scale === 0 ? '' : ` (tolerance ${share})`;
  return `${metric.label}${amount}`;
}

/** How many replications there are, and when they were looked at. */
function replicationsText(comparison: JudgedComparison): string {
  const { replications, population, looks } = comparison;
  const count = formatNumber(replications);
  if (population.counted !== undefined)
    return `Every method ran on each of the same ${count} ${population.copies}.`;
  const copies = `${count} ${population.copies} (--perturb ${population.perturb})`;
  if (!isSequential(comparison)) return `Every method ran on the same ${copies}, a number fixed beforehand.`;
  const ended = isAllDecided(comparison) ? 'once no method was undecided' : 'at the most that we allowed';
  return `Every method ran on the same ${copies}; we stopped ${ended}, after ${countOf(looks.length, 'look')}, and the limits hold at all looks together.`;
}

/** The rule by which methods are judged. */
function ruleText(comparison: JudgedComparison): string {
  const { metrics, replications, population } = comparison;
  const { judgement } = firstOf(metrics);
  if (!judgement.isJudged) {
    return `We judged nothing: that takes ${population.fewest} ${population.counted ?? 'replications'} or more.`;
  }
  const limits = isSequential(comparison)
    ? "limits that hold at all looks together, of Student's t mixed over normal effects (Lai 1976; Wang and Ramdas 2024)"
    : replications < 20
      ? "Student's t after Bonferroni"
      : "the wider of Student's t after Bonferroni and the bootstrap-t of the maximum over methods, from 1,999 resamples of whole replications";
  const several = metrics.length > 1 ? ` The ${metrics.length} metrics share the error.` : '';
  return (
    'Methods were compared by paired differences on the same replications, as multiple comparisons with the best (Edwards and ' +
    `Hsu 1983): simultaneous 95 % intervals of the difference between each method and the best of the others, by ${limits}. A method is ` +
    'called worse where its interval lies above 0, the best or as good as the best where it ends below the tolerance, and else ' +
    `undecided.${several}`
  );
}

/** What a comparison over replications says of itself. */
export function comparisonSentences(
  names: readonly string[],
  comparison: JudgedComparison,
): Pick<MethodsFacts, 'design' | 'results' | 'rules'> {
  const { metrics, population, withoutPieces } = comparison;
  const { isJudged } = firstOf(metrics).judgement;
  const verdicts = metrics.map((judged) => {
    const { name, metric, judgement } = judged;
    const said = [
      verdictText(judgement, names, population),
      ...verdictNotes(judgement, names, name, population),
      ...piecesSentence(judged, names),
    ];
    return `- ${metric.label}: ${said.join(' ')}`;
  });
  return {
    design: [
      `We compared ${names.length} methods: ${listed(names)}; by ${listed(metrics.map(metricText))}.`,
      replicationsText(comparison),
      ruleText(comparison),
      ...(isJudged || population.counted === undefined ? [population.caveat] : []),
      ...(withoutPieces === undefined ? [] : [withoutPieces]),
    ],
    results: [verdicts.join('\n')],
    rules: isJudged ? [EDWARDS_HSU, ...(isSequential(comparison) ? [LAI, WANG_RAMDAS] : [])] : [],
  };
}

const EDWARDS_HSU = [
  '@article{edwards1983,',
  '  author = {Edwards, Don G. and Hsu, Jason C.},',
  '  title = {Multiple comparisons with the best treatment},',
  '  journal = {Journal of the American Statistical Association},',
  '  volume = {78}, number = {384}, pages = {965--971}, year = {1983}',
  '}',
].join('\n');

const LAI = [
  '@article{lai1976,',
  '  author = {Lai, Tze Leung},',
  '  title = {On confidence sequences},',
  '  journal = {The Annals of Statistics},',
  '  volume = {4}, number = {2}, pages = {265--280}, year = {1976}',
  '}',
].join('\n');

const WANG_RAMDAS = [
  '@misc{wang2024,',
  '  author = {Wang, Hongjian and Ramdas, Aaditya},',
  '  title = {Anytime-valid t-tests and confidence sequences for Gaussian means with unknown variance},',
  '  eprint = {2310.03722}, archivePrefix = {arXiv}, year = {2024}',
  '}',
].join('\n');

/** What a paper cites, as BibTeX. */
function bibliography({ version, coreSha256, rules }: MethodsFacts): string {
  const own = [
    '@software{gridalloc,',
    '  title = {gridalloc: exact trace-driven simulation of parallel job allocation},',
    `  version = {${version}},`,
    `  note = {SHA-256 of the core: ${coreSha256}}`,
    '}',
  ].join('\n');
  return [own, ...rules].join('\n\n');
}

/** Sentences for a methods section as Markdown. */
export function methodsText(facts: MethodsFacts): string {
  const { jobs, settings, version, coreSha256, command, design, results } = facts;
  return [
    '# Methods',
    [...jobs.map(simulatedText), ...settings].join(' '),
    `We used gridalloc ${version}, a trace-driven simulator whose results are the same on every machine (core ${coreSha256.slice(0, 12)}).`,
    ...design,
    '# Results',
    ...results,
    '# Again',
    `    ${command}`,
    '# To cite',
    jobs.map(sourceToCite).join('\n\n'),
    `\`\`\`bibtex\n${bibliography(facts)}\n\`\`\``,
  ]
    .join('\n\n')
    .concat('\n');
}
