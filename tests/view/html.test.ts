import { expect, test } from 'vitest';
import { findCommonColumnFormat, formatValue } from '../../host/format/numbers.js';
import { renderReportPage } from '../../host/view/html.js';
import { REPORT_STYLE_SHEET } from '../../host/view/htmlStyle.js';
import { makeTableHtml } from '../../host/view/htmlTable.js';
import { formatReport, type Report } from '../../host/view/report.js';
import { drawReport } from '../../host/view/reportFolder.js';
import type { DetailedCell, Table, TableCell } from '../../host/view/table.js';
import { makeTerminalColors } from '../../host/view/terminal.js';
import { findExternalAddresses, parseMarkup } from '../draw/wellFormed.js';

const HOSTILE_HTML_TEXT = `<script src="http://evil">&amp;'"</script>`;

function makeTable(changes: Partial<Table> = {}): Table {
  return {
    id: 'table1',
    title: 'Table 1',
    caption: 'A caption.',
    columns: [
      { title: 'name', isHeading: true },
      { title: 'value', unit: 's', format: { style: 'fixed', decimals: 1 } },
    ],
    rows: [
      ['first', 1],
      ['second', -2.55],
      ['third', null],
    ],
    ...changes,
  };
}

function makeReport(changes: Partial<Report> = {}): Report {
  return {
    title: 'A study',
    description: 'One.\n\nTwo.',
    source: 'Shih et al. 2010',
    highlights: [{ label: 'runs', value: '8' }],
    tables: [makeTable()],
    figures: [],
    checks: [
      { sentence: 'a beats b', verdict: 'confirmed', evidence: '1 against 2' },
      { sentence: 'b beats a', verdict: 'contradicted', evidence: '' },
    ],
    notes: [{ rule: 'a rule', effect: 'its effect' }],
    commands: ['gridalloc study run x'],
    environment: [{ label: 'gridalloc', value: '0.1.0' }],
    files: [
      { path: 'results.csv', meaning: 'every run' },
      { path: 'tables/table1.csv', meaning: 'CSV' },
    ],
    ...changes,
  };
}

const figurePicture = {
  id: 'fig',
  title: 'Fig.',
  caption: 'Seen.',
  svg: '<svg><title id="fig-title">Fig.</title></svg>',
};

