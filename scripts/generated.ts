/**
 * Part of `npm run build`: generates the parts of the docs that follow from the code (options, rules,
 * metrics, commands, exports), and files for editors and other programs.
 */
import { readFileSync } from 'node:fs';
import '../host/files/coreFile.js';
import { loadCoreConstants } from '../host/core/module.js';
import { OPTION_HEADINGS } from '../host/options/kinds.js';
import {
  findOptionByKey,
  type NamedOption,
  type Naming,
  nameOptionOnCommandLine,
  OPTIONS,
  printDefaultOptionText,
} from '../host/options/options.js';
import type { OptionCondition, OptionRule } from '../host/options/ruleKinds.js';
import { OPTION_RULES } from '../host/options/rules.js';
import { RUN_OPTIONS } from '../host/options/runOptions.js';
import { JOB_METRICS } from '../host/simulate/jobMetrics.js';
import type { Metric } from '../host/simulate/metric.js';
import { METRICS_BY_SUMMARY_PART } from '../host/simulate/metrics.js';
import { STUDY_SCHEMA } from '../host/study/schema.js';
import { ABI_SCHEMA } from './abiSchema.js';
import { makeCallTable, makeEnumerationTable, makeEnumerationTables } from './abiTables.js';
import { writeChanged } from './changed.mjs';
import { makeCommandSections } from './commandPages.js';
import { makeCaseTable, makeFamilyTable, makeTimingTable } from './conformanceTables.js';
import { description, formatWrappers, header } from './contractFiles.js';
import { makeLibraryReference } from './libraryPage.js';
import { makeStudyKeyTables } from './studyKeys.js';
import { SUMMARY_SCHEMA } from './summarySchema.js';

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const formatMarkdownRow = (cells: readonly string[]) =>
    `| ${cells.join(' | ')} |`.replaceAll(/ {2,}(?=\|)/g, ' ');
  return [
    formatMarkdownRow(headings),
    `|${'---|'.repeat(headings.length)}`,
    ...rows.map(formatMarkdownRow),
  ].join('\n');
}

const formatCode = (text: string) => `\`${text}\``;

/** Markdown table of the metrics in summary.json. */
function metricTable(): string {
  const { run, decisions, sites, homes } = METRICS_BY_SUMMARY_PART;
  const rowsOf = (metrics: Readonly<Record<string, Metric>>, path = '') =>
    Object.entries(metrics).map(
      ([
        metricName,
        { label: metricLabel, unit: metricUnit, better: betterDirection = '', formula, edges = '' },
      ]) => {
        const labelWithUnit = metricUnit === undefined ? metricLabel : `${metricLabel} [${metricUnit}]`;
        return [formatCode(path + metricName), labelWithUnit, formula, betterDirection, edges];
      },
    );
  return table(
    ['field', 'called', 'formula', 'better', 'edge cases'],
    [
      ...rowsOf(run),
      ...rowsOf(decisions, 'decisions.'),
      ...rowsOf(sites, 'sites[].'),
      ...rowsOf(homes, 'homes[].'),
    ],
  );
}

/** List of the metrics that cover only the measured jobs if warm-up and cool-down are excluded. */
function formatMeasuredMetrics(): string {
  const { run, decisions, sites, homes } = METRICS_BY_SUMMARY_PART;
  const formatMetricNames = (metrics: Readonly<Record<string, Metric>>, path: string) =>
    Object.keys(metrics)
      .filter((metricName) => metrics[metricName]!.ofMeasured)
      .map((metricName) => formatCode(path + metricName));
  const names = [
    ...formatMetricNames(run, ''),
    ...formatMetricNames(decisions, 'decisions.'),
    ...formatMetricNames(sites, 'sites[].'),
    ...formatMetricNames(homes, 'homes[].'),
  ];
  return `${names.slice(0, -1).join(',\n')}\nand ${names.at(-1)}.`;
}

/** Table of the metrics of single jobs. */
function makeJobMetricTable(): string {
  const rows = JOB_METRICS.map(
    ({ name: metricName, label: metricLabel, unit: metricUnit, better: betterDirection = '', formula }) => [
      ...[
        formatCode(metricName),
        metricUnit === undefined ? metricLabel : `${metricLabel} [${metricUnit}]`,
        formula,
        betterDirection,
      ],
    ],
  );
  return table(['name', 'called', 'formula', 'better'], rows);
}

/** Table of the core's metrics by number, with their fields in summary.json. */
function makeCoreMetricTable(): string {
  const { Metric } = loadCoreConstants();
  const { run, decisions } = METRICS_BY_SUMMARY_PART;
  const fields: (readonly [string, Metric])[] = [
    ...Object.entries(run),
    ...Object.entries(decisions).map(([name, metric]) => [`decisions.${name}`, metric] as const),
  ];
  const rows = Object.entries(Metric).map(([name, metricNumber]) => {
    const field = fields.find(([, { core }]) => core === name);
    return [name, String(metricNumber), field === undefined ? 'how many there are' : formatCode(field[0])];
  });
  return table(['name', 'value', 'in summary.json'], rows);
}

function formatOptionRow([name, option]: [string, NamedOption]): string[] {
  const { help, choices: optionChoices, isSwitch } = option;
  const words = isSwitch ? '' : (optionChoices ?? []).map(formatCode).join(', ');
  return [formatCode(`--${name}`), words, isSwitch ? '' : (printDefaultOptionText(option) ?? ''), help];
}

