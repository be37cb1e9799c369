/**
 * Tiles of the whole time range at several scales. Each level has twice as many tiles as the level above.
 * Only the finest level is painted from blocks; the others are scaled down from it. So drawing costs a few
 * scaled tiles however many blocks are visible.
 */
import type { BlockIndex } from './blockIndex.js';
import type { Lane } from './lanes.js';
import type { PixelColors, Raster } from './raster.js';

/** Largest number of pixels of the finest level: 32 MB, and as much again for all others. */
const MAX_PIXELS = 1 << 23;

/** Content of a pyramid. */
export interface PyramidContent {
  readonly index: BlockIndex;
  readonly from: number;
  readonly to: number;
  readonly lanes: readonly Lane[];
  readonly pixelColors: PixelColors;
  readonly scale: number;
}

export class Pyramid {
  readonly #content: PyramidContent;
  readonly #raster: Raster;
  readonly #finest: number;
  /** Tiles by level, from the coarsest. */
  readonly #tiles: OffscreenCanvas[][] = [];
  isComplete = false;

  /** @param most largest number of blocks painted at once. */
  constructor(of: PyramidContent, raster: Raster, most: number) {
    this.#content = of;
    this.#raster = raster;
    const { width, height } = raster.image;
    const requested = 1 + Math.ceil(Math.log2(of.index.blocks.start.length / most));
    this.#finest = Math.max(0, Math.min(requested, Math.floor(Math.log2(MAX_PIXELS / (width * height)))));
    for (let level = 0; level <= this.#finest; level++) this.#tiles.push([]);
  }

  /** Paints the tiles; each step paints one. */
  *make(): Generator<undefined, void> {
    const { index, from, to, lanes, pixelColors: inks, scale } = this.#content;
    const count = 2 ** this.#finest;
    const span = (to - from) / count;
    for (let tile = 0; tile < count; tile++) {
      const begin = from + tile * span;
      this.#raster.paint(index, { from: begin, to: begin + span, lanes }, inks, scale);
      const [canvas, context] = this.#canvas();
      context.putImageData(this.#raster.image, 0, 0);
      this.#tiles[this.#finest].push(canvas);
      yield;
    }
    for (let level = this.#finest - 1; level >= 0; level--) {
      for (let tile = 0; tile < 2 ** level; tile++)
        this.#tiles[level].push(this.#joined(level + 1, 2 * tile));
      yield;
    }
    this.isComplete = true;
  }

  /** Draws a time span across a whole canvas, blurred if the span is too short for the finest tiles. */
  draw(context: CanvasRenderingContext2D, from: number, to: number): void {
    const { from: first, to: last } = this.#content;
    const { width, height } = this.#raster.image;
    const level = Math.max(0, Math.ceil(Math.log2((last - first) / (to - from)) - 1e-9));
    const tiles = this.#tiles[Math.min(level, this.#finest)];
    const span = (last - first) / tiles.length;
    const x = (time: number) => ((time - from) / (to - from)) * width;
    const least = Math.max(0, Math.floor((from - first) / span));
    for (let tile = least; tile < tiles.length && first + tile * span < to; tile++) {
      const [left, right] = [x(first + tile * span), x(first + (tile + 1) * span)];
      context.drawImage(tiles[tile], Math.floor(left), 0, Math.ceil(right) - Math.floor(left), height);
    }
  }

  #canvas(): readonly [OffscreenCanvas, OffscreenCanvasRenderingContext2D] {
    const { width, height } = this.#raster.image;
    const canvas = new OffscreenCanvas(width, height);
    return [canvas, canvas.getContext('2d') as OffscreenCanvasRenderingContext2D];
  }

  #joined(level: number, tile: number): OffscreenCanvas {
    const [canvas, context] = this.#canvas();
    const half = canvas.width / 2;
    for (const [i, each] of this.#tiles[level].slice(tile, tile + 2).entries())
      context.drawImage(each, i * half, 0, half, canvas.height);
    return canvas;
  }
}
