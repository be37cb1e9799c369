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
const [NAMED_BLOCK_WIDTH, NAMED_BLOCK_HEIGHT] = [30, 11];
const MAX_BLOCK_LABELS = 400;
/** Number of pixels up to which a run is filled one by one. */
const MAX_SHORT_PIXEL_RUN_LENGTH = 16;
/** Areas below this are rounding errors of sums, in pixels. */
const MIN_BLOCK_AREA_IN_PIXELS = 1e-4;

/** Pixel buffer of one size that is repainted for every frame. */
export class GanttRaster {
  readonly image: ImageData;
  readonly #pixels: Uint32Array;
  readonly #width: number;
  readonly #height: number;
  /**
   * Red, green, blue and area of blocks below pixel size, four numbers per pixel, stored as
   * differences: to the left neighbour for wide blocks (`#rowDifferences`), to the upper one for
   * all others (`#columnDifferences`), so that a block changes only the numbers at its two ends.
   * Allocated on first use.
   */
  #rowDifferences = new Float32Array(0);
  #columnDifferences = new Float32Array(0);
  /** 1 for each row that has differences in `#rowDifferences`. */
  readonly #rowHasDifferences: Uint8Array;
  readonly #stride: number;
  #hasPartialBlocks = false;

  constructor(width: number, height: number) {
    this.image = new ImageData(width, height);
    this.#pixels = new Uint32Array(this.image.data.buffer);
    this.#width = width;
    this.#height = height;
    this.#stride = width + 1;
    this.#rowHasDifferences = new Uint8Array(height);
  }

  /** Paints a time range; returns the block labels that fit. */
  paintTimeRange(
    ganttIndex: GanttBlockIndex,
    rasterView: RasterView,
    blockColors: GanttPixelColors,
    scale: number,
  ): BlockLabel[] {
    const paintingSteps = this.paintInSteps(ganttIndex, rasterView, blockColors, scale);
    for (;;) {
      const { done, value } = paintingSteps.next();
      if (done) return value;
    }
  }

