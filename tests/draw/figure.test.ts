import { expect, test } from 'vitest';
import { drawFigureSvg } from '../../host/draw/figure.js';
import type { Figure } from '../../host/draw/figureModel.js';
import {
  assignPageWideSeriesLooks,
  makeFigureSeriesLooks,
  plotPointsOfPanel,
} from '../../host/draw/figureModel.js';
import { makeSeriesLooks } from '../../host/draw/palette.js';
import { breakTextIntoLines, estimateTextWidth } from '../../host/draw/svg.js';
import { findExternalAddresses, parseMarkup } from './wellFormed.js';

const HOSTILE_MARKUP = `<b onload="x">&amp;'"\u0000</b>`;

function makeFigure(changes: Partial<Figure> = {}, series = 3, hasAxisRange = true): Figure {
  const makePanel = (title: string) => ({
    title,
    series: Array.from({ length: series }, (_, s) => ({
      name: `method ${s}`,
      points: [0, 0.06, 0.12].map((x, i) => {
        const y = 100 * (s + 1) + 10 * i;
        return hasAxisRange ? { x, y, low: y - 5, high: y + 7 } : { x, y };
      }),
    })),
  });
  return {
    id: 'fig',
    title: 'A figure',
    caption: 'What is seen.',
    kind: 'line',
    x: { title: 'heterogeneity' },
    y: { title: 'response', unit: 's' },
    panels: ['(a)', '(b)', '(c)', '(d)', '(e)'].map(makePanel),
    ...changes,
  };
}

