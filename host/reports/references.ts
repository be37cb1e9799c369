/**
 * BibTeX references for the simulated disciplines, orders, policies, estimates, models, logs and
 * perturbations.
 */
import { printPolicy } from '../core/policies.js';
import { makePrintableSourceName } from '../format/text.js';
import { type Configuration, isBackfillingDiscipline, isPolicyUsed } from '../options/configuration.js';
import { printOptionSettings } from '../options/document.js';
import type { OptionStrings, Settings } from '../options/options.js';
import { printOrder } from '../options/order.js';
import { isCodeFileName } from '../providedCode.js';
import type { TraceHeader } from '../trace/trace.js';
import { isModelNotation } from '../workload/models.js';

/** BibTeX entry of a kind with a key and fields. */
export function formatBibtexEntry(
  entryType: string,
  citationKey: string,
  bibtexFields: Readonly<Record<string, string>>,
): string {
  const lines = Object.entries(bibtexFields).map(([name, valueText]) => `  ${name} = {${valueText}}`);
  return `@${entryType}{${citationKey},\n${lines.join(',\n')}\n}`;
}

const JSSPP_WORKSHOP_NAME = 'Job Scheduling Strategies for Parallel Processing';
const TPDS_JOURNAL_NAME = 'IEEE Transactions on Parallel and Distributed Systems';

/** Cited papers by BibTeX key. */
const CITED_WORK_ENTRIES = {
  lifka1995: formatBibtexEntry('inproceedings', 'lifka1995', {
    author: 'Lifka, David A.',
    title: 'The {ANL/IBM} {SP} scheduling system',
    booktitle: JSSPP_WORKSHOP_NAME,
    series: 'Lecture Notes in Computer Science',
    volume: '949',
    pages: '295--303',
    publisher: 'Springer',
    year: '1995',
  }),
  mualem2001: formatBibtexEntry('article', 'mualem2001', {
    author: "Mu'alem, Ahuva W. and Feitelson, Dror G.",
    title:
      'Utilization, predictability, workloads, and user runtime estimates in scheduling the {IBM} {SP2} with backfilling',
    journal: TPDS_JOURNAL_NAME,
    volume: '12',
    number: '6',
    pages: '529--543',
    year: '2001',
  }),
  tsafrir2007: formatBibtexEntry('article', 'tsafrir2007', {
    author: 'Tsafrir, Dan and Etsion, Yoav and Feitelson, Dror G.',
    title: 'Backfilling using system-generated predictions rather than user runtime estimates',
    journal: TPDS_JOURNAL_NAME,
    volume: '18',
    number: '6',
    pages: '789--803',
    year: '2007',
  }),
  carastan2017: formatBibtexEntry('inproceedings', 'carastan2017', {
    author: 'Carastan-Santos, Danilo and de Camargo, Raphael Y.',
    title: 'Obtaining dynamic scheduling policies with simulation and machine learning',
    booktitle:
      'Proceedings of the International Conference for High Performance Computing, Networking, Storage and Analysis (SC)',
    year: '2017',
  }),
  tang2009: formatBibtexEntry('inproceedings', 'tang2009', {
    author: 'Tang, Wei and Lan, Zhiling and Desai, Narayan and Buettner, Daniel',
    title: 'Fault-aware, utility-based job scheduling on {Blue} {Gene/P} systems',
    booktitle: 'IEEE International Conference on Cluster Computing',
    year: '2009',
  }),
  yoo2003: formatBibtexEntry('inproceedings', 'yoo2003', {
    author: 'Yoo, Andy B. and Jette, Morris A. and Grondona, Mark',
    title: '{SLURM}: Simple {Linux} utility for resource management',
    booktitle: JSSPP_WORKSHOP_NAME,
    series: 'Lecture Notes in Computer Science',
    volume: '2862',
    pages: '44--60',
    publisher: 'Springer',
    year: '2003',
  }),
  shih2010: formatBibtexEntry('article', 'shih2010', {
    author: 'Shih, Po-Chi and Huang, Kuo-Chan and Chung, Yeh-Ching',
    title:
      'Improving grid performance through processor allocation considering both speed heterogeneity and resource fragmentation',
    journal: 'The Journal of Supercomputing',
    note: 'Published online 11 August 2010',
    year: '2010',
  }),
  huang2007: formatBibtexEntry('inproceedings', 'huang2007', {
    author: 'Huang, Kuo-Chan and Shih, Po-Chi and Chung, Yeh-Ching',
    title: 'Towards feasible and effective load sharing in a heterogeneous computational grid',
    booktitle: 'International Conference on Grid and Pervasive Computing (GPC)',
    year: '2007',
  }),
  huang2009: formatBibtexEntry('article', 'huang2009', {
    author: 'Huang, Kuo-Chan and Shih, Po-Chi and Chung, Yeh-Ching',
    title: 'Adaptive processor allocation for moldable jobs in computational grid',
    journal: 'International Journal of Grid and High Performance Computing',
    volume: '1',
    number: '1',
    pages: '10--21',
    year: '2009',
  }),
  zhang2006: formatBibtexEntry('inproceedings', 'zhang2006', {
    author: 'Zhang, Weizhe and Cheng, Albert M. K. and Hu, Mingzeng',
    title: 'Multisite co-allocation algorithms for computational grid',
    booktitle: 'International Parallel and Distributed Processing Symposium (IPDPS)',
    year: '2006',
  }),
  downey1997: formatBibtexEntry('techreport', 'downey1997', {
    author: 'Downey, Allen B.',
    title: 'A model for speedup of parallel programs',
    institution: 'University of California, Berkeley',
    number: 'UCB/CSD-97-933',
    year: '1997',
  }),
  lublin2003: formatBibtexEntry('article', 'lublin2003', {
    author: 'Lublin, Uri and Feitelson, Dror G.',
    title: 'The workload on parallel supercomputers: modeling the characteristics of rigid jobs',
    journal: 'Journal of Parallel and Distributed Computing',
    volume: '63',
    number: '11',
    pages: '1105--1122',
    year: '2003',
  }),
  feitelson1996: formatBibtexEntry('inproceedings', 'feitelson1996', {
    author: 'Feitelson, Dror G.',
    title: 'Packing schemes for gang scheduling',
    booktitle: JSSPP_WORKSHOP_NAME,
    series: 'Lecture Notes in Computer Science',
    volume: '1162',
    pages: '89--110',
    publisher: 'Springer',
    year: '1996',
  }),
  shaking2007: formatBibtexEntry('inproceedings', 'shaking2007', {
    author: 'Tsafrir, Dan and Ouaknine, Keren and Feitelson, Dror G.',
    title: 'Reducing performance evaluation sensitivity and variability by input shaking',
    booktitle:
      'International Symposium on Modeling, Analysis, and Simulation of Computer and Telecommunication Systems (MASCOTS)',
    year: '2007',
  }),
  zakay2014: formatBibtexEntry('article', 'zakay2014', {
    author: 'Zakay, Netanel and Feitelson, Dror G.',
    title: 'Workload resampling for performance evaluation of parallel job schedulers',
    journal: 'Concurrency and Computation: Practice and Experience',
    volume: '26',
    number: '12',
    pages: '2079--2105',
    year: '2014',
  }),
  archive2014: formatBibtexEntry('article', 'archive2014', {
    author: 'Feitelson, Dror G. and Tsafrir, Dan and Krakov, David',
    title: 'Experience with using the {Parallel} {Workloads} {Archive}',
    journal: 'Journal of Parallel and Distributed Computing',
    volume: '74',
    number: '10',
    pages: '2967--2982',
    year: '2014',
  }),
} as const;