/** Tables of the options by heading. */
function makeOptionTables(): string {
  const options = Object.entries(OPTIONS).filter(([, { key: optionKey }]) => optionKey !== 'workload');
  return OPTION_HEADINGS.map((heading) => {
    const rows = options.filter(([, option]) => option.heading === heading).map(formatOptionRow);
    return `### ${heading}\n\n${table(['option', 'words', 'default', 'meaning'], rows)}`;
  }).join('\n\n');
}

/** Table of the run options in config.json. */
function makeConfigTable(): string {
  const rows = Object.keys(RUN_OPTIONS).map((runOptionKey) => {
    const {
      help,
      choices: optionChoices,
      default: defaultValue,
    } = findOptionByKey(runOptionKey as NamedOption['key']);
    const words =
      optionChoices === undefined ? [] : defaultValue === 'none' ? ['none', ...optionChoices] : optionChoices;
    const list = runOptionKey === 'load' ? '[]' : '';
    return [formatCode(runOptionKey + list), help, words.map(formatCode).join(', ')];
  });
  return table(['field', 'meaning', 'words'], rows);
}

/** Describes an option with some values, or with any but its default. */
function formatCondition({ option, is, isGiven, suchThat, readLimit }: OptionCondition): string {
  if (readLimit?.() === 1) return 'several sites';
  if (isGiven) return formatCode(nameOptionOnCommandLine(option));
  if (suchThat !== undefined) return `${formatCode(nameOptionOnCommandLine(option))} ${suchThat.words}`;
  if (is !== undefined) return formatCode(nameOptionOnCommandLine(option, ...is));
  const { default: defaultValue } = findOptionByKey(option);
  const hasNamedDefault = typeof defaultValue === 'string' && defaultValue !== 'none';
  return (
    formatCode(nameOptionOnCommandLine(option)) + (hasNamedDefault ? ` but ${formatCode(defaultValue)}` : '')
  );
}

/** Sentence of the documentation about the options that a rule between options requires or excludes. */
function formatOptionRelations({ needs, excludes = [] }: OptionRule): string {
  if (needs !== undefined) return `needs ${formatCondition(needs)}`;
  const maxSiteCount = excludes[0]?.readLimit?.();
  if (maxSiteCount === undefined) return `not with ${excludes.map(formatCondition).join(', ')}`;
  return maxSiteCount === 1 ? 'on one site only' : `on at most ${maxSiteCount} sites`;
}

function formatRuleRow(rule: OptionRule): string[] {
  const { of: ruleSubjects, and = [], why } = rule;
  const subject = [ruleSubjects.map(formatCondition).join(', '), ...and.map(formatCondition)].join(' with ');
  const nameOptionAsCode: Naming = (...optionNames) => formatCode(nameOptionOnCommandLine(...optionNames));
  const reason = typeof why === 'string' ? why : why(nameOptionAsCode);
  return [subject, formatOptionRelations(rule), reason];
}

/** Table of options that exclude or need others. */
function makeRuleTable(): string {
  return table(['option', '', 'since'], OPTION_RULES.map(formatRuleRow));
}

const GENERATED_PARTS_BY_PAGE: Readonly<
  Record<string, Readonly<Record<string, () => string | Promise<string>>>>
> = {
  'docs/results.md': {
    metrics: metricTable,
    'measured metrics': formatMeasuredMetrics,
    'metrics of every job': makeJobMetricTable,
    'options of a run': makeConfigTable,
  },
  'docs/abi.md': {
    calls: makeCallTable,
    room: () => makeEnumerationTable('Room'),
  },
  'docs/abi-reference.md': {
    status: () => makeEnumerationTable('Status'),
    enumerations: makeEnumerationTables,
    metrics: makeCoreMetricTable,
  },
  'docs/conformance.md': { families: makeFamilyTable, timings: makeTimingTable, cases: makeCaseTable },
  'docs/command-line.md': { commands: makeCommandSections, options: makeOptionTables },
  'docs/library-reference.md': { exports: makeLibraryReference },
  'docs/study-files.md': { keys: makeStudyKeyTables },
  'docs/model.md': { 'what goes with what': makeRuleTable },
};

function between(text: string, name: string, generatedText: string): string {
  const beginMark = `<!-- ${name}: generated by npm run build -->\n`;
  const endMark = `<!-- end of ${name} -->`;
  const beginIndex = text.indexOf(beginMark);
  const endIndex = text.indexOf(endMark);
  if (beginIndex < 0 || endIndex < beginIndex) throw new Error(`there is no place for '${name}'`);
  return `${text.slice(0, beginIndex + beginMark.length)}\n${generatedText}\n\n${text.slice(endIndex)}`;
}

/** Returns a page with its generated parts updated. */
async function makePageText(path: string): Promise<string> {
  let fileText = readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
  for (const [name, makeText] of Object.entries(GENERATED_PARTS_BY_PAGE[path]!))
    fileText = between(fileText, name, await makeText());
  return fileText;
}

const formatJson = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

/** Files only for editors and other programs: in the package, but not in git. */
const GENERATED_FILES: Readonly<Record<string, () => string>> = {
  'studies/study.schema.json': () => formatJson(STUDY_SCHEMA),
  'docs/summary.schema.json': () => formatJson(SUMMARY_SCHEMA),
  'native/gridalloc.c': formatWrappers,
  'native/gridalloc.h': header,
  'docs/abi.json': () => formatJson(description()),
  'docs/abi.schema.json': () => formatJson(ABI_SCHEMA),
};

for (const [path, makeText] of Object.entries(GENERATED_FILES)) writeChanged(path, makeText());
for (const path of Object.keys(GENERATED_PARTS_BY_PAGE)) writeChanged(path, await makePageText(path));
