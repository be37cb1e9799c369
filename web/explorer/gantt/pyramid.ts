/**
 * Tiles of the whole time range at several scales. Each level has twice as many tiles as the level above.
 * Only the finest level is painted from blocks; the others are scaled down from it. So drawing costs a few
 * scaled tiles however many blocks are visible.
 */
import type { GanttBlockIndex } from './blockIndex.js';
import type { SitePixelLane } from './lanes.js';
import type { GanttPixelColors, GanttRaster } from './raster.js';

/** Largest number of pixels of the finest level: 32 MB, and as much again for all others. */
const MAX_PYRAMID_PIXELS = 1 << 23;

/** Content of a pyramid. */
export interface TilePyramidContent {
  readonly index: GanttBlockIndex;
  readonly from: number;
  readonly to: number;
  readonly lanes: readonly SitePixelLane[];
  readonly pixelColors: GanttPixelColors;
  readonly scale: number;
}

export class GanttTilePyramid {
  readonly #content: TilePyramidContent;
  readonly #raster: GanttRaster;
  readonly #finestLevel: number;
  /** Tiles by level, from the coarsest. */
  readonly #tilesByLevel: OffscreenCanvas[][] = [];
  isComplete = false;

  /** @param maxBlockCountPerTile largest number of blocks painted at once. */
  constructor(content: TilePyramidContent, ganttRaster: GanttRaster, maxBlockCountPerTile: number) {
    this.#content = content;
    this.#raster = ganttRaster;
    const { width, height } = ganttRaster.image;
    const requestedLevelCount =
      1 + Math.ceil(Math.log2(content.index.blocks.start.length / maxBlockCountPerTile));
    this.#finestLevel = Math.max(
      0,
      Math.min(requestedLevelCount, Math.floor(Math.log2(MAX_PYRAMID_PIXELS / (width * height)))),
    );
    for (let level = 0; level <= this.#finestLevel; level++) this.#tilesByLevel.push([]);
  }

  /** Paints the tiles; each step paints one. */
  *paintTiles(): Generator<undefined, void> {
    const { index: ganttIndex, from, to, lanes, pixelColors, scale } = this.#content;
    const tileCount = 2 ** this.#finestLevel;
    const tileSeconds = (to - from) / tileCount;
    for (let tileIndex = 0; tileIndex < tileCount; tileIndex++) {
      const begin = from + tileIndex * tileSeconds;
      this.#raster.paintTimeRange(
        ganttIndex,
        { from: begin, to: begin + tileSeconds, lanes },
        pixelColors,
        scale,
      );
      const [canvas, context] = this.#createTileCanvas();
      context.putImageData(this.#raster.image, 0, 0);
      this.#tilesByLevel[this.#finestLevel].push(canvas);
      yield;
    }
    for (let level = this.#finestLevel - 1; level >= 0; level--) {
      for (let tileIndex = 0; tileIndex < 2 ** level; tileIndex++)
        this.#tilesByLevel[level].push(this.#joinTiles(level + 1, 2 * tileIndex));
      yield;
    }
    this.isComplete = true;
  }

  /** Draws a time span across a whole canvas, blurred if the span is too short for the finest tiles. */
  draw(context: CanvasRenderingContext2D, from: number, to: number): void {
    const { from: wholeFrom, to: wholeTo } = this.#content;
    const { width, height } = this.#raster.image;
    const level = Math.max(0, Math.ceil(Math.log2((wholeTo - wholeFrom) / (to - from)) - 1e-9));
    const tilesOfLevel = this.#tilesByLevel[Math.min(level, this.#finestLevel)];
    const tileSeconds = (wholeTo - wholeFrom) / tilesOfLevel.length;
    const x = (time: number) => ((time - from) / (to - from)) * width;
    const firstTileIndex = Math.max(0, Math.floor((from - wholeFrom) / tileSeconds));
    for (
      let tileIndex = firstTileIndex;
      tileIndex < tilesOfLevel.length && wholeFrom + tileIndex * tileSeconds < to;
      tileIndex++
    ) {
      const [left, right] = [
        x(wholeFrom + tileIndex * tileSeconds),
        x(wholeFrom + (tileIndex + 1) * tileSeconds),
      ];
      context.drawImage(
        tilesOfLevel[tileIndex],
        Math.floor(left),
        0,
        Math.ceil(right) - Math.floor(left),
        height,
      );
    }
  }

  #createTileCanvas(): readonly [OffscreenCanvas, OffscreenCanvasRenderingContext2D] {
    const { width, height } = this.#raster.image;
    const canvas = new OffscreenCanvas(width, height);
    return [canvas, canvas.getContext('2d') as OffscreenCanvasRenderingContext2D];
  }

  #joinTiles(level: number, tileIndex: number): OffscreenCanvas {
    const [canvas, context] = this.#createTileCanvas();
    const tileHalfWidth = canvas.width / 2;
    for (const [i, tile] of this.#tilesByLevel[level].slice(tileIndex, tileIndex + 2).entries())
      context.drawImage(tile, i * tileHalfWidth, 0, tileHalfWidth, canvas.height);
    return canvas;
  }
}
