/** Curves over time as pixels: a canvas strokes long paths far more slowly. */
import type { Samples } from './stepIndex.js';

/** How a curve looks; widths are those of pixels. */
export interface CurveLook {
  /** `#rrggbb`. */
  readonly color: string;
  readonly dash: readonly number[];
  readonly width: number;
}

/** How opaque a band is. */
const BAND = 0.18;

/** Pixels of one size, drawn again and again. */
export class CurveRaster {
  readonly image: ImageData;
  readonly #pixels: Uint32Array;

  constructor(width: number, height: number) {
    this.image = new ImageData(width, height);
    this.#pixels = new Uint32Array(this.image.data.buffer);
  }

  clear(): void {
    this.#pixels.fill(0);
  }

  /** Draws a line through the means, a sample per column, and a band between the least and the largest. */
  draw({ mean, low, high }: Samples, y: (value: number) => number, { color, dash, width }: CurveLook): void {
    const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
    const ink = red | (green << 8) | (blue << 16);
    for (let x = 0; x < mean.length; x++)
      if (high[x] > low[x]) this.#column(x, y(high[x]), y(low[x]), ink, BAND);
    const period = dash.reduce((sum, each) => sum + each, 0);
    let before = y(mean[0]);
    let here = before;
    for (let x = 0; x < mean.length; x++) {
      const next = x + 1 < mean.length ? y(mean[x + 1]) : here;
      if (isDrawn(dash, x % period)) {
        const [from, to] = [(before + here) / 2, (here + next) / 2];
        const top = Math.min(from, here, to) - width / 2;
        this.#column(x, top, Math.max(from, here, to) + width / 2, ink, 1);
      }
      [before, here] = [here, next];
    }
  }

  /** Lays a colour over a part of a column; pixels at its ends have their share. */
  #column(x: number, top: number, bottom: number, color: number, alpha: number): void {
    const { width, height } = this.image;
    const pixels = this.#pixels;
    const last = Math.min(Math.ceil(bottom), height);
    for (let row = Math.max(Math.floor(top), 0); row < last; row++) {
      const share = alpha * (Math.min(bottom, row + 1) - Math.max(top, row));
      const at = row * width + x;
      pixels[at] = share >= 1 ? color | OPAQUE : over(color, share, pixels[at]);
    }
  }
}

/** The highest byte of a pixel that hides what is behind. */
const OPAQUE = 0xff000000;

/** A colour with a share of what is seen, over a pixel. */
function over(color: number, share: number, pixel: number): number {
  const behind = ((pixel >>> 24) / 255) * (1 - share);
  const whole = share + behind;
  const mixed = (shift: number) =>
    ((((color >>> shift) & 255) * share + ((pixel >>> shift) & 255) * behind) / whole) << shift;
  const rest = behind === 0 ? color : mixed(0) | (mixed(8) & 0xff00) | (mixed(16) & 0xff0000);
  return rest | (Math.round(255 * whole) << 24);
}

/** Whether a line is drawn at a place of its dashes, and no gap. */
function isDrawn(dash: readonly number[], place: number): boolean {
  let end = 0;
  for (let i = 0; i < dash.length; i++) {
    end += dash[i];
    if (place < end) return i % 2 === 0;
  }
  return true;
}
