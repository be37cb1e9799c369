import { expect, test } from 'vitest';
import { makeSeriesLooks, TEXT_COLOR } from '../../host/draw/palette.js';
import { EXPLORER_STYLE_TOKENS, REPORT_STYLE_TOKENS } from '../../host/view/tokens.js';
import { colorAndDashOfRun } from '../../web/explorer/charts/looks.js';

test('a method has the same hue in reports and in the explorer, however many there are', () => {
  for (let colorCount = 1; colorCount <= 20; colorCount++) {
    const { color: seriesColor, dash } = makeSeriesLooks(colorCount)[colorCount - 1]!;
    const colorAndDash = colorAndDashOfRun(colorCount - 1, 'light');
    if (seriesColor !== TEXT_COLOR) expect(colorAndDash.color).toBe(seriesColor);
    if (colorCount > 1) expect(colorAndDash.dash).toEqual(dash);
  }
  expect(makeSeriesLooks(8).slice(0, 6)).toEqual(makeSeriesLooks(6));
});

test('reports and the explorer have the same colours, light and dark', () => {
  const stylePairs = [...EXPLORER_STYLE_TOKENS.matchAll(/--([\w-]+): light-dark\((#\w+), (#\w+)\)/g)];
  expect(stylePairs.length).toBeGreaterThan(8);
  const [light, dark] = REPORT_STYLE_TOKENS.split('@media');
  for (const [, name, onLight, onDark] of stylePairs) {
    expect(light).toContain(`--${name}: ${onLight};`);
    expect(dark).toContain(`--${name}: ${onDark};`);
  }
});
