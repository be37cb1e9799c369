/**
 * Blocks as pixels. A block that is a pixel wide and high, or more, is filled; what is smaller adds its share of the
 * pixel's area to it, in its colour, so that nothing is lost however many jobs a pixel has. The work is that of the blocks
 * in the window and of the pixels, since no two blocks hold a processor at once.
 */
import type { BlockIndex } from './blockIndex.js';
import type { Lane } from './lanes.js';

/** Colours as pixels have them: alpha, blue, green, red from the highest byte down. */
export interface Inks {
  /** By kind. */
  readonly fills: Uint32Array;
  /** Free processors. */
  readonly free: number;
  /** The kind of each job. */
  readonly kindOf: Uint8Array;
}

/** A name to be written upon a block. */
export interface Label {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly job: number;
}

/** What is shown of a run: a span of time upon lanes. */
export interface RasterView {
  readonly from: number;
  readonly to: number;
  readonly lanes: readonly Lane[];
}

/** Blocks from so many pixels on leave a line free to the next, and have a name. */
const PARTED = 4;
const [NAMED_WIDTH, NAMED_HEIGHT] = [30, 11];
const MOST_LABELS = 400;

/** Pixels of one size, painted again and again. */
export class Raster {
  readonly image: ImageData;
  readonly #pixels: Uint32Array;
  readonly #width: number;
  readonly #height: number;
  /** Red, green, blue and area of what is smaller than a pixel, four to a pixel; none before it is needed. */
  #shares = new Float32Array(0);

  constructor(width: number, height: number) {
    this.image = new ImageData(width, height);
    this.#pixels = new Uint32Array(this.image.data.buffer);
    this.#width = width;
    this.#height = height;
  }

  /** Paints a window, in pixels of this raster; returns the names that have room. */
  paint(index: BlockIndex, { from, to, lanes }: RasterView, inks: Inks, scale: number): Label[] {
    const [pixels, width] = [this.#pixels, this.#width];
    const { fills, free, kindOf } = inks;
    const high = this.#height;
    pixels.fill(0);
    for (const { top, height } of lanes) {
      if (top < high && top + height > 0)
        pixels.fill(free, Math.max(top, 0) * width, Math.min(top + height, high) * width);
    }
    const { start, end, first, after, job, site, stopped } = index.blocks;
    const perSecond = width / (to - from);
    const labels: Label[] = [];
    const named = new Set<number>();
    let hasShares = false;
    index.each(from, to, (i) => {
      const lane = lanes[site[i]];
      const perProcessor = lane.height / lane.capacity;
      const [left, right] = [(start[i] - from) * perSecond, (end[i] - from) * perSecond];
      const above = lane.top + (first[i] - lane.first) * perProcessor;
      const below = lane.top + (after[i] - lane.first) * perProcessor;
      let [x0, x1] = [Math.max(0, Math.round(left)), Math.min(width, Math.round(right))];
      let [y0, y1] = [Math.max(0, Math.round(above)), Math.min(high, Math.round(below))];
      const kind = kindOf[job[i]];
      if (x1 > x0 && y1 > y0) {
        if (x1 - x0 >= PARTED && right <= width) x1--;
        if (y1 - y0 >= PARTED) y1--;
        if (stopped[i]) return this.#hatch(x0, x1, y0, y1, fills[kind]);
        for (let y = y0; y < y1; y++) pixels.fill(fills[kind], y * width + x0, y * width + x1);
        const isNamed = x1 - x0 >= NAMED_WIDTH * scale && y1 - y0 >= NAMED_HEIGHT * scale;
        if (isNamed && labels.length < MOST_LABELS && !named.has(job[i])) {
          named.add(job[i]);
          labels.push({ x: (x0 + x1) / 2, y: (y0 + y1) / 2, width: x1 - x0, job: job[i] });
        }
      } else if (below > 0 && above < high) {
        hasShares = this.#prepareShares(hasShares);
        this.#addShare(left, right, above, below, fills[kind]);
      }
    });
    if (hasShares) this.#blendShares(free);
    return labels;
  }

  #hatch(x0: number, x1: number, y0: number, y1: number, color: number): void {
    for (let y = y0; y < y1; y++) {
      for (let x = x0; x < x1; x++) if (((x + y) & 3) < 2) this.#pixels[y * this.#width + x] = color;
    }
  }

  #prepareShares(isPrepared: boolean): boolean {
    const size = 4 * this.#width * this.#height;
    if (this.#shares.length !== size) this.#shares = new Float32Array(size);
    else if (!isPrepared) this.#shares.fill(0);
    return true;
  }

  /** Adds the area of a block that is less than a pixel wide, or less than one high. */
  #addShare(left: number, right: number, above: number, below: number, color: number): void {
    const [x0, x1] = [Math.max(0, Math.floor(left)), Math.min(this.#width, Math.ceil(right))];
    const [y0, y1] = [Math.max(0, Math.floor(above)), Math.min(this.#height, Math.ceil(below))];
    for (let y = y0; y < y1; y++) {
      const high = Math.min(below, y + 1) - Math.max(above, y);
      for (let x = x0; x < x1; x++) {
        const area = high * (Math.min(right, x + 1) - Math.max(left, x));
        const at = 4 * (y * this.#width + x);
        this.#shares[at] += area * (color & 255);
        this.#shares[at + 1] += area * ((color >>> 8) & 255);
        this.#shares[at + 2] += area * ((color >>> 16) & 255);
        this.#shares[at + 3] += area;
      }
    }
  }

  #blendShares(free: number): void {
    const [pixels, shares] = [this.#pixels, this.#shares];
    const [red, green, blue] = [free & 255, (free >>> 8) & 255, (free >>> 16) & 255];
    for (let i = 0, at = 0; i < pixels.length; i++, at += 4) {
      const area = shares[at + 3];
      if (area === 0 || pixels[i] !== free) continue;
      const [rest, scale] = area < 1 ? [1 - area, 1] : [0, 1 / area];
      pixels[i] =
        (0xff000000 |
          ((shares[at + 2] * scale + blue * rest) << 16) |
          ((shares[at + 1] * scale + green * rest) << 8) |
          (shares[at] * scale + red * rest)) >>>
        0;
    }
  }
}
