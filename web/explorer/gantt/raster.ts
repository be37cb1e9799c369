/**
 * Rasterizes Gantt blocks. A block at least one pixel wide and high is filled. A smaller one adds its share
 * of the pixel's area in its colour, so that no job is lost however many share a pixel. The work is
 * proportional to the visible blocks and the pixels, because no two blocks hold a processor at once.
 */
import type { GanttBlockIndex } from './blockIndex.js';
import type { SitePixelLane } from './lanes.js';

/** Colours as pixel values: alpha, blue, green, red from the highest byte. */
export interface GanttPixelColors {
  /** Colour of each kind. */
  readonly fills: Uint32Array;
  /** Colour of free processors. */
  readonly free: number;
  /** Colours of absent processors (taken by outages), and of the lines across them. */
  readonly absent: { readonly area: number; readonly line: number };
  /** Kind of each job, as an index of `fills`. */
  readonly kindOf: Uint8Array;
}

/** Text written on a block. */
export interface BlockLabel {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly job: number;
}

/** Visible part of a run: a time range and the lanes. */
export interface RasterView {
  readonly from: number;
  readonly to: number;
  readonly lanes: readonly SitePixelLane[];
}

/** Smallest block size in pixels that leaves a one-pixel gap to the next block and can carry a name. */
const MIN_SEPARATED_BLOCK_SIZE = 4;
const [NAMED_WIDTH, NAMED_HEIGHT] = [30, 11];
const MAX_BLOCK_LABELS = 400;
/** Number of pixels up to which a run is filled one by one. */
const MAX_SHORT_PIXEL_RUN = 16;
/** Areas below this are rounding errors of sums, in pixels. */
const MIN_BLOCK_AREA = 1e-4;

/** Pixel buffer of one size that is repainted for every frame. */
export class GanttRaster {
  readonly image: ImageData;
  readonly #pixels: Uint32Array;
  readonly #width: number;
  readonly #height: number;
  /**
   * Red, green, blue and area of blocks below pixel size, four numbers per pixel, stored as differences: to
   * the left neighbour for wide blocks (`#across`), to the upper one for all others (`#down`). So a block
   * costs only its two ends. Allocated on first use.
   */
  #across = new Float32Array(0);
  #down = new Float32Array(0);
  /** Rows that have differences in `#across`. */
  readonly #isAcross: Uint8Array;
  readonly #stride: number;
  #isShared = false;

  constructor(width: number, height: number) {
    this.image = new ImageData(width, height);
    this.#pixels = new Uint32Array(this.image.data.buffer);
    this.#width = width;
    this.#height = height;
    this.#stride = width + 1;
    this.#isAcross = new Uint8Array(height);
  }