type CitationKey = keyof typeof CITED_WORK_ENTRIES;

/** Allocation policies that are not methods of Shih et al. 2010. */
const UNCITED_POLICIES = ['best-fit', 'fastest-first', 'first-fit', 'worst-fit', 'random', 'dynamic'];

/** Configuration of a run with its option texts, for choosing citations. */
interface RunToCite extends Configuration {
  /** Job options as texts by name. */
  readonly texts: OptionStrings;
}

const listOrderTextsOfRun = ({ order, backfillOrder }: Configuration) =>
  [order, backfillOrder].map((eachOrder) => printOrder(eachOrder));

const hasMultipleSites = ({ grid }: Configuration) => grid.capacities.length > 1;

/** Citation keys, each with a test whether a run uses the rules of that paper. */
const CITATION_CONDITIONS: readonly (readonly [
  key: CitationKey,
  applies: (citedRun: RunToCite) => boolean,
])[] = [
  ['lifka1995', ({ discipline }) => discipline === 'easy'],
  ['mualem2001', ({ discipline }) => isBackfillingDiscipline(discipline)],
  [
    'tsafrir2007',
    (citedRun) =>
      isBackfillingDiscipline(citedRun.discipline) &&
      (/^recent/.test(citedRun.texts.estimates ?? '') || printOrder(citedRun.backfillOrder) === 'shortest'),
  ],
  [
    'carastan2017',
    (citedRun) => listOrderTextsOfRun(citedRun).some((orderName) => /^f[1-4]$/.test(orderName)),
  ],
  ['tang2009', (citedRun) => listOrderTextsOfRun(citedRun).includes('wfp3')],
  ['yoo2003', ({ planBy }) => planBy === 'node'],
  [
    'huang2007',
    ({ reclaim, multiSite, texts: optionTexts }) =>
      reclaim || multiSite !== 'none' || optionTexts.preset === 'huang2007',
  ],
  ['huang2009', ({ moldable }) => moldable !== 'none'],
  [
    'zhang2006',
    (citedRun) =>
      isBackfillingDiscipline(citedRun.discipline) &&
      hasMultipleSites(citedRun) &&
      (citedRun.multiSiteFactor > 0 || citedRun.select !== 'none'),
  ],
  ['downey1997', ({ moldable, speedup }) => moldable !== 'none' && speedup !== 'linear'],
  ['shaking2007', ({ texts: optionTexts }) => /shake/.test(optionTexts.perturb ?? '')],
  ['zakay2014', ({ texts: optionTexts }) => /resample/.test(optionTexts.perturb ?? '')],
  [
    'shih2010',
    (citedRun) =>
      citedRun.texts.preset === 'shih2010' ||
      (hasMultipleSites(citedRun) &&
        isPolicyUsed(citedRun) &&
        !UNCITED_POLICIES.includes(citedRun.policy.declaration.name) &&
        !isCodeFileName(printPolicy(citedRun.policy))),
  ],
];

