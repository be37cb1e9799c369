/** One page over the reports of several studies. */

import { formatNumber } from '../format/numbers.js';
import { PAGE_FILE } from '../results/resultFolder.js';
import { countedVerdicts, type Report } from './report.js';

/** A study that was run with others. */
export interface ReportedStudy {
  /** Its name, which is that of its folder too. */
  readonly name: string;
  readonly simulations: number;
  readonly report: Report;
}

/**
 * The page over the reports of studies whose folders stand beside it.
 * @param simulations how many different ones they have.
 */
export function collectionReport(
  title: string,
  studies: readonly ReportedStudy[],
  simulations: number,
  command: string,
): Report {
  const asked = studies.reduce((sum, each) => sum + each.simulations, 0);
  return {
    title,
    description: 'Studies that were run together: what several of them simulate has the same id in all.',
    source: '',
    highlights: [
      { label: 'Studies', value: formatNumber(studies.length) },
      { label: 'Simulations', value: formatNumber(simulations) },
      { label: 'Asked for more than once', value: formatNumber(asked - simulations) },
    ],
    tables: [
      {
        id: 'studies',
        title: 'Studies',
        caption: '',
        columns: [
          { title: 'study', isHeading: true },
          { title: 'what it is' },
          { title: 'simulations', format: { style: 'fixed', decimals: 0 } },
          { title: 'checks' },
        ],
        rows: studies.map(({ name, simulations, report }) => [
          name,
          report.title,
          simulations,
          report.checks.length === 0 ? null : countedVerdicts(report.checks),
        ]),
      },
    ],
    figures: [],
    checks: studies.flatMap(({ name, report }) =>
      report.checks.map((check) => ({ ...check, sentence: `${name}: ${check.sentence}` })),
    ),
    notes: [],
    commands: [command],
    environment: [],
    files: studies.map(({ name, report }) => ({ path: `${name}/${PAGE_FILE}`, meaning: report.title })),
  };
}
