/** Reported results of the folder that the page shows: verdicts and tables. */
import { formatVerdictCounts, VERDICT_SIGNS } from '../../../host/view/report.js';
import {
  addColumnFormats,
  columnTitleWithUnit,
  formatCellPart,
  type Table,
  toDetailedCell,
} from '../../../host/view/table.js';
import type { Results } from '../assets.js';
import { h, labelCells } from '../dom.js';

/** Number of tables that are open at first. */
const OPEN_TABLE_COUNT = 1;

function tableOf(input: Table, place: number): HTMLElement {
  const { id, title, caption, columns, rows } = addColumnFormats(input);
  const cells = (row: Table['rows'][number]) =>
    row.map((cell, i) => {
      const { value, low, high, sign, isEmphasized = false } = toDetailedCell(cell);
      const { format, isHeading = false } = columns[i] ?? {};
      const bounds =
        low === undefined ? '' : ` ${formatCellPart(low, format)} to ${formatCellPart(high, format)}`;
      const words = [
        value === null && sign !== undefined ? '' : formatCellPart(value, format),
        bounds !== '' && h('small', {}, bounds),
        sign !== undefined && h('span', { className: 'mark', title: sign.meaning }, ` ${sign.mark}`),
      ];
      return isHeading
        ? h('th', { scope: 'row' }, ...words)
        : h('td', { className: isEmphasized ? 'best' : '' }, ...words);
    });
  const head = h(
    'tr',
    {},
    ...columns.map((column) => h('th', { scope: 'col' }, columnTitleWithUnit(column))),
  );
  const table = labelCells(
    h('table', {}, h('thead', {}, head), h('tbody', {}, ...rows.map((row) => h('tr', {}, ...cells(row))))),
  );
  const name = title === '' ? id : title;
  return h(
    'details',
    { open: place < OPEN_TABLE_COUNT },
    h('summary', {}, name),
    caption !== '' && h('p', { className: 'hint' }, caption),
    h('div', { className: 'scroll', tabIndex: 0, role: 'region', 'aria-label': name }, table),
  );
}

/** Creates the panel; hidden if the page shows no folder. */
export function resultsPanel({ results, hasReport = false }: Results): HTMLElement {
  const { title = '', highlights = [], checks = [], tables = [] } = results ?? {};
  const link = h(
    'a',
    { href: 'report.html', target: '_blank', rel: 'noopener' },
    'Open the report of this folder',
  );
  return h(
    'section',
    { className: 'card wide results', id: 'results', hidden: results === undefined && !hasReport },
    h('h2', {}, 'Results', title !== '' && h('small', {}, ` ${title}`)),
    h(
      'p',
      {},
      highlights.map(({ label, value }) => `${label}: ${value}`).join('; '),
      highlights.length > 0 && '. ',
      hasReport && link,
    ),
    checks.length > 0 &&
      h(
        'details',
        { open: true },
        h('summary', {}, `Checks: ${formatVerdictCounts(checks)}`),
        h(
          'ul',
          { className: 'checks' },
          ...checks.map(({ sentence, verdict, evidence }) =>
            h(
              'li',
              { className: verdict },
              `${VERDICT_SIGNS[verdict]} ${sentence} `,
              h('small', {}, `${verdict}${evidence === '' ? '' : `: ${evidence}`}`),
            ),
          ),
        ),
      ),
    ...tables.map(tableOf),
  );
}
