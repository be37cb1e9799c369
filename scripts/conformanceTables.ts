/** Generates the tables of docs/conformance.md from the conformance set. */
import { readConformanceSet } from '../host/conformance/conformanceSet.js';

const { rules, cases, habits } = readConformanceSet();

const formatCode = (text: string) => `\`${text}\``;

const formatMarkdownTable = (headings: readonly string[], rows: readonly (readonly string[])[]) =>
  [headings, headings.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** Title of a rule without its part about the timing of passes. */
const removePassesFromTitle = (title: string) => title.replace(/, one pass per .*$/, '');

/**
 * Markdown table of the families of scheduling rules in the conformance set, with their options and timings
 * of passes.
 */
export function makeFamilyTable(): string {
  const ruleFamilies = [...new Set(Object.keys(rules).map((ruleName) => ruleName.split(' ')[0]))];
  const rows = ruleFamilies.map((family) => {
    const rulesOfFamily = Object.entries(rules).filter(([ruleName]) => ruleName.split(' ')[0] === family);
    const [, { title: ruleTitle, options }] = rulesOfFamily[0];
    const timings = rulesOfFamily.flatMap(([ruleName]) => ruleName.split(' ').slice(1)).map(formatCode);
    const optionTexts = Object.entries(options ?? {}).map(([optionName, optionValue]) =>
      formatCode(`--${optionName} ${optionValue}`),
    );
    return [formatCode(family), removePassesFromTitle(ruleTitle), timings.join(', '), optionTexts.join(' ')];
  });
  return formatMarkdownTable(['family', 'is', 'at an instant', 'options of gridalloc'], rows);
}

/** Markdown table of the timings of scheduling passes in the conformance set. */
export function makeTimingTable(): string {
  const rows = Object.entries(rules)
    .filter(([ruleName]) => ruleName.startsWith('easy '))
    .map(([ruleName, { title: ruleTitle, options }]) => {
      const option = options === undefined ? '' : `--instant ${options.instant ?? 'per-event'}`;
      return [
        formatCode(ruleName.split(' ')[1]),
        ruleTitle.replace('EASY, ', ''),
        option === '' ? '' : formatCode(option),
      ];
    });
  return formatMarkdownTable(['word', 'is', 'option of gridalloc'], rows);
}

/** Markdown table of the logs of the conformance set, with the rules that each one distinguishes. */
export function makeCaseTable(): string {
  const caseRows = cases.map(({ name: logName, sites, tells, why }) => [
    ...[formatCode(logName), sites.join(', '), tells.map(formatCode).join(', '), why],
  ]);
  const habitRows = habits.map(({ name: logName, sites, why }) => [
    formatCode(logName),
    sites.join(', '),
    'a habit',
    why,
  ]);
  return formatMarkdownTable(
    ['log', 'processors', 'tells apart', 'what happens'],
    [...caseRows, ...habitRows],
  );
}
