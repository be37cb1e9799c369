/** Generates the tables of docs/conformance.md from the conformance set. */
import { readConformanceSet } from '../host/conformance/conformanceSet.js';

const { rules, cases, habits } = readConformanceSet();

const code = (text: string) => `\`${text}\``;

const table = (heads: readonly string[], rows: readonly (readonly string[])[]) =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** Title without the time of passes. */
const plain = (title: string) => title.replace(/, one pass per .*$/, '');

/** Table of the families of rules, with their options and times of passes. */
export function familyTable(): string {
  const families = [...new Set(Object.keys(rules).map((name) => name.split(' ')[0]))];
  const rows = families.map((family) => {
    const own = Object.entries(rules).filter(([name]) => name.split(' ')[0] === family);
    const [, { title, options }] = own[0];
    const timings = own.flatMap(([name]) => name.split(' ').slice(1)).map(code);
    const words = Object.entries(options ?? {}).map(([name, value]) => code(`--${name} ${value}`));
    return [code(family), plain(title), timings.join(', '), words.join(' ')];
  });
  return table(['family', 'is', 'at an instant', 'options of gridalloc'], rows);
}

/** Table of the times of passes. */
export function timingTable(): string {
  const rows = Object.entries(rules)
    .filter(([name]) => name.startsWith('easy '))
    .map(([name, { title, options }]) => {
      const option = options === undefined ? '' : `--instant ${options.instant ?? 'per-event'}`;
      return [code(name.split(' ')[1]), title.replace('EASY, ', ''), option === '' ? '' : code(option)];
    });
  return table(['word', 'is', 'option of gridalloc'], rows);
}

/** Table of the logs, with the rules that each one distinguishes. */
export function caseTable(): string {
  const texts = cases.map(({ name, sites, tells, why }) => [
    ...[code(name), sites.join(', '), tells.map(code).join(', '), why],
  ]);
  const shown = habits.map(({ name, sites, why }) => [code(name), sites.join(', '), 'a habit', why]);
  return table(['log', 'processors', 'tells apart', 'what happens'], [...texts, ...shown]);
}
