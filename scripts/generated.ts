/**
 * Part of `npm run build`: generates the parts of the docs that follow from the code (options, rules,
 * metrics, commands, exports), and files for editors and other programs.
 */
import { readFileSync } from 'node:fs';
import '../host/files/coreFile.js';
import { coreConstants } from '../host/core/module.js';
import { OPTION_HEADINGS } from '../host/options/kinds.js';
import {
  defaultOptionText,
  findOptionByKey,
  type NamedOption,
  type Naming,
  nameOptionOnCommandLine,
  OPTIONS,
} from '../host/options/options.js';
import type { OptionCondition, OptionRule } from '../host/options/ruleKinds.js';
import { OPTION_RULES } from '../host/options/rules.js';
import { RUN_OPTIONS } from '../host/options/runOptions.js';
import { JOB_METRICS } from '../host/simulate/jobMetrics.js';
import type { Metric } from '../host/simulate/metric.js';
import { METRICS_BY_SUMMARY_PART } from '../host/simulate/metrics.js';
import { STUDY_SCHEMA } from '../host/study/schema.js';
import { ABI_SCHEMA } from './abiSchema.js';
import { callTable, enumerationTable, enumerationTables } from './abiTables.js';
import { writeChanged } from './changed.mjs';
import { commandSections } from './commandPages.js';
import { caseTable, familyTable, timingTable } from './conformanceTables.js';
import { description, header, wrappers } from './contractFiles.js';
import { libraryReference } from './libraryPage.js';
import { studyKeyTables } from './studyKeys.js';
import { SUMMARY_SCHEMA } from './summarySchema.js';

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const formatRow = (cells: readonly string[]) => `| ${cells.join(' | ')} |`.replaceAll(/ {2,}(?=\|)/g, ' ');
  return [formatRow(headings), `|${'---|'.repeat(headings.length)}`, ...rows.map(formatRow)].join('\n');
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
function measuredMetrics(): string {
  const { run, decisions, sites, homes } = METRICS_BY_SUMMARY_PART;
  const namesOf = (metrics: Readonly<Record<string, Metric>>, path: string) =>
    Object.keys(metrics)
      .filter((metricName) => metrics[metricName]!.ofMeasured)
      .map((metricName) => formatCode(path + metricName));
  const names = [
    ...namesOf(run, ''),
    ...namesOf(decisions, 'decisions.'),
    ...namesOf(sites, 'sites[].'),
    ...namesOf(homes, 'homes[].'),
  ];
  return `${names.slice(0, -1).join(',\n')}\nand ${names.at(-1)}.`;
}

/** Table of the metrics of single jobs. */
function jobMetricTable(): string {
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
function coreMetricTable(): string {
  const { Metric } = coreConstants();
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

function optionRow([name, option]: [string, NamedOption]): string[] {
  const { help, choices: optionChoices, isSwitch } = option;
  const words = isSwitch ? '' : (optionChoices ?? []).map(formatCode).join(', ');
  return [formatCode(`--${name}`), words, isSwitch ? '' : (defaultOptionText(option) ?? ''), help];
}

/** Tables of the options by heading. */
function optionTables(): string {
  const options = Object.entries(OPTIONS).filter(([, { key: optionKey }]) => optionKey !== 'workload');
  return OPTION_HEADINGS.map((heading) => {
    const rows = options.filter(([, option]) => option.heading === heading).map(optionRow);
    return `### ${heading}\n\n${table(['option', 'words', 'default', 'meaning'], rows)}`;
  }).join('\n\n');
}

/** Table of the run options in config.json. */
function configTable(): string {
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
function conditionText({ option, is, isGiven, suchThat, readLimit }: OptionCondition): string {
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
function relationText({ needs, excludes = [] }: OptionRule): string {
  if (needs !== undefined) return `needs ${conditionText(needs)}`;
  const maxSites = excludes[0]?.readLimit?.();
  if (maxSites === undefined) return `not with ${excludes.map(conditionText).join(', ')}`;
  return maxSites === 1 ? 'on one site only' : `on at most ${maxSites} sites`;
}

function ruleRow(rule: OptionRule): string[] {
  const { of: ruleSubjects, and = [], why } = rule;
  const subject = [ruleSubjects.map(conditionText).join(', '), ...and.map(conditionText)].join(' with ');
  const inCode: Naming = (...optionNames) => formatCode(nameOptionOnCommandLine(...optionNames));
  const reason = typeof why === 'string' ? why : why(inCode);
  return [subject, relationText(rule), reason];
}

/** Table of options that exclude or need others. */
function ruleTable(): string {
  return table(['option', '', 'since'], OPTION_RULES.map(ruleRow));
}

const PARTS: Readonly<Record<string, Readonly<Record<string, () => string | Promise<string>>>>> = {
  'docs/results.md': {
    metrics: metricTable,
    'measured metrics': measuredMetrics,
    'metrics of every job': jobMetricTable,
    'options of a run': configTable,
  },
  'docs/abi.md': {
    calls: callTable,
    room: () => enumerationTable('Room'),
  },
  'docs/abi-reference.md': {
    status: () => enumerationTable('Status'),
    enumerations: enumerationTables,
    metrics: coreMetricTable,
  },
  'docs/conformance.md': { families: familyTable, timings: timingTable, cases: caseTable },
  'docs/command-line.md': { commands: commandSections, options: optionTables },
  'docs/library-reference.md': { exports: libraryReference },
  'docs/study-files.md': { keys: studyKeyTables },
  'docs/model.md': { 'what goes with what': ruleTable },
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
async function pageText(path: string): Promise<string> {
  let fileText = readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
  for (const [name, makeText] of Object.entries(PARTS[path]!))
    fileText = between(fileText, name, await makeText());
  return fileText;
}

const formatJson = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

/** Files only for editors and other programs: in the package, but not in git. */
const FILES: Readonly<Record<string, () => string>> = {
  'studies/study.schema.json': () => formatJson(STUDY_SCHEMA),
  'docs/summary.schema.json': () => formatJson(SUMMARY_SCHEMA),
  'native/gridalloc.c': wrappers,
  'native/gridalloc.h': header,
  'docs/abi.json': () => formatJson(description()),
  'docs/abi.schema.json': () => formatJson(ABI_SCHEMA),
};

for (const [path, makeText] of Object.entries(FILES)) writeChanged(path, makeText());
for (const path of Object.keys(PARTS)) writeChanged(path, await pageText(path));
