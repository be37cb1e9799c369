/** Figures as SVG. */
import type { TopLevelSpec } from 'vega-lite';
import { FONT } from './palette.js';
import { figureSpec } from './spec.js';
import { textWidth, tidyDrawing } from './svg.js';
import type { Figure } from './types.js';

/** Parts of vega that its types leave out. */
interface VegaInternals {
  readonly textMetrics: { width: typeof markWidth };
  readonly resetSVGDefIds: () => void;
}

/** What a figure without a caption shows, for those who cannot see it. */
function describe({ x, y, panels }: Figure): string {
  const names = [...new Set(panels.flatMap(({ series }) => series.map(({ name }) => name)))];
  return `${y.title} by ${x.title}${names.length > 1 ? `, for ${names.join(', ')}` : ''}.`;
}

/** Vega is large: it is loaded when the first figure is drawn. */
async function loadVega() {
  const [vega, { compile }] = await Promise.all([import('vega'), import('vega-lite')]);
  const internals = vega as unknown as VegaInternals;
  // Widths must not depend on whether a canvas happens to be installed.
  internals.textMetrics.width = markWidth;
  return { vega, compile, resetIds: internals.resetSVGDefIds };
}

function markWidth({ fontSize = 11, fontWeight }: { fontSize?: number; fontWeight?: string }, text: unknown) {
  return textWidth(text == null ? '' : String(text), fontSize, fontWeight === 'bold');
}

/**
 * Draws a figure as SVG: the same bytes for the same figure on every machine, without references to anything outside.
 * Text and lines take the colour of the page they stand on.
 */
export async function figureToSvg(figure: Figure): Promise<string> {
  const { vega, compile, resetIds } = await loadVega();
  const { spec } = compile(figureSpec(figure) as unknown as TopLevelSpec);
  const view = new vega.View(vega.parse(spec), { renderer: 'none', logLevel: vega.Error });
  try {
    await view.runAsync();
    resetIds();
    return tidyDrawing(await view.toSVG(), { ...figure, caption: figure.caption || describe(figure) }, FONT);
  } finally {
    view.finalize();
  }
}
