/** Draws curves over time as pixels, because a canvas strokes long paths far more slowly. */
import type { StepFunctionSamples } from './stepIndex.js';

/** Look of a curve; widths in pixels. */
export interface CurveLook {
  /** Colour as `#rrggbb`. */
  readonly color: string;
  readonly dash: readonly number[];
  readonly width: number;
}

/** Opacity of a band, from 0 to 1. */
const CURVE_BAND_OPACITY = 0.18;

/** Pixel buffer of one size that is redrawn for every frame. */
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

  /** Draws a line through the means, one sample per column, and a band from the minimum to the maximum. */
  draw(
    { mean, low, high }: StepFunctionSamples,
    y: (value: number) => number,
    { color, dash, width }: CurveLook,
  ): void {
    const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
    const inkColor = red | (green << 8) | (blue << 16);
    for (let x = 0; x < mean.length; x++)
      if (high[x] > low[x]) this.#column(x, y(high[x]), y(low[x]), inkColor, CURVE_BAND_OPACITY);
    const period = dash.reduce((sum, each) => sum + each, 0);
    let before = y(mean[0]);
    let here = before;
    for (let x = 0; x < mean.length; x++) {
      const next = x + 1 < mean.length ? y(mean[x + 1]) : here;
      if (isInStrokeOfDash(dash, x % period)) {
        const [from, to] = [(before + here) / 2, (here + next) / 2];
        const top = Math.min(from, here, to) - width / 2;
        this.#column(x, top, Math.max(from, here, to) + width / 2, inkColor, 1);
      }
      [before, here] = [here, next];
    }
  }

  /**
   * Blends a colour over part of a column; the partly covered pixels at both ends are blended in proportion.
   */
  #column(x: number, top: number, bottom: number, color: number, opacityByte: number): void {
    const { width, height } = this.image;
    const pixels = this.#pixels;
    const last = Math.min(Math.ceil(bottom), height);
    for (let row = Math.max(Math.floor(top), 0); row < last; row++) {
      const share = opacityByte * (Math.min(bottom, row + 1) - Math.max(top, row));
      const at = row * width + x;
      pixels[at] = share >= 1 ? color | OPAQUE_ALPHA : blendColorOverPixel(color, share, pixels[at]);
    }
  }
}

/** Alpha byte of an opaque pixel. */
const OPAQUE_ALPHA = 0xff000000;

/** Blends a colour with the given opacity (0 to 1) over a pixel. */
function blendColorOverPixel(color: number, share: number, pixel: number): number {
  const behind = ((pixel >>> 24) / 255) * (1 - share);
  const whole = share + behind;
  const mixed = (shift: number) =>
    ((((color >>> shift) & 255) * share + ((pixel >>> shift) & 255) * behind) / whole) << shift;
  const rest = behind === 0 ? color : mixed(0) | (mixed(8) & 0xff00) | (mixed(16) & 0xff0000);
  return rest | (Math.round(255 * whole) << 24);
}

/** True if the dash pattern has a stroke, not a gap, at this distance along the line. */
function isInStrokeOfDash(dash: readonly number[], place: number): boolean {
  let end = 0;
  for (let i = 0; i < dash.length; i++) {
    end += dash[i];
    if (place < end) return i % 2 === 0;
  }
  return true;
}