test('the page is well-formed, fetches nothing, and its table of contents leads to existing sections', () => {
  const page = renderReportPage(makeReport(), [figurePicture]);
  const markup = parseMarkup(page);
  expect(findExternalAddresses(markup)).toEqual([]);
  expect(page).not.toMatch(/@import|url\(|https?:/);
  expect(new Set(markup.ids).size).toBe(markup.ids.length);
  const links = markup.attributes.filter(
    ({ element, name: attributeName }) => element === 'a' && attributeName === 'href',
  );
  expect(links.length).toBeGreaterThan(8);
  for (const { value: attributeValue } of links) {
    if (attributeValue.startsWith('#')) expect(markup.ids).toContain(attributeValue.slice(1));
  }
  const linkedFiles = links.flatMap(({ value: attributeValue }) =>
    attributeValue.startsWith('#') ? [] : [attributeValue],
  );
  expect(linkedFiles).toEqual(['figures/fig.svg', 'figures/fig.pdf', 'tables/table1.csv', 'results.csv']);
  for (const { value: attributeValue } of markup.attributes.filter(
    ({ name: attributeName }) => attributeName === 'aria-labelledby',
  )) {
    expect(markup.ids).toContain(attributeValue);
  }
  for (const words of [
    'One.',
    'Two.',
    '✓ confirmed',
    '✗ contradicted',
    'Checks: 1 confirmed, 1 contradicted',
    'its effect',
  ]) {
    expect(markup.text).toContain(words);
  }
  expect(renderReportPage(makeReport(), [figurePicture])).toBe(page);
});

test('the terminal says whether checks are confirmed, and what the signs mean', () => {
  const colors = makeTerminalColors(false);
  const rows = [['x', { value: 2, published: 2, low: 1, high: 3, isInside: true }]];
  const reportText = formatReport(makeReport({ tables: [makeTable({ rows })] }), colors);
  expect(reportText).toContain('✓ confirmed     a beats b: 1 against 2');
  expect(reportText).toContain('✗ contradicted  b beats a');
  expect(reportText).toContain('\n✓ inside, ✗ outside');
});

test('an empty section is left out', () => {
  const { ids } = parseMarkup(renderReportPage(makeReport({ checks: [], notes: [], tables: [] }), []));
  expect(ids).toEqual(['part-summary', 'part-reproduce', 'part-data', 'part-environment']);
});

test('text from anywhere never becomes markup', () => {
  const reportOfHostileTexts = JSON.parse(
    JSON.stringify(
      makeReport({ tables: [makeTable({ rows: [['x', { value: 'x', published: 'x', note: 'x' }]] })] }),
    ),
    (key, value) => (typeof value === 'string' && !['id', 'style'].includes(key) ? HOSTILE_HTML_TEXT : value),
  ) as Report;
  const page = renderReportPage(reportOfHostileTexts, [
    { ...figurePicture, title: HOSTILE_HTML_TEXT, caption: HOSTILE_HTML_TEXT },
  ]);
  const markup = parseMarkup(page);
  expect(markup.elements.filter((name) => name === 'script')).toHaveLength(1);
  expect(findExternalAddresses(markup)).toEqual([]);
  expect(page.split('&lt;script src=').length).toBeGreaterThan(20);
});

test('a plain table has one cell per column, headings with scope, numbers in their format', () => {
  const html = makeTableHtml(makeTable());
  parseMarkup(html);
  expect(html).toContain('<th scope="col" class="right">value <span class="unit">[s]</span></th>');
  expect(html).toContain(
    '<th scope="row" class="left">second</th><td class="right" data-value="-2.55">\u22122.6</td>',
  );
  expect(html).toContain('<td class="right">\u2013</td>');
});

const cell: DetailedCell = { value: 2, published: 3, low: 1, high: 2.5, isInside: false };

test('a narrow comparison is in columns: published, mean, min, max, and a mark with a word', () => {
  const html = makeTableHtml(makeTable({ rows: [['x', cell]] }));
  expect(parseMarkup(html).text).toContain(
    '0 of 1 published values lie inside the range of the replications',
  );
  const row = html.slice(html.indexOf('<tbody>'));
  expect([...row.matchAll(/>([\d.]+)</g)].map(([, number]) => number)).toEqual(['3.0', '2.0', '1.0', '2.5']);
  expect(row).toContain('✗</span><span class="spoken"> outside</span>');
  expect(html).toContain('colspan="4"');
});

test('a wide comparison is in lines, one group per row', () => {
  const columns = [{ title: 'RC', isHeading: true }, ...'abcdefgh'.split('').map((title) => ({ title }))];
  const makeRow = (rowName: string): TableCell[] => [
    rowName,
    ...Array.from({ length: 8 }, () => ({ ...cell, isInside: true })),
  ];
  const html = makeTableHtml(makeTable({ columns, rows: [makeRow('100'), makeRow('75')] }));
  parseMarkup(html);
  expect(html.match(/<tbody>/g)).toHaveLength(2);
  expect(html).toContain('rowspan="4">100</th>');
  for (const textPart of ['published', 'mean', 'min', 'max']) {
    expect(html.match(new RegExp(`<th scope="row" class="left part">${textPart}</th>`, 'g'))).toHaveLength(2);
  }
  expect(html).toContain('16 of 16 published values');
});

test('without ranges a mark says whether the value is reproduced', () => {
  const html = makeTableHtml(makeTable({ rows: [['x', { value: 0.91, published: '0.9', isInside: true }]] }));
  expect(html).toContain('>0.9<span class="in">');
  expect(html).toContain('1 of 1 published values are reproduced');
});

test('a remark is once below the table, however many cells have it', () => {
  const cellWithNote = { value: 1, note: 'mind this' };
  const html = makeTableHtml(
    makeTable({
      rows: [
        ['x', cellWithNote],
        ['y', cellWithNote],
        ['z', { value: 2, note: 'and this' }],
      ],
    }),
  );
  expect(html.match(/mind this/g)).toHaveLength(1);
  expect(html.match(/#note-1-table1"/g)).toHaveLength(2);
  expect(html.match(/#note-2-table1"/g)).toHaveLength(1);
});

test('numbers as text', () => {
  const noBreakSpace = '\u00a0';
  expect(formatValue(-4.734, { style: 'percent' })).toBe(`\u2212473${noBreakSpace}%`);
  expect(formatValue(0.04, { style: 'percent', isSigned: true })).toBe(`+4${noBreakSpace}%`);
  expect(formatValue(-0.0004, { style: 'percent', isSigned: true })).toBe(`0${noBreakSpace}%`);
  expect(formatValue(12345.678, { style: 'measure' })).toBe('12,346');
  expect(formatValue(-12000, { style: 'duration' })).toBe(
    `\u22123${noBreakSpace}h${noBreakSpace}20${noBreakSpace}min`,
  );
  expect(formatValue(1e-7)).toBe('1e-7');
});

test('a column of measures has as many decimals everywhere as help', () => {
  const measure = { style: 'measure' } as const;
  const decimals = (formattedValues: number[]) => findCommonColumnFormat(formattedValues, measure)?.decimals;
  expect(decimals([1, 2, 1.5])).toBe(1);
  expect(decimals([1.244, 0.4])).toBe(3);
  expect(decimals([8, 128])).toBe(0);
  expect(findCommonColumnFormat([0.5, 5000], measure)).toBe(measure);
  expect(findCommonColumnFormat([], measure)).toBe(measure);
});

test('narrow screens have drawings laid out for them, scroll others, and tables have no fixed width', () => {
  const series = [{ name: 'a', points: [{ x: 1, y: 2 }] }];
  const linePicture = { ...figurePicture, kind: 'line', x: { title: 'x' }, y: { title: 'y' } } as const;
  const { pictures } = drawReport(
    makeReport({ figures: [{ ...linePicture, panels: [{ title: '', series }] }] }),
  );
  const page = renderReportPage(makeReport(), pictures);
  expect([...page.matchAll(/<svg[^>]* width="(\d+)"/g)].map(([, width]) => Number(width) < 400)).toEqual([
    false,
    true,
  ]);
  const stylesForNarrowScreens = REPORT_STYLE_SHEET.slice(
    REPORT_STYLE_SHEET.indexOf('@media (max-width: 40rem)'),
    REPORT_STYLE_SHEET.indexOf('@page'),
  );
  expect(stylesForNarrowScreens).toContain('.wide-page:last-child svg { min-width: 44rem; }');
  expect(stylesForNarrowScreens).not.toContain('td.left');
});