  /** Paints like `paintTimeRange`, with pauses. */
  *paintInSteps(
    ganttIndex: GanttBlockIndex,
    { from, to, lanes }: RasterView,
    blockColors: GanttPixelColors,
    scale: number,
  ): Generator<undefined, BlockLabel[]> {
    const [pixels, width] = [this.#pixels, this.#width];
    const { fills, free, kindOf } = blockColors;
    const canvasHeight = this.#height;
    pixels.fill(0);
    for (const { top: laneTop, height } of lanes) {
      if (laneTop < canvasHeight && laneTop + height > 0)
        pixels.fill(free, Math.max(laneTop, 0) * width, Math.min(laneTop + height, canvasHeight) * width);
    }
    this.#paintAbsences(ganttIndex, { from, to, lanes }, blockColors, scale);
    const { start, end, first: firstProcessors, after, job, site, stopped } = ganttIndex.blocks;
    const pixelsPerSecond = width / (to - from);
    const blockLabels: BlockLabel[] = [];
    const labelledJobs = new Set<number>();
    this.#hasPartialBlocks = false;
    yield* ganttIndex.visitBlocksInParts(from, to, (i) => {
      const lane = lanes[site[i]];
      const pixelsPerProcessor = lane.height / lane.capacity;
      // Without destructuring, which is slow until the code has been optimized.
      const left = (start[i] - from) * pixelsPerSecond;
      const right = (end[i] - from) * pixelsPerSecond;
      const top = lane.top + (firstProcessors[i] - lane.first) * pixelsPerProcessor;
      const bottom = lane.top + (after[i] - lane.first) * pixelsPerProcessor;
      const leftPixelX = Math.max(0, Math.round(left));
      const topPixelY = Math.max(0, Math.round(top));
      let rightPixelX = Math.min(width, Math.round(right));
      let bottomPixelY = Math.min(canvasHeight, Math.round(bottom));
      const jobKind = kindOf[job[i]];
      if (rightPixelX > leftPixelX && bottomPixelY > topPixelY) {
        if (rightPixelX - leftPixelX >= MIN_SEPARATED_BLOCK_SIZE && right <= width) rightPixelX--;
        if (bottomPixelY - topPixelY >= MIN_SEPARATED_BLOCK_SIZE) bottomPixelY--;
        if (stopped[i])
          return this.#hatchRectangle(leftPixelX, rightPixelX, topPixelY, bottomPixelY, fills[jobKind]);
        fillPixelRectangle(pixels, width, leftPixelX, rightPixelX, topPixelY, bottomPixelY, fills[jobKind]);
        const isNamed =
          rightPixelX - leftPixelX >= NAMED_BLOCK_WIDTH * scale &&
          bottomPixelY - topPixelY >= NAMED_BLOCK_HEIGHT * scale;
        if (isNamed && blockLabels.length < MAX_BLOCK_LABELS && !labelledJobs.has(job[i])) {
          labelledJobs.add(job[i]);
          blockLabels.push({
            x: (leftPixelX + rightPixelX) / 2,
            y: (topPixelY + bottomPixelY) / 2,
            width: rightPixelX - leftPixelX,
            job: job[i],
          });
        }
      } else if (bottom > 0 && top < canvasHeight) {
        this.#addPartialBlock(left, right, top, bottom, fills[jobKind]);
      }
    });
    if (this.#hasPartialBlocks) this.#blendPartialBlocks(free);
    return blockLabels;
  }

  /** Hatches absent processors, across the lines of preempted executions. */
  #paintAbsences(
    { absences }: GanttBlockIndex,
    { from, to, lanes }: RasterView,
    { absent }: GanttPixelColors,
    scale: number,
  ): void {
    const pixelsPerSecond = this.#width / (to - from);
    const hatchPeriod = Math.round(6 * scale);
    for (const { site, start, end, runs: processorRanges } of absences) {
      if (start >= to || end <= from) continue;
      const lane = lanes[site];
      const pixelsPerProcessor = lane.height / lane.capacity;
      const left = Math.max(0, Math.round((start - from) * pixelsPerSecond));
      const right = Math.min(this.#width, Math.max(left + 1, Math.round((end - from) * pixelsPerSecond)));
      for (const [firstProcessor, lastProcessor] of processorRanges) {
        const top = Math.max(0, Math.round(lane.top + (firstProcessor - lane.first) * pixelsPerProcessor));
        const roundedBottom = Math.round(lane.top + (lastProcessor + 1 - lane.first) * pixelsPerProcessor);
        const bottom = Math.min(this.#height, Math.max(top + 1, roundedBottom));
        for (let y = top; y < bottom; y++) {
          for (let x = left; x < right; x++)
            this.#pixels[y * this.#width + x] =
              (x + this.#height - y) % hatchPeriod < scale ? absent.line : absent.area;
        }
      }
    }
  }

  #hatchRectangle(
    leftPixelX: number,
    rightPixelX: number,
    topPixelY: number,
    bottomPixelY: number,
    color: number,
  ): void {
    for (let y = topPixelY; y < bottomPixelY; y++) {
      for (let x = leftPixelX; x < rightPixelX; x++)
        if (((x + y) & 3) < 2) this.#pixels[y * this.#width + x] = color;
    }
  }

  /** Clears the area sums; an earlier painting may have been interrupted. */
  #clearPartialBlocks(): void {
    const differenceArrayLength = 4 * this.#stride * (this.#height + 1);
    if (this.#rowDifferences.length !== differenceArrayLength)
      [this.#rowDifferences, this.#columnDifferences] = [
        new Float32Array(differenceArrayLength),
        new Float32Array(differenceArrayLength),
      ];
    this.#rowHasDifferences.forEach((rowHasDifferencesFlag, y) => {
      if (rowHasDifferencesFlag !== 0)
        this.#rowDifferences.fill(0, 4 * y * this.#stride, 4 * (y + 1) * this.#stride);
    });
    this.#rowHasDifferences.fill(0);
    this.#columnDifferences.fill(0);
    this.#hasPartialBlocks = true;
  }

  /** Adds the area of a block that is less than one pixel wide or high. */
  #addPartialBlock(left: number, right: number, top: number, bottom: number, color: number): void {
    if (!this.#hasPartialBlocks) this.#clearPartialBlocks();
    const leftPixelX = Math.max(0, Math.floor(left));
    const rightPixelX = Math.min(this.#width, Math.ceil(right));
    const topPixelY = Math.max(0, Math.floor(top));
    const bottomPixelY = Math.min(this.#height, Math.ceil(bottom));
    if (rightPixelX <= leftPixelX || bottomPixelY <= topPixelY) return;
    const pixelColumnCount = rightPixelX - leftPixelX;
    const pixelRowCount = bottomPixelY - topPixelY;
    const leftColumnCoveredShare = Math.min(right, leftPixelX + 1) - Math.max(left, leftPixelX);
    const rightColumnCoveredShare = Math.min(right, rightPixelX) - (rightPixelX - 1);
    const topRowCoveredShare = Math.min(bottom, topPixelY + 1) - Math.max(top, topPixelY);
    const bottomRowCoveredShare = Math.min(bottom, bottomPixelY) - (bottomPixelY - 1);
    const firstPixelIndex = topPixelY * this.#stride + leftPixelX;
    if (pixelColumnCount > pixelRowCount) {
      for (let y = 0; y < pixelRowCount; y++) {
        const coveredShare =
          y === 0 ? topRowCoveredShare : y === pixelRowCount - 1 ? bottomRowCoveredShare : 1;
        this.#rowHasDifferences[topPixelY + y] = 1;
        addAreaToPixelRun(
          this.#rowDifferences,
          firstPixelIndex + y * this.#stride,
          1,
          pixelColumnCount,
          coveredShare * leftColumnCoveredShare,
          coveredShare,
          coveredShare * rightColumnCoveredShare,
          color,
        );
      }
    } else {
      for (let x = 0; x < pixelColumnCount; x++) {
        const coveredShare =
          x === 0 ? leftColumnCoveredShare : x === pixelColumnCount - 1 ? rightColumnCoveredShare : 1;
        addAreaToPixelRun(
          this.#columnDifferences,
          firstPixelIndex + x,
          this.#stride,
          pixelRowCount,
          coveredShare * topRowCoveredShare,
          coveredShare,
          coveredShare * bottomRowCoveredShare,
          color,
        );
      }
    }
  }

  /** Integrates the differences, and blends the result with the colour of free processors. */
  #blendPartialBlocks(freeColor: number): void {
    const [pixels, rowDifferences, columnDifferences, width] = [
      this.#pixels,
      this.#rowDifferences,
      this.#columnDifferences,
      this.#width,
    ];
    const [freeRed, freeGreen, freeBlue] = [
      freeColor & 255,
      (freeColor >>> 8) & 255,
      (freeColor >>> 16) & 255,
    ];
    const columnSums = new Float32Array(4 * width);
    for (let y = 0; y < this.#height; y++) {
      let [red, green, blue, area] = [0, 0, 0, 0];
      const hasRowDifferences = this.#rowHasDifferences[y] !== 0;
      let sumIndex = 4 * y * this.#stride;
      for (let x = 0; x < width; x++, sumIndex += 4) {
        const columnIndex = 4 * x;
        if (hasRowDifferences) {
          red += rowDifferences[sumIndex];
          green += rowDifferences[sumIndex + 1];
          blue += rowDifferences[sumIndex + 2];
          area += rowDifferences[sumIndex + 3];
        }
        columnSums[columnIndex] += columnDifferences[sumIndex];
        columnSums[columnIndex + 1] += columnDifferences[sumIndex + 1];
        columnSums[columnIndex + 2] += columnDifferences[sumIndex + 2];
        columnSums[columnIndex + 3] += columnDifferences[sumIndex + 3];
        const coveredArea = area + columnSums[columnIndex + 3];
        const i = y * width + x;
        if (coveredArea < MIN_BLOCK_AREA_IN_PIXELS || pixels[i] !== freeColor) continue;
        const freeShare = coveredArea < 1 ? 1 - coveredArea : 0;
        const scale = coveredArea < 1 ? 1 : 1 / coveredArea;
        pixels[i] =
          (0xff000000 |
            (((blue + columnSums[columnIndex + 2]) * scale + freeBlue * freeShare) << 16) |
            (((green + columnSums[columnIndex + 1]) * scale + freeGreen * freeShare) << 8) |
            ((red + columnSums[columnIndex]) * scale + freeRed * freeShare)) >>>
          0;
      }
    }
  }
}

/** Fills a rectangle; calling `fill` costs more than writing a few pixels. */
function fillPixelRectangle(
  pixels: Uint32Array,
  width: number,
  leftPixelX: number,
  rightPixelX: number,
  topPixelY: number,
  bottomPixelY: number,
  color: number,
): void {
  for (let y = topPixelY; y < bottomPixelY; y++) {
    const begin = y * width + leftPixelX;
    const end = y * width + rightPixelX;
    if (end - begin > MAX_SHORT_PIXEL_RUN_LENGTH) pixels.fill(color, begin, end);
    else for (let i = begin; i < end; i++) pixels[i] = color;
  }
}

/**
 * Adds an area to each pixel of a row or column, as differences; the first and last may be partly covered.
 */
function addAreaToPixelRun(
  differences: Float32Array,
  firstPixelIndex: number,
  step: number,
  pixelCount: number,
  firstPixelArea: number,
  innerPixelArea: number,
  lastPixelArea: number,
  color: number,
): void {
  addColorToPixelSums(differences, firstPixelIndex, firstPixelArea, color);
  if (pixelCount > 1) {
    addColorToPixelSums(differences, firstPixelIndex + step, innerPixelArea - firstPixelArea, color);
    addColorToPixelSums(
      differences,
      firstPixelIndex + (pixelCount - 1) * step,
      lastPixelArea - innerPixelArea,
      color,
    );
  }
  addColorToPixelSums(
    differences,
    firstPixelIndex + pixelCount * step,
    -(pixelCount > 1 ? lastPixelArea : firstPixelArea),
    color,
  );
}

/** Adds an area of a colour to a pixel's sums. */
function addColorToPixelSums(
  differences: Float32Array,
  pixelIndex: number,
  coveredPixelArea: number,
  color: number,
): void {
  const sumIndex = 4 * pixelIndex;
  differences[sumIndex] += coveredPixelArea * (color & 255);
  differences[sumIndex + 1] += coveredPixelArea * ((color >>> 8) & 255);
  differences[sumIndex + 2] += coveredPixelArea * ((color >>> 16) & 255);
  differences[sumIndex + 3] += coveredPixelArea;
}
