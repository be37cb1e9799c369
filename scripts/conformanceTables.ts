/** Generates the tables of docs/conformance.md from the conformance set. */
import { readConformanceSet } from '../host/conformance/conformanceSet.js';

const { rules, cases, habits } = readConformanceSet();

const code = (text: string) => `\`${text}\``;

const table = (headings: readonly string[], rows: readonly (readonly string[])[]) =>
  [headings, headings.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** Title of a rule without its part about the timing of passes. */
const titleWithoutPasses = (title: string) => title.replace(/, one pass per .*$/, '');

/**
 * Markdown table of the families of scheduling rules in the conformance set, with their options and timings
 * of passes.
 */
export function familyTable(): string {
  const families = [...new Set(Object.keys(rules).map((ruleName) => ruleName.split(' ')[0]))];
  const rows = families.map((family) => {
    const rulesOfFamily = Object.entries(rules).filter(([ruleName]) => ruleName.split(' ')[0] === family);
    const [, { title: ruleTitle, options }] = rulesOfFamily[0];
    const timings = rulesOfFamily.flatMap(([ruleName]) => ruleName.split(' ').slice(1)).map(code);
    const optionTexts = Object.entries(options ?? {}).map(([optionName, optionValue]) =>
      code(`--${optionName} ${optionValue}`),
    );
    return [code(family), titleWithoutPasses(ruleTitle), timings.join(', '), optionTexts.join(' ')];
  });
  return table(['family', 'is', 'at an instant', 'options of gridalloc'], rows);
}

/** Markdown table of the timings of scheduling passes in the conformance set. */
export function timingTable(): string {
  const rows = Object.entries(rules)
    .filter(([ruleName]) => ruleName.startsWith('easy '))
    .map(([ruleName, { title: ruleTitle, options }]) => {
      const option = options === undefined ? '' : `--instant ${options.instant ?? 'per-event'}`;
      return [
        code(ruleName.split(' ')[1]),
        ruleTitle.replace('EASY, ', ''),
        option === '' ? '' : code(option),
      ];
    });
  return table(['word', 'is', 'option of gridalloc'], rows);
}

/** Markdown table of the logs of the conformance set, with the rules that each one distinguishes. */
export function caseTable(): string {
  const caseRows = cases.map(({ name: logName, sites, tells, why }) => [
    ...[code(logName), sites.join(', '), tells.map(code).join(', '), why],
  ]);
  const habitRows = habits.map(({ name: logName, sites, why }) => [
    code(logName),
    sites.join(', '),
    'a habit',
    why,
  ]);
  return table(['log', 'processors', 'tells apart', 'what happens'], [...caseRows, ...habitRows]);
}