test.each(['line', 'step', 'bar', 'dots'] as const)(
  'a %s figure is well-formed and fetches nothing',
  (figureKind) => {
    const svg = drawFigureSvg(makeFigure({ kind: figureKind }));
    const markup = parseMarkup(svg);
    expect(findExternalAddresses(markup)).toEqual([]);
    expect(svg).not.toMatch(/url\((?!#)/);
    expect(markup.elements.slice(0, 3)).toEqual(['svg', 'title', 'desc']);
    expect(new Set(markup.ids).size).toBe(markup.ids.length);
    for (const words of [
      'A figure',
      'What is seen.',
      '(a)',
      '(e)',
      'method 2',
      ...(figureKind === 'dots' ? ['0.06'] : ['heterogeneity']),
      'response [s]',
    ]) {
      expect(markup.text).toContain(words);
    }
  },
);

/** Makes a figure of response times in seconds, or of differences between them. */
const makeFigureInSeconds = (
  figureKind: Figure['kind'],
  secondsValues: readonly number[],
  scale: 'linear' | 'log' = 'linear',
) =>
  makeFigure({
    kind: figureKind,
    y: { title: 'response', unit: 's', scale },
    panels: [
      {
        title: '',
        series: [
          {
            name: 'a',
            points: secondsValues.map((y, x) => ({
              x: figureKind === 'line' || figureKind === 'step' ? x : `${x}`,
              y,
            })),
          },
        ],
      },
    ],
  });

const findTextsOfSvg = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text);

test.each(['line', 'step', 'bar', 'dots'] as const)(
  'an axis of times counts minutes and hours from ten minutes on, and then names no unit: %s',
  (figureKind) => {
    for (const values of [
      [2000, 8000],
      [-8000, 2000],
      [20, 900],
      [100_000, 900_000],
    ]) {
      const textsOfAxes = findTextsOfSvg(drawFigureSvg(makeFigureInSeconds(figureKind, values)));
      expect(textsOfAxes.filter((axisText) => /^\D?\d+ (min|h|d)/.test(axisText)).length).toBeGreaterThan(1);
      expect(textsOfAxes).toContain('response');
    }
    expect(findTextsOfSvg(drawFigureSvg(makeFigureInSeconds(figureKind, [20, 90])))).toContain(
      'response [s]',
    );
  },
);

test.each(['line', 'step', 'bar', 'dots'] as const)(
  'an axis of times has no tick below 0 where no time is below 0: %s',
  (figureKind) => {
    for (const smallestValue of [0, 1, 300, 2000])
      expect(
        findTextsOfSvg(drawFigureSvg(makeFigureInSeconds(figureKind, [smallestValue, 4000, 8000]))).join(),
      ).not.toMatch(/[-\u2212]/);
  },
);

test('the same figure gives the same bytes, also after others were drawn', () => {
  const svgOfFigure = drawFigureSvg(makeFigure());
  drawFigureSvg(makeFigure({ kind: 'bar', id: 'other' }));
  expect(drawFigureSvg(makeFigure())).toBe(svgOfFigure);
});

test('text cannot break out of a drawing', () => {
  const figure = makeFigure({
    title: HOSTILE_MARKUP,
    caption: HOSTILE_MARKUP,
    x: { title: HOSTILE_MARKUP },
    y: { title: HOSTILE_MARKUP },
  });
  const hostileFigure = {
    ...figure,
    panels: [
      {
        title: HOSTILE_MARKUP,
        series: [
          { name: HOSTILE_MARKUP, points: [{ x: 1, y: 1 }] },
          { name: 'b', points: [] },
        ],
      },
    ],
  };
  const { elements, attributes } = parseMarkup(drawFigureSvg(hostileFigure));
  expect(elements).not.toContain('b');
  expect(attributes.map(({ name: attributeName }) => attributeName)).not.toContain('onload');
});

test('every point of a line has a marker, and every series its own color, marker and dash', () => {
  const { attributes } = parseMarkup(drawFigureSvg(makeFigure({}, 8, false)));
  const looksOfEightSeries = makeSeriesLooks(8);
  for (const { color: seriesColor } of looksOfEightSeries) {
    const fillAttributesOfMarkers = attributes.filter(
      ({ element, name: attributeName, value: attributeValue }) =>
        element === 'path' && attributeName === 'fill' && attributeValue === seriesColor,
    );
    // The drawing has three points in each of five panels, and one marker in the legend.
    expect(fillAttributesOfMarkers).toHaveLength(16);
  }
  for (const key of ['color', 'marker', 'dash'] as const) {
    expect(new Set(looksOfEightSeries.map((seriesLook) => String(seriesLook[key]))).size).toBe(8);
  }
  const combinations = makeSeriesLooks(20).map((seriesLook) => JSON.stringify(seriesLook));
  expect(new Set(combinations).size).toBe(20);
});

test('ranges are bands, and points are at their own x', () => {
  const figure = makeFigure({}, 3);
  expect(new Set(plotPointsOfPanel(figure, 0).map(({ x }) => x)).size).toBe(3);
  const { attributes } = parseMarkup(drawFigureSvg(figure));
  const opacityAttributesOfBands = attributes.filter(
    ({ element, name: attributeName }) => element === 'path' && attributeName === 'fill-opacity',
  );
  expect(opacityAttributesOfBands.length).toBeGreaterThanOrEqual(3 * figure.panels.length);
});

test('many bands are left to the page, which shows one at a time', () => {
  const figureOfManySeries = makeFigure({}, 8);
  expect(drawFigureSvg(figureOfManySeries)).not.toContain('class="band"');
  const page = drawFigureSvg(figureOfManySeries, { width: 900, tooltipOf: () => '' });
  expect(page.match(/class="band"[^>]*display="none"/g)).toHaveLength(8 * figureOfManySeries.panels.length);
});

test('lines of one panel have their names at their ends, apart from each other, and no legend', () => {
  const [panel] = makeFigure().panels;
  const seriesWithCloseValues = Array.from({ length: 8 }, (_, i) => ({
    name: `line ${i}`,
    points: [1, 2].map((x) => ({ x, y: 5 + i / 1000 })),
  }));
  const svg = drawFigureSvg(makeFigure({ panels: [{ ...panel, series: seriesWithCloseValues }] }));
  const labelHeights = [...svg.matchAll(/<text x="[\d.]+" y="([\d.]+)"[^>]*>line \d</g)].map(([, y]) =>
    Number(y),
  );
  expect(labelHeights).toHaveLength(8);
  for (const [i, y] of labelHeights.entries())
    if (i > 0) expect(y - labelHeights[i - 1]).toBeGreaterThanOrEqual(12.9);
});

test('a name looks the same in all figures of a page', () => {
  const [fullFigure] = [makeFigure({}, 8)];
  const figureOfThreeSeries = {
    ...fullFigure,
    panels: fullFigure.panels.map((panel) => ({ ...panel, series: panel.series.slice(5) })),
  };
  const barFigure: Figure = { ...figureOfThreeSeries, kind: 'bar' };
  const [firstFigureSvg, secondFigureSvg, thirdFigureSvg] = assignPageWideSeriesLooks([
    fullFigure,
    figureOfThreeSeries,
    barFigure,
  ]).map(makeFigureSeriesLooks);
  expect(secondFigureSvg.looks).toEqual(firstFigureSvg.looks.slice(5));
  expect(thirdFigureSvg.looks.map(({ color: seriesColor }) => seriesColor)).toEqual(
    secondFigureSvg.looks.map(({ color: seriesColor }) => seriesColor),
  );
});

test('a logarithmic axis leaves out what it cannot show', () => {
  const figure = makeFigure({
    y: { title: 'y', scale: 'log' },
    panels: [{ title: '', series: [{ name: 'a', points: [0, -1, 5, 50].map((y, x) => ({ x, y })) }] }],
  });
  expect(plotPointsOfPanel(figure, 0).map(({ y }) => y)).toEqual([5, 50]);
  expect(drawFigureSvg(figure)).not.toMatch(/NaN|Infinity/);
});

test('a figure without points is still drawn', () => {
  const emptyFigure = makeFigure({ panels: [{ title: 'nothing', series: [] }] });
  expect(parseMarkup(drawFigureSvg(emptyFigure)).text).toContain('nothing');
});

test('lines of text keep to their width, except for longer words', () => {
  const titleText = 'average response time, difference to a policy-with-a-very-long-name [s]';
  const lines = breakTextIntoLines(titleText, 10, 120);
  expect(lines.join(' ')).toBe(titleText);
  for (const line of lines)
    if (line.includes(' ')) expect(estimateTextWidth(line, 10)).toBeLessThanOrEqual(120);
  expect(lines).toContain('policy-with-a-very-long-name');
});

test('bars on a logarithmic axis are drawn as points with whiskers', () => {
  const series = ['a', 'b'].map((name, s) => ({
    name,
    points: ['fcfs', 'easy'].map((x, i) => ({ x, y: 10 ** (s + i + 1), low: i === 0 ? 0 : 50, high: 5000 })),
  }));
  const figure = makeFigure({
    kind: 'bar',
    y: { title: 'y', scale: 'log' },
    panels: [{ title: '', series }],
  });
  const svg = drawFigureSvg(figure);
  expect(svg).not.toMatch(/NaN|Infinity/);
  for (const { color: seriesColor } of makeSeriesLooks(2)) {
    const matchesOfFilledPaths = [
      ...svg.matchAll(new RegExp(`<path [^>]*d="([^"]*)"[^>]*fill="${seriesColor}"`, 'g')),
    ];
    // The drawing has one marker in the legend and two in the plot.
    expect(matchesOfFilledPaths).toHaveLength(3);
    for (const [, path] of matchesOfFilledPaths) expect(path).toMatch(/A|L|[1-9]/);
  }
  expect(svg.split('<line').length - 1).toBe(4);
});

test.each([
  [360, 12],
  [360, 60],
  [620, 90],
])('no line crosses a name or a remark above dots, %i px wide and %i letters long', (width, letterHeight) => {
  const figurePoints = [-3, -1, 0, 2, 5].map((y, i) => {
    const x = `${'easy backfill '.repeat(8).slice(0, letterHeight)}${i}`;
    return { x, y, low: y - 1, high: y + 1, remark: `${y} to ${y + 1} %` };
  });
  const panels = [{ title: '', series: [{ name: 'a', points: figurePoints }] }];
  const svg = drawFigureSvg(makeFigure({ kind: 'dots', y: { title: 'behind' }, panels }), undefined, width);
  const lines = [...svg.matchAll(/M([\d.]+) ([\d.]+)V([\d.]+)/g)].map(([, ...textEnds]) =>
    textEnds.map(Number),
  );
  expect(lines.length).toBeGreaterThan(figurePoints.length);
  const matchesOfTextElements = [
    ...svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)"( text-anchor="end")?[^>]*>([^<]*)</g),
  ];
  const textMatchesOfSeriesNames = matchesOfTextElements.filter(
    ([, , , , words]) => words.startsWith('easy') || words.endsWith(' %'),
  );
  expect(textMatchesOfSeriesNames).toHaveLength(
    textMatchesOfSeriesNames.some(([, , , , words]) => words.endsWith(' %')) ? 10 : 5,
  );
  for (const [, x, y, end, words] of textMatchesOfSeriesNames) {
    const textLeft = Number(x) - (end === undefined ? 0 : estimateTextWidth(words, 10));
    const right = Number(x) + (end === undefined ? estimateTextWidth(words, 10) : 0);
    const linesCrossingPlot = lines.filter(
      ([textCentre, from, to]) =>
        textCentre > textLeft && textCentre < right && from < Number(y) && to > Number(y) - 8,
    );
    expect(linesCrossingPlot, words).toEqual([]);
  }
});