/** Papers of workload models, by a pattern of the model's notation. */
const MODEL_CITATIONS: readonly (readonly [name: RegExp, key: CitationKey])[] = [
  [/^lublin99/, 'lublin2003'],
  [/^feitelson96/, 'feitelson1996'],
];

/** Simulated setting, for choosing citations. */
export interface SettingToCite {
  readonly settings: Settings;
  readonly configurations: readonly Configuration[];
  /** Perturbation of replications, as in `--perturb`; empty if there is none. */
  readonly perturb: string;
}

/** BibTeX keys of the papers on a simulated setting. */
function findCitationKeys({ settings, configurations, perturb }: SettingToCite): CitationKey[] {
  const { workload, ...otherSettings } = settings;
  const citationKeysOfModels = MODEL_CITATIONS.flatMap(([modelPattern, key]) =>
    modelPattern.test(workload) ? [key] : [],
  );
  const citationKeysOfRuns = configurations.flatMap((configuration) => {
    const { labels } = configuration;
    const estimates = labels?.estimates === undefined ? {} : { estimates: labels.estimates };
    const citedRun = {
      ...configuration,
      texts: { ...printOptionSettings(otherSettings), ...estimates, perturb },
    };
    return CITATION_CONDITIONS.flatMap(([key, applies]) => (applies(citedRun) ? [key] : []));
  });
  return [...citationKeysOfModels, ...citationKeysOfRuns];
}

/** BibTeX entries of the papers on several settings, each once, ordered by key. */
export function makeBibtexEntriesOfSettings(settings: readonly SettingToCite[]): string[] {
  const citationKeys = new Set(settings.flatMap(findCitationKeys));
  return (Object.keys(CITED_WORK_ENTRIES) as CitationKey[]).flatMap((key) =>
    citationKeys.has(key) ? [CITED_WORK_ENTRIES[key]] : [],
  );
}

const BIBTEX_SPECIAL_PATTERN = /[\\{}$&#^_%~]/g;

/** Escapes header text for BibTeX. */
const escapeBibtex = (fieldText: string) =>
  fieldText.replaceAll(BIBTEX_SPECIAL_PATTERN, (sign) => (/[&#_%$]/.test(sign) ? `\\${sign}` : ' '));

/** Fields of a log that identify it in a reference. */
interface LogToCite {
  readonly name: string;
  readonly header: TraceHeader;
  readonly sha256: string;
  /** Returns all values of a header field. */
  readonly valuesOf: (key: string) => readonly string[];
}

/** BibTeX entries of a log and its archive; empty for a model. */
export function makeBibtexEntriesOfLog({ name: logName, header, sha256, valuesOf }: LogToCite): string[] {
  if (isModelNotation(logName)) return [];
  const [computer] = valuesOf('Computer');
  const [installation] = valuesOf('Installation');
  const machineName = [computer, installation].filter((part) => part !== undefined).join(' of ');
  const file = makePrintableSourceName(logName).replace(/^.*[/\\]/s, '');
  const acknowledgedPeople = valuesOf('Acknowledge');
  const pages = header.lines.flatMap((line) => line.match(/https?:\/\/[^\s,;)]+/g) ?? []);
  const citationKey = `log-${file.replaceAll(/[^A-Za-z0-9]+/g, '-')}`;
  const bibtexEntry = formatBibtexEntry('misc', citationKey, {
    key: escapeBibtex(file),
    title: `{${escapeBibtex(machineName === '' ? `Job log ${file}` : `Job log of ${machineName}`)}}`,
    ...(pages.length === 0
      ? {}
      : { howpublished: [...new Set(pages)].map((pageUrl) => `\\url{${pageUrl}}`).join(', ') }),
    note: escapeBibtex(
      `${file}, SHA-256 of the jobs ${sha256.slice(0, 12)}${acknowledgedPeople.length === 0 ? '' : `; its header acknowledges ${acknowledgedPeople.join(', ')}`}`,
    ),
  });
  return [
    bibtexEntry,
    ...(pages.some((pageUrl) => /huji\.ac\.il/.test(pageUrl)) ? [CITED_WORK_ENTRIES.archive2014] : []),
  ];
}