  /** Paints a time range; returns the block labels that fit. */
  paint(
    index: GanttBlockIndex,
    view: RasterView,
    blockColors: GanttPixelColors,
    scale: number,
  ): BlockLabel[] {
    const steps = this.painting(index, view, blockColors, scale);
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
    }
  }

  /** Paints like `paint`, with pauses. */
  *painting(
    index: GanttBlockIndex,
    { from, to, lanes }: RasterView,
    blockColors: GanttPixelColors,
    scale: number,
  ): Generator<undefined, BlockLabel[]> {
    const [pixels, width] = [this.#pixels, this.#width];
    const { fills, free, kindOf } = blockColors;
    const high = this.#height;
    pixels.fill(0);
    for (const { top, height } of lanes) {
      if (top < high && top + height > 0)
        pixels.fill(free, Math.max(top, 0) * width, Math.min(top + height, high) * width);
    }
    this.#paintAbsences(index, { from, to, lanes }, blockColors, scale);
    const { start, end, first, after, job, site, stopped } = index.blocks;
    const perSecond = width / (to - from);
    const labels: BlockLabel[] = [];
    const named = new Set<number>();
    this.#isShared = false;
    yield* index.inParts(from, to, (i) => {
      const lane = lanes[site[i]];
      const perProcessor = lane.height / lane.capacity;
      // Without destructuring, which is slow until the code has been optimized.
      const left = (start[i] - from) * perSecond;
      const right = (end[i] - from) * perSecond;
      const above = lane.top + (first[i] - lane.first) * perProcessor;
      const below = lane.top + (after[i] - lane.first) * perProcessor;
      const leftPixel = Math.max(0, Math.round(left));
      const topPixel = Math.max(0, Math.round(above));
      let rightPixel = Math.min(width, Math.round(right));
      let bottomPixel = Math.min(high, Math.round(below));
      const kind = kindOf[job[i]];
      if (rightPixel > leftPixel && bottomPixel > topPixel) {
        if (rightPixel - leftPixel >= MIN_SEPARATED_BLOCK_SIZE && right <= width) rightPixel--;
        if (bottomPixel - topPixel >= MIN_SEPARATED_BLOCK_SIZE) bottomPixel--;
        if (stopped[i]) return this.#hatch(leftPixel, rightPixel, topPixel, bottomPixel, fills[kind]);
        fillPixelRectangle(pixels, width, leftPixel, rightPixel, topPixel, bottomPixel, fills[kind]);
        const isNamed =
          rightPixel - leftPixel >= NAMED_WIDTH * scale && bottomPixel - topPixel >= NAMED_HEIGHT * scale;
        if (isNamed && labels.length < MAX_BLOCK_LABELS && !named.has(job[i])) {
          named.add(job[i]);
          labels.push({
            x: (leftPixel + rightPixel) / 2,
            y: (topPixel + bottomPixel) / 2,
            width: rightPixel - leftPixel,
            job: job[i],
          });
        }
      } else if (below > 0 && above < high) {
        this.#addShare(left, right, above, below, fills[kind]);
      }
    });
    if (this.#isShared) this.#blendShares(free);
    return labels;
  }

  /** Hatches absent processors, across the lines of preempted executions. */
  #paintAbsences(
    { absences }: GanttBlockIndex,
    { from, to, lanes }: RasterView,
    { absent }: GanttPixelColors,
    scale: number,
  ): void {
    const perSecond = this.#width / (to - from);
    const period = Math.round(6 * scale);
    for (const { site, start, end, runs } of absences) {
      if (start >= to || end <= from) continue;
      const lane = lanes[site];
      const perProcessor = lane.height / lane.capacity;
      const left = Math.max(0, Math.round((start - from) * perSecond));
      const right = Math.min(this.#width, Math.max(left + 1, Math.round((end - from) * perSecond)));
      for (const [first, last] of runs) {
        const top = Math.max(0, Math.round(lane.top + (first - lane.first) * perProcessor));
        const below = Math.round(lane.top + (last + 1 - lane.first) * perProcessor);
        const bottom = Math.min(this.#height, Math.max(top + 1, below));
        for (let y = top; y < bottom; y++) {
          for (let x = left; x < right; x++)
            this.#pixels[y * this.#width + x] =
              (x + this.#height - y) % period < scale ? absent.line : absent.area;
        }
      }
    }
  }

  #hatch(leftPixel: number, rightPixel: number, topPixel: number, bottomPixel: number, color: number): void {
    for (let y = topPixel; y < bottomPixel; y++) {
      for (let x = leftPixel; x < rightPixel; x++)
        if (((x + y) & 3) < 2) this.#pixels[y * this.#width + x] = color;
    }
  }

  /** Clears the area sums; an earlier painting may have been interrupted. */
  #prepareShares(): void {
    const size = 4 * this.#stride * (this.#height + 1);
    if (this.#across.length !== size)
      [this.#across, this.#down] = [new Float32Array(size), new Float32Array(size)];
    this.#isAcross.forEach((is, y) => {
      if (is !== 0) this.#across.fill(0, 4 * y * this.#stride, 4 * (y + 1) * this.#stride);
    });
    this.#isAcross.fill(0);
    this.#down.fill(0);
    this.#isShared = true;
  }

  /** Adds the area of a block that is less than one pixel wide or high. */
  #addShare(left: number, right: number, above: number, below: number, color: number): void {
    if (!this.#isShared) this.#prepareShares();
    const leftPixel = Math.max(0, Math.floor(left));
    const rightPixel = Math.min(this.#width, Math.ceil(right));
    const topPixel = Math.max(0, Math.floor(above));
    const bottomPixel = Math.min(this.#height, Math.ceil(below));
    if (rightPixel <= leftPixel || bottomPixel <= topPixel) return;
    const wide = rightPixel - leftPixel;
    const high = bottomPixel - topPixel;
    const first = Math.min(right, leftPixel + 1) - Math.max(left, leftPixel);
    const last = Math.min(right, rightPixel) - (rightPixel - 1);
    const top = Math.min(below, topPixel + 1) - Math.max(above, topPixel);
    const bottom = Math.min(below, bottomPixel) - (bottomPixel - 1);
    const at = topPixel * this.#stride + leftPixel;
    if (wide > high) {
      for (let y = 0; y < high; y++) {
        const share = y === 0 ? top : y === high - 1 ? bottom : 1;
        this.#isAcross[topPixel + y] = 1;
        addAreaToPixelRun(
          this.#across,
          at + y * this.#stride,
          1,
          wide,
          share * first,
          share,
          share * last,
          color,
        );
      }
    } else {
      for (let x = 0; x < wide; x++) {
        const share = x === 0 ? first : x === wide - 1 ? last : 1;
        addAreaToPixelRun(this.#down, at + x, this.#stride, high, share * top, share, share * bottom, color);
      }
    }
  }

  /** Integrates the differences, and blends the result with the colour of free processors. */
  #blendShares(free: number): void {
    const [pixels, across, down, width] = [this.#pixels, this.#across, this.#down, this.#width];
    const [freeRed, freeGreen, freeBlue] = [free & 255, (free >>> 8) & 255, (free >>> 16) & 255];
    const column = new Float32Array(4 * width);
    for (let y = 0; y < this.#height; y++) {
      let [red, green, blue, area] = [0, 0, 0, 0];
      const spansPixelRow = this.#isAcross[y] !== 0;
      let at = 4 * y * this.#stride;
      for (let x = 0; x < width; x++, at += 4) {
        const above = 4 * x;
        if (spansPixelRow) {
          red += across[at];
          green += across[at + 1];
          blue += across[at + 2];
          area += across[at + 3];
        }
        column[above] += down[at];
        column[above + 1] += down[at + 1];
        column[above + 2] += down[at + 2];
        column[above + 3] += down[at + 3];
        const shared = area + column[above + 3];
        const i = y * width + x;
        if (shared < MIN_BLOCK_AREA || pixels[i] !== free) continue;
        const rest = shared < 1 ? 1 - shared : 0;
        const scale = shared < 1 ? 1 : 1 / shared;
        pixels[i] =
          (0xff000000 |
            (((blue + column[above + 2]) * scale + freeBlue * rest) << 16) |
            (((green + column[above + 1]) * scale + freeGreen * rest) << 8) |
            ((red + column[above]) * scale + freeRed * rest)) >>>
          0;
      }
    }
  }
}

/** Fills a rectangle; calling `fill` costs more than writing a few pixels. */
function fillPixelRectangle(
  pixels: Uint32Array,
  width: number,
  leftPixel: number,
  rightPixel: number,
  topPixel: number,
  bottomPixel: number,
  color: number,
): void {
  for (let y = topPixel; y < bottomPixel; y++) {
    const begin = y * width + leftPixel;
    const end = y * width + rightPixel;
    if (end - begin > MAX_SHORT_PIXEL_RUN) pixels.fill(color, begin, end);
    else for (let i = begin; i < end; i++) pixels[i] = color;
  }
}

/**
 * Adds an area to each pixel of a row or column, as differences; the first and last may be partly covered.
 */
function addAreaToPixelRun(
  changes: Float32Array,
  at: number,
  step: number,
  count: number,
  first: number,
  inner: number,
  last: number,
  color: number,
): void {
  addColorToPixelSums(changes, at, first, color);
  if (count > 1) {
    addColorToPixelSums(changes, at + step, inner - first, color);
    addColorToPixelSums(changes, at + (count - 1) * step, last - inner, color);
  }
  addColorToPixelSums(changes, at + count * step, -(count > 1 ? last : first), color);
}

/** Adds an area of a colour to a pixel's sums. */
function addColorToPixelSums(sums: Float32Array, pixel: number, area: number, color: number): void {
  const at = 4 * pixel;
  sums[at] += area * (color & 255);
  sums[at + 1] += area * ((color >>> 8) & 255);
  sums[at + 2] += area * ((color >>> 16) & 255);
  sums[at + 3] += area;
}
