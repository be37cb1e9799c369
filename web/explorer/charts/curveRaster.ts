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
    { mean, minimum, maximum }: StepFunctionSamples,
    y: (value: number) => number,
    { color, dash, width }: CurveLook,
  ): void {
    const [red, green, blue] = [1, 3, 5].map((offset) =>
      Number.parseInt(color.slice(offset, offset + 2), 16),
    );
    const pixelColor = red | (green << 8) | (blue << 16);
    for (let x = 0; x < mean.length; x++)
      if (maximum[x] > minimum[x])
        this.#column(x, y(maximum[x]), y(minimum[x]), pixelColor, CURVE_BAND_OPACITY);
    const period = dash.reduce((sum, segment) => sum + segment, 0);
    let previousY = y(mean[0]);
    let currentY = previousY;
    for (let x = 0; x < mean.length; x++) {
      const nextY = x + 1 < mean.length ? y(mean[x + 1]) : currentY;
      if (isInDashStroke(dash, x % period)) {
        const [from, to] = [(previousY + currentY) / 2, (currentY + nextY) / 2];
        const top = Math.min(from, currentY, to) - width / 2;
        this.#column(x, top, Math.max(from, currentY, to) + width / 2, pixelColor, 1);
      }
      [previousY, currentY] = [currentY, nextY];
    }
  }

  /**
   * Blends a colour over part of a column; the partly covered pixels at both ends are blended in proportion.
   */
  #column(x: number, top: number, bottom: number, color: number, opacity: number): void {
    const { width, height } = this.image;
    const rgbaPixels = this.#pixels;
    const endRow = Math.min(Math.ceil(bottom), height);
    for (let row = Math.max(Math.floor(top), 0); row < endRow; row++) {
      const coverageOpacity = opacity * (Math.min(bottom, row + 1) - Math.max(top, row));
      const pixelIndex = row * width + x;
      rgbaPixels[pixelIndex] =
        coverageOpacity >= 1
          ? color | OPAQUE_ALPHA
          : blendColorOverPixel(color, coverageOpacity, rgbaPixels[pixelIndex]);
    }
  }
}

/** Alpha byte of an opaque pixel. */
const OPAQUE_ALPHA = 0xff000000;

/** Blends a colour with the given opacity (0 to 1) over a pixel. */
function blendColorOverPixel(color: number, coverageOpacity: number, pixel: number): number {
  const backgroundAlpha = ((pixel >>> 24) / 255) * (1 - coverageOpacity);
  const totalAlpha = coverageOpacity + backgroundAlpha;
  const mixColorChannel = (shift: number) =>
    ((((color >>> shift) & 255) * coverageOpacity + ((pixel >>> shift) & 255) * backgroundAlpha) /
      totalAlpha) <<
    shift;
  const mixedColor =
    backgroundAlpha === 0
      ? color
      : mixColorChannel(0) | (mixColorChannel(8) & 0xff00) | (mixColorChannel(16) & 0xff0000);
  return mixedColor | (Math.round(255 * totalAlpha) << 24);
}

/** True if the dash pattern has a stroke, not a gap, at this distance along the line. */
function isInDashStroke(dashLengths: readonly number[], distance: number): boolean {
  let segmentEnd = 0;
  for (let i = 0; i < dashLengths.length; i++) {
    segmentEnd += dashLengths[i];
    if (distance < segmentEnd) return i % 2 === 0;
  }
  return true;
}
