/** Reported results of the folder that the page shows: verdicts and tables. */
import { formatVerdictCounts, VERDICT_SIGNS } from '../../../host/view/report.js';
import {
  addColumnFormats,
  formatCellPart,
  formatColumnTitleWithUnit,
  type Table,
  toDetailedCell,
} from '../../../host/view/table.js';
import type { ReportedFolderResults } from '../assets.js';
import { createElement, labelTableCells } from '../dom.js';

/** Number of tables that are open at first. */
const INITIALLY_OPEN_TABLE_COUNT = 1;

function createResultTable(inputTable: Table, tableIndex: number): HTMLElement {
  const {
    id,
    title: tableTitle,
    caption,
    columns: tableColumns,
    rows: tableRows,
  } = addColumnFormats(inputTable);
  const createRowCells = (cellRow: Table['rows'][number]) =>
    cellRow.map((cell, i) => {
      const { value: cellValue, low, high, sign: cellSign, isEmphasized = false } = toDetailedCell(cell);
      const { format, isHeading = false } = tableColumns[i] ?? {};
      const boundsText =
        low === undefined ? '' : ` ${formatCellPart(low, format)} to ${formatCellPart(high, format)}`;
      const cellParts = [
        cellValue === null && cellSign !== undefined ? '' : formatCellPart(cellValue, format),
        boundsText !== '' && createElement('small', {}, boundsText),
        cellSign !== undefined &&
          createElement('span', { className: 'mark', title: cellSign.meaning }, ` ${cellSign.mark}`),
      ];
      return isHeading
        ? createElement('th', { scope: 'row' }, ...cellParts)
        : createElement('td', { className: isEmphasized ? 'best' : '' }, ...cellParts);
    });
  const headRow = createElement(
    'tr',
    {},
    ...tableColumns.map((tableColumn) =>
      createElement('th', { scope: 'col' }, formatColumnTitleWithUnit(tableColumn)),
    ),
  );
  const table = labelTableCells(
    createElement(
      'table',
      {},
      createElement('thead', {}, headRow),
      createElement(
        'tbody',
        {},
        ...tableRows.map((cellRow) => createElement('tr', {}, ...createRowCells(cellRow))),
      ),
    ),
  );
  const tableTitleOrId = tableTitle === '' ? id : tableTitle;
  return createElement(
    'details',
    { open: tableIndex < INITIALLY_OPEN_TABLE_COUNT },
    createElement('summary', {}, tableTitleOrId),
    caption !== '' && createElement('p', { className: 'hint' }, caption),
    createElement(
      'div',
      { className: 'scroll', tabIndex: 0, role: 'region', 'aria-label': tableTitleOrId },
      table,
    ),
  );
}

/** Creates the panel; hidden if the page shows no folder. */
export function createFolderResultsPanel({ results, hasReport = false }: ReportedFolderResults): HTMLElement {
  const { title: reportTitle = '', highlights = [], checks = [], tables = [] } = results ?? {};
  const link = createElement(
    'a',
    { href: 'report.html', target: '_blank', rel: 'noopener' },
    'Open the report of this folder',
  );
  return createElement(
    'section',
    { className: 'card wide results', id: 'results', hidden: results === undefined && !hasReport },
    createElement('h2', {}, 'Results', reportTitle !== '' && createElement('small', {}, ` ${reportTitle}`)),
    createElement(
      'p',
      {},
      highlights.map(({ label: factLabel, value: factValue }) => `${factLabel}: ${factValue}`).join('; '),
      highlights.length > 0 && '. ',
      hasReport && link,
    ),
    checks.length > 0 &&
      createElement(
        'details',
        { open: true },
        createElement('summary', {}, `Checks: ${formatVerdictCounts(checks)}`),
        createElement(
          'ul',
          { className: 'checks' },
          ...checks.map(({ sentence: checkSentence, verdict, evidence }) =>
            createElement(
              'li',
              { className: verdict },
              `${VERDICT_SIGNS[verdict]} ${checkSentence} `,
              createElement('small', {}, `${verdict}${evidence === '' ? '' : `: ${evidence}`}`),
            ),
          ),
        ),
      ),
    ...tables.map(createResultTable),
  );
}
