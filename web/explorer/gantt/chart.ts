/**
 * Gantt chart of a run, one lane per site. One canvas shows the blocks as pixels; a second canvas above shows
 * the selection.
 */
import { chooseReadableTextColor } from '../../../host/draw/colors.js';
import { formatNumber } from '../../../host/format/numbers.js';
import { readCurrentStyleTokens } from '../charts/tokens.js';
import { createButton, createElement } from '../dom.js';
import { currentTheme, type ExplorerModel } from '../model.js';
import type { FinishedRunData } from '../protocol.js';
import { describeJobInTwoLines } from '../words.js';
import type { GanttBlockIndex } from './blockIndex.js';
import { computeJobColors, formatPixelAsColor, type JobColorAssignment } from './colors.js';
import {
  findProcessorAtHeight,
  findVisibleSiteRange,
  layOutPixelLanes,
  type SitePixelLane,
  scrollLanes,
  totalHeightOfLanes,
} from './lanes.js';
import { GanttTilePyramid } from './pyramid.js';
import { type BlockLabel, GanttRaster } from './raster.js';

/** Largest distance in pixels between pointer and block for a hit. */
const POINTER_HIT_DISTANCE = 2;
const GANTT_LABEL_FONT_SUFFIX = 'px system-ui, sans-serif';
/**
 * Largest number of blocks painted per frame, at rest and in motion; above it, prescaled tiles (a pyramid)
 * are drawn.
 */
const [MAX_BLOCKS_AT_REST, MAX_BLOCKS_IN_MOTION] = [12_000, 7_000];
/** Number of blocks above which two moving charts are painted in alternate frames. */
const MIN_BLOCKS_FOR_ALTERNATING_FRAMES = 1_000;
/** Milliseconds of painting between two pauses, for the tiles and for the exact picture. */
const PAINT_SLICE_MILLISECONDS = 6;
/** Milliseconds without motion after which the exact picture is painted. */
const REDRAW_DELAY_AFTER_MOVE_MS = 150;
/** Height in pixels of a site's name, and of its name with the size below. */
const [SITE_NAME_HEIGHT, SITE_NAME_AND_SIZE_HEIGHT] = [13, 28];

/** Exact picture of the visible blocks. */
interface ExactGanttPicture {
  /** Inputs of the picture other than its time range: blocks, colours and lanes. */
  readonly inputs: readonly unknown[];
  readonly from: number;
  readonly to: number;
  readonly canvas: OffscreenCanvas;
}

/** A Gantt chart of the page, which has two. */
export class GanttChart {
  readonly element: HTMLElement;
  readonly #model: ExplorerModel;
  readonly #chartIndex: 0 | 1;
  readonly #blocksCanvas = createElement('canvas', { className: 'bars' });
  readonly #selectionCanvas = createElement('canvas', { className: 'marks' });
  readonly #stage: HTMLElement;
  readonly #siteNameColumn = createElement('div', { className: 'site-names' });
  readonly #scrollSpacer = createElement('div');
  readonly #scrollBar: HTMLElement;
  readonly #title = createElement('h3');
  readonly #offscreenHint = createElement('span', { className: 'away' });
  #stageSize: readonly [width: number, height: number] = [0, 0];
  #raster: GanttRaster | undefined;
  #hasMarks = false;
  #unscrolledLanes: readonly SitePixelLane[] = [];
  #lanes: readonly SitePixelLane[] = [];
  #cachedColors: { readonly key: readonly unknown[]; readonly colors: JobColorAssignment } | undefined;
  #cachedVisibleIndex: { readonly key: readonly unknown[]; readonly index: GanttBlockIndex } | undefined;
  #pyramid: { readonly key: readonly unknown[]; readonly pyramid: GanttTilePyramid } | undefined;
  /** Latest exact picture. */
  #exactPicture: ExactGanttPicture | undefined;
  /** Time of the last drawing, in milliseconds. */
  #drawnAt = -Infinity;
  #redrawTimer = 0;
  #describedState: readonly unknown[] = [];
  /** Durations of past drawings in milliseconds, the latest last. */
  readonly drawings: number[] = [];

  constructor(model: ExplorerModel, chartIndex: 0 | 1) {
    this.#model = model;
    this.#chartIndex = chartIndex;
    this.#stage = createElement(
      'div',
      { className: 'stage', tabIndex: 0, role: 'application', 'aria-roledescription': 'Gantt chart' },
      this.#blocksCanvas,
      this.#selectionCanvas,
    );
    this.#scrollBar = createElement(
      'div',
      { className: 'site-scroll', tabIndex: -1, 'aria-hidden': 'true' },
      this.#scrollSpacer,
    );
    this.#scrollBar.addEventListener('scroll', () => {
      if (this.#scrollBar.scrollTop === model.scroll) return;
      model.scroll = this.#scrollBar.scrollTop;
      model.viewChanged.notify();
    });
    this.element = createElement(
      'section',
      { className: 'gantt' },
      createElement('div', { className: 'chart-title' }, this.#title, this.#offscreenHint),
      createElement('div', { className: 'chart-row' }, this.#siteNameColumn, this.#stage, this.#scrollBar),
    );
  }

  /** Element that receives pointer and keyboard events. */
  get stage(): HTMLElement {
    return this.#stage;
  }

  /** Run shown in this chart; undefined if none. */
  get run(): FinishedRunData | undefined {
    return this.#model.runs[this.#model.shown[this.#chartIndex]];
  }

  /** Kinds of jobs with their colours, and the labels of both ends of the colour scale. */
  get colors(): Pick<JobColorAssignment, 'keys' | 'endLabels'> {
    return this.#currentColors() ?? { keys: [] };
  }

  /** Visible content: blocks, lanes in canvas pixels, colours, and the canvas. */
  get visible() {
    const { clientWidth: width, clientHeight: height } = this.#stage;
    const { pixelColors } = this.#currentColors() as JobColorAssignment;
    return {
      ...{ width, height, pixelColors, lanes: this.#lanes, canvas: this.#blocksCanvas },
      index: this.#visibleIndex(this.run as FinishedRunData, this.#blocksCanvas.height),
      scale: this.#blocksCanvas.height / height,
    };
  }

  /** True as long as tiles or an exact picture remain to be painted. */
  get isPainting(): boolean {
    return this.#redrawTimer !== 0 || (this.#pyramid !== undefined && !this.#pyramid.pyramid.isComplete);
  }

  /** Height in pixels of the lanes beyond the visible part. */
  get scrollableHeight(): number {
    return Math.max(0, this.#scrollSpacer.offsetHeight - this.#scrollBar.clientHeight);
  }

  /** Scrolls the lanes; returns false if they are already at their end. */
  scrollBy(pixels: number): boolean {
    const newScroll = Math.min(Math.max(this.#model.scroll + pixels, 0), this.scrollableHeight);
    if (newScroll === this.#model.scroll) return false;
    this.#model.scroll = newScroll;
    this.#model.viewChanged.notify();
    return true;
  }

  /** Shows the chart only if it has a run. */
  arrange(): void {
    this.element.hidden = this.run === undefined;
  }

  /** Reads the chart's size for `draw`. */
  measure(): void {
    this.#stageSize = [this.#stage.clientWidth, this.#stage.clientHeight];
  }

  /**
   * Draws the chart.
   * @param isOwnTurn false if the other chart is painted in this frame while both move.
   */
  draw(isOwnTurn: boolean): void {
    const { outcome, view: visibleRange } = this.#model;
    const { run } = this;
    const [width, height] = this.#stageSize;
    if (run === undefined || outcome === undefined || width === 0) return;
    const begin = performance.now();
    const scale = Math.min(devicePixelRatio, 2);
    const canvasSize = [Math.round(width * scale), Math.round(height * scale)] as const;
    if (this.#raster?.image.width !== canvasSize[0] || this.#raster.image.height !== canvasSize[1]) {
      this.#raster = new GanttRaster(...canvasSize);
      for (const canvas of [this.#blocksCanvas, this.#selectionCanvas])
        [canvas.width, canvas.height] = canvasSize;
    }
    this.#layOutLanes(run, canvasSize[1], scale);
    const { pixelColors } = this.#currentColors() as JobColorAssignment;
    const ganttIndex = this.#visibleIndex(run, canvasSize[1]);
    const context = this.#blocksCanvas.getContext('2d') as CanvasRenderingContext2D;
    this.#cancelRedraw();
    const isViewMoving = begin - this.#drawnAt < REDRAW_DELAY_AFTER_MOVE_MS;
    this.#drawnAt = begin;
    const examinedCount = ganttIndex.maxExaminedBlockCount(visibleRange.from, visibleRange.to);
    const pictureInputs = [ganttIndex, pixelColors, this.#lanes, this.#raster];
    const { from, to } = visibleRange;
    const exactPicture = this.#exactPictureFor(pictureInputs);
    const isOtherRange = exactPicture !== undefined && (exactPicture.from !== from || exactPicture.to !== to);
    const yieldsToOtherChart =
      isViewMoving && !isOwnTurn && isOtherRange && examinedCount > MIN_BLOCKS_FOR_ALTERNATING_FRAMES;
    if (
      examinedCount > (isViewMoving && isOtherRange ? MAX_BLOCKS_IN_MOTION : MAX_BLOCKS_AT_REST) ||
      yieldsToOtherChart
    )
      this.#drawApproximation(context, ganttIndex, pixelColors, scale);
    else {
      const blockLabels = this.#raster.paintTimeRange(
        ganttIndex,
        { from, to, lanes: this.#lanes },
        pixelColors,
        scale,
      );
      this.#storeExactPicture(context, pictureInputs);
      this.#drawBlockNames(context, blockLabels, pixelColors, scale);
    }
    this.drawings.push(performance.now() - begin);
    this.#describeChart(run, scale);
    this.mark();
  }

  /** Draws the selected job and the selected time. */
  mark(): void {
    const { run } = this;
    const { view: visibleRange, cursor, selected, hovered, span } = this.#model;
    const context = this.#selectionCanvas.getContext('2d');
    if (run === undefined || context === null) return;
    const isMarked = [run.forkedAt, cursor, selected, hovered, span].some((mark) => mark !== undefined);
    // Clearing a canvas copies it to the screen again, even if it was empty.
    if (!isMarked && !this.#hasMarks) return;
    this.#hasMarks = isMarked;
    const { width, height } = this.#selectionCanvas;
    const x = (time: number) => ((time - visibleRange.from) / (visibleRange.to - visibleRange.from)) * width;
    const { ink, muted, accent, card } = readCurrentStyleTokens();
    context.clearRect(0, 0, width, height);
    if (span !== undefined) tintSpan(context, [x(span[0]), x(span[1])], [width, height], accent);
    for (const [job, lineWidth] of [
      [hovered, 1.5],
      [selected, 3],
    ] as const) {
      if (job === undefined) continue;
      const scale = Math.min(devicePixelRatio, 2);
      // The selected job has a border that sets it off from jobs of the same colour.
      const selectionStrokes = [
        ...(job === selected ? [[lineWidth + 5, card] as const] : []),
        [lineWidth, ink] as const,
      ];
      for (const [strokeWidth, color] of selectionStrokes) {
        [context.lineWidth, context.strokeStyle] = [strokeWidth * scale, color];
        for (const [left, right, top, bottom] of this.#blockRectangles(run, job)) {
          const [boxWidth, boxHeight] = [Math.max(right - left, 5), Math.max(bottom - top, 5)];
          context.strokeRect(left, top, boxWidth, boxHeight);
        }
      }
    }
    const { forkedAt } = run;
    if (forkedAt !== undefined) drawVerticalLine(context, x(forkedAt), height, muted, [4, 4]);
    if (cursor !== undefined) drawVerticalLine(context, x(cursor), height, accent, []);
    this.#pointToJob(run, selected);
  }

  /** Returns the job at a position in page pixels; undefined if there is none. */
  jobAt(x: number, y: number): number | undefined {
    const { run } = this;
    if (run === undefined) return undefined;
    const { view: visibleRange } = this.#model;
    const secondsPerPixel = (visibleRange.to - visibleRange.from) / this.#stage.clientWidth;
    const scale = this.#blocksCanvas.height / this.#stage.clientHeight;
    const ganttIndex = this.#model.indexOf(run);
    const processor = findProcessorAtHeight(this.#lanes, y * scale);
    const block = ganttIndex.blockAt(
      visibleRange.from + x * secondsPerPixel,
      processor,
      POINTER_HIT_DISTANCE * secondsPerPixel,
    );
    return block < 0 ? undefined : ganttIndex.blocks.job[block];
  }

  /** Returns the centre of a job's first block in pixels of the chart. */
  placeOf(job: number): readonly [x: number, y: number] | undefined {
    const { run } = this;
    const [box] = run === undefined ? [] : this.#blockRectangles(run, job);
    if (box === undefined) return undefined;
    const scale = this.#blocksCanvas.height / this.#stage.clientHeight;
    return [(box[0] + box[1]) / 2 / scale, (box[2] + box[3]) / 2 / scale];
  }

  /** Scrolls a job's first block into view. */
  reveal(job: number): void {
    const jobCenter = this.placeOf(job);
    const { clientHeight } = this.#stage;
    if (jobCenter !== undefined && (jobCenter[1] < 0 || jobCenter[1] > clientHeight))
      this.scrollBy(jobCenter[1] - clientHeight / 2);
  }

  /** Returns left, right, top and bottom of each block of a job, in canvas pixels. */
  #blockRectangles(
    run: FinishedRunData,
    job: number,
  ): readonly (readonly [number, number, number, number])[] {
    const { view: visibleRange } = this.#model;
    const ganttIndex = this.#model.indexOf(run);
    const { start, end, first: firstProcessors, after: endProcessors, site } = ganttIndex.blocks;
    const x = (time: number) =>
      ((time - visibleRange.from) / (visibleRange.to - visibleRange.from)) * this.#blocksCanvas.width;
    return Array.from(ganttIndex.blocksOfJob(job), (block) => {
      const lane = this.#lanes[site[block]];
      const y = (processor: number) => lane.top + (processor - lane.first) * (lane.height / lane.capacity);
      return [x(start[block]), x(end[block]), y(firstProcessors[block]), y(endProcessors[block])] as const;
    });
  }

  /** Lays out the lanes of a run's grid at the model's scroll position. */
  #layOutLanes({ capacities }: FinishedRunData, height: number, scale: number): void {
    const layoutKey = [capacities, height, scale];
    if (!layoutKey.every((part, i) => part === this.#layoutKey[i])) {
      this.#layoutKey = layoutKey;
      this.#unscrolledLanes = layOutPixelLanes(capacities, height, scale);
      const totalHeight = Math.ceil(totalHeightOfLanes(this.#unscrolledLanes) / scale);
      this.#scrollBar.hidden = totalHeight * scale <= height + scale;
      this.#scrollSpacer.style.height = `${totalHeight}px`;
    }
    const scrollOffset = Math.round(
      Math.min(this.#model.scroll, this.#scrollBar.hidden ? 0 : this.scrollableHeight) * scale,
    );
    if (
      this.#scrolledBy !== scrollOffset ||
      this.#lanes.length === 0 ||
      this.#scrolledFrom !== this.#unscrolledLanes
    ) {
      [this.#scrolledBy, this.#scrolledFrom] = [scrollOffset, this.#unscrolledLanes];
      this.#lanes =
        scrollOffset === 0 ? this.#unscrolledLanes : scrollLanes(this.#unscrolledLanes, scrollOffset);
      this.#scrollBar.scrollTop = scrollOffset / scale;
    }
  }
  #layoutKey: readonly unknown[] = [];
  #scrolledBy = 0;
  #scrolledFrom: readonly SitePixelLane[] = [];

  /** Returns the blocks of the visible sites. */
  #visibleIndex(run: FinishedRunData, height: number): GanttBlockIndex {
    const ganttIndex = this.#model.indexOf(run);
    const [first, last] = findVisibleSiteRange(this.#lanes, height);
    if (first === 0 && last === this.#lanes.length - 1) return ganttIndex;
    const indexKey = [run, first, last];
    if (this.#cachedVisibleIndex?.key.every((part, i) => part === indexKey[i]))
      return this.#cachedVisibleIndex.index;
    this.#cachedVisibleIndex = { key: indexKey, index: ganttIndex.makeIndexOfSites(first, last) };
    return this.#cachedVisibleIndex.index;
  }

  /** Returns the latest exact picture if it has the given inputs. */
  #exactPictureFor(pictureInputs: ExactGanttPicture['inputs']): ExactGanttPicture | undefined {
    return this.#exactPicture?.inputs.every((input, i) => input === pictureInputs[i])
      ? this.#exactPicture
      : undefined;
  }

  /** Shows the painted pixels and stores them as the exact picture. */
  #storeExactPicture(context: CanvasRenderingContext2D, pictureInputs: ExactGanttPicture['inputs']): void {
    const { image } = this.#raster as GanttRaster;
    const { from, to } = this.#model.view;
    const hasImageSize =
      this.#exactPicture?.canvas.width === image.width && this.#exactPicture.canvas.height === image.height;
    const canvas = hasImageSize
      ? (this.#exactPicture as ExactGanttPicture).canvas
      : new OffscreenCanvas(image.width, image.height);
    canvas.getContext('2d')?.putImageData(image, 0, 0);
    this.#exactPicture = { inputs: pictureInputs, from, to, canvas };
    context.putImageData(image, 0, 0);
  }

  /**
   * Draws the exact picture if there is one; otherwise the best approximation, and the exact picture once the
   * chart has been still for a moment.
   */
  #drawApproximation(
    context: CanvasRenderingContext2D,
    ganttIndex: GanttBlockIndex,
    blockColors: JobColorAssignment['pixelColors'],
    scale: number,
  ): void {
    const { from, to } = this.#model.view;
    const pyramid = this.#pyramidOf(ganttIndex, blockColors, scale);
    const ganttRaster = this.#raster as GanttRaster;
    const pictureInputs = [ganttIndex, blockColors, this.#lanes, ganttRaster];
    const exactPicture = this.#exactPictureFor(pictureInputs);
    const paintingSteps = ganttRaster.paintInSteps(
      ganttIndex,
      { from, to, lanes: this.#lanes },
      blockColors,
      scale,
    );
    if (exactPicture === undefined && !pyramid.isComplete) {
      while (paintingSteps.next().done !== true);
      this.#storeExactPicture(context, pictureInputs);
      return;
    }
    const isExactPicture = exactPicture?.from === from && exactPicture.to === to;
    const hasFewBlocks = ganttIndex.maxExaminedBlockCount(from, to) <= MAX_BLOCKS_AT_REST;
    context.clearRect(0, 0, ganttRaster.image.width, ganttRaster.image.height);
    if (pyramid.isComplete && !isExactPicture) pyramid.draw(context, from, to);
    if (exactPicture !== undefined && (isExactPicture || hasFewBlocks || !pyramid.isComplete))
      drawStretchedPicture(context, exactPicture, from, to);
    if (isExactPicture) return;
    const paintSlice = () => {
      const end = performance.now() + PAINT_SLICE_MILLISECONDS;
      while (performance.now() < end) {
        const { done, value: blockLabels } = paintingSteps.next();
        if (done !== true) continue;
        this.#redrawTimer = 0;
        this.#storeExactPicture(context, pictureInputs);
        if (hasFewBlocks) this.#drawBlockNames(context, blockLabels, blockColors, scale);
        return;
      }
      this.#redrawTimer = window.setTimeout(paintSlice);
    };
    this.#redrawTimer = window.setTimeout(paintSlice, REDRAW_DELAY_AFTER_MOVE_MS);
  }

  #cancelRedraw(): void {
    clearTimeout(this.#redrawTimer);
    this.#redrawTimer = 0;
  }

  /** Returns the tiles of the visible blocks made so far; the others are painted between drawings. */
  #pyramidOf(
    ganttIndex: GanttBlockIndex,
    blockColors: JobColorAssignment['pixelColors'],
    scale: number,
  ): GanttTilePyramid {
    const [from, to] = this.#model.view.whole;
    const pyramidInputs = [ganttIndex, blockColors, this.#lanes, this.#raster, from, to];
    if (this.#pyramid?.key.every((part, i) => part === pyramidInputs[i])) return this.#pyramid.pyramid;
    const ganttRaster = new GanttRaster(...([this.#blocksCanvas.width, this.#blocksCanvas.height] as const));
    const pyramid = new GanttTilePyramid(
      { index: ganttIndex, from, to, lanes: this.#lanes, pixelColors: blockColors, scale },
      ganttRaster,
      MAX_BLOCKS_AT_REST,
    );
    this.#pyramid = { key: pyramidInputs, pyramid };
    const paintSteps = pyramid.paintTiles();
    const paintTiles = () => {
      if (this.#pyramid?.pyramid !== pyramid) return;
      const end = performance.now() + PAINT_SLICE_MILLISECONDS;
      while (performance.now() < end) if (paintSteps.next().done) return;
      setTimeout(paintTiles);
    };
    setTimeout(paintTiles);
    return pyramid;
  }

  #drawBlockNames(
    context: CanvasRenderingContext2D,
    blockLabels: readonly BlockLabel[],
    blockColors: JobColorAssignment['pixelColors'],
    scale: number,
  ): void {
    const { outcome } = this.#model;
    context.font = `${10 * scale}${GANTT_LABEL_FONT_SUFFIX}`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    for (const { x, y, width: blockWidth, job } of blockLabels) {
      const jobName = outcome?.jobs.names[job] ?? '';
      if (jobName.length * 6 * scale > blockWidth - 4) continue;
      context.fillStyle = chooseReadableTextColor(
        formatPixelAsColor(blockColors.fills[blockColors.kindOf[job]]),
      );
      context.fillText(jobName, x, y);
    }
  }

  #currentColors(): JobColorAssignment | undefined {
    const { outcome, coloring, matches, runs, shown: shownRuns } = this.#model;
    const { run } = this;
    if (run === undefined || outcome === undefined) return undefined;
    const theme = currentTheme();
    const otherRun = runs[shownRuns[1 - this.#chartIndex]];
    const colorInputs = [outcome.jobs, run, otherRun, coloring, matches, theme];
    if (this.#cachedColors?.key.every((part, i) => part === colorInputs[i])) return this.#cachedColors.colors;
    const isDimmedJob = matches && ((job: number) => !matches.has(job));
    this.#cachedColors = {
      key: colorInputs,
      colors: computeJobColors(coloring, theme, {
        jobs: outcome.jobs,
        run,
        other: otherRun,
        dimmed: isDimmedJob,
      }),
    };
    return this.#cachedColors.colors;
  }

  /** Shows an arrow towards the selected job if it is out of sight: left, right, above or below. */
  #pointToJob(run: FinishedRunData, job: number | undefined): void {
    const { outcome, view: visibleRange } = this.#model;
    const [box] = job === undefined ? [] : this.#blockRectangles(run, job);
    const { width, height } = this.#blocksCanvas;
    const isBefore = box !== undefined && box[1] < 0;
    const isAfter = box !== undefined && box[0] > width;
    const isAbove = box !== undefined && box[3] < 0;
    const isBelow = box !== undefined && box[2] > height;
    if (job === undefined || outcome === undefined || !(isBefore || isAfter || isAbove || isBelow)) {
      if (this.#offscreenHint.hasChildNodes()) this.#offscreenHint.replaceChildren();
      return;
    }
    const arrow = isBefore ? '◀ ' : isAfter ? '' : isAbove ? '▲ ' : '▼ ';
    const hintText = `${arrow}job ${outcome.jobs.names[job]} starts ${this.#model.when(run.start[job])}${isAfter ? ' ▶' : ''}`;
    if (this.#offscreenHint.textContent === hintText) return;
    const showJob = () => {
      visibleRange.moveSpanIntoView(run.start[job], run.start[job] + run.execution[job]);
      this.#model.viewChanged.notify();
      this.reveal(job);
    };
    this.#offscreenHint.replaceChildren(createButton(hintText, showJob, 'Show it in this chart', 'link'));
    this.#offscreenHint.dataset.side = isBefore ? 'before' : isAfter ? 'after' : 'across';
  }

  #describeChart(run: FinishedRunData, scale: number): void {
    const { outcome, selected } = this.#model;
    if (outcome === undefined) return;
    if (this.#title.textContent !== run.label) this.#title.textContent = run.label;
    const chartLabel = `Gantt chart of ${run.label}: ${formatNumber(outcome.jobs.count)} jobs by site. Arrow keys move, plus and minus zoom, comma and full stop go from job to job, Enter explains the job.`;
    const label =
      selected === undefined
        ? chartLabel
        : `${chartLabel} Chosen: ${describeJobInTwoLines(outcome, run, selected).join(', ')}.`;
    if (this.#stage.getAttribute('aria-label') !== label) this.#stage.setAttribute('aria-label', label);
    const descriptionInputs = [this.#lanes, run, scale];
    if (descriptionInputs.every((part, i) => part === this.#describedState[i])) return;
    this.#describedState = descriptionInputs;
    this.#siteNameColumn.replaceChildren(...this.#siteNames(run, scale));
  }

  /** Creates the names of the visible sites whose lanes are high enough. */
  #siteNames({ capacities, speeds }: FinishedRunData, scale: number): HTMLElement[] {
    const [first, last] = findVisibleSiteRange(this.#lanes, this.#blocksCanvas.height);
    const siteNameElements: HTMLElement[] = [];
    let nextFreeY = 0;
    for (let site = first; site <= last; site++) {
      const lane = this.#lanes[site];
      const [top, height] = [lane.top / scale, lane.height / scale];
      const middleY = Math.max(top + height / 2, SITE_NAME_HEIGHT / 2);
      const speed = speeds[site] === 1 ? '' : ` × ${Number(speeds[site].toPrecision(3))}`;
      const siteSizeText = `${formatNumber(capacities[site])}${speed}`;
      const labelHeight = height >= SITE_NAME_AND_SIZE_HEIGHT ? SITE_NAME_AND_SIZE_HEIGHT : SITE_NAME_HEIGHT;
      const labelTop = middleY - labelHeight / 2;
      if (labelTop < nextFreeY || labelTop + labelHeight > this.#blocksCanvas.height / scale + 2) continue;
      nextFreeY = labelTop + labelHeight;
      const isSingle = labelHeight === SITE_NAME_HEIGHT;
      const element = createElement(
        'div',
        { className: 'site-name', title: `site ${site + 1}: ${siteSizeText} processors × speed` },
        createElement('b', {}, `${isSingle && capacities.length > 1 ? '' : 'site '}${site + 1}`),
        createElement('span', {}, isSingle ? `: ${siteSizeText}` : siteSizeText),
      );
      element.classList.toggle('is-one', isSingle);
      element.style.top = `${labelTop}px`;
      siteNameElements.push(element);
    }
    return siteNameElements;
  }
}

/** Draws an exact picture scaled to another time range. */
function drawStretchedPicture(
  context: CanvasRenderingContext2D,
  picture: ExactGanttPicture,
  from: number,
  to: number,
): void {
  const { width, height } = picture.canvas;
  const pixelsPerSecond = width / (to - from);
  const imageLeft = (picture.from - from) * pixelsPerSecond;
  context.drawImage(picture.canvas, imageLeft, 0, (picture.to - picture.from) * pixelsPerSecond, height);
}

/** Tints a time span, given by its ends in pixels, and draws a line at each end. */
function tintSpan(
  context: CanvasRenderingContext2D,
  [left, right]: readonly [number, number],
  [width, height]: readonly [number, number],
  color: string,
): void {
  context.fillStyle = color;
  context.globalAlpha = 0.09;
  context.fillRect(left, 0, right - left, height);
  context.globalAlpha = 1;
  for (const x of [left, right]) if (x >= 0 && x <= width) drawVerticalLine(context, x, height, color, []);
}

function drawVerticalLine(
  context: CanvasRenderingContext2D,
  x: number,
  height: number,
  color: string,
  dash: number[],
): void {
  context.strokeStyle = color;
  context.lineWidth = 1.5;
  context.setLineDash(dash);
  context.beginPath();
  context.moveTo(x, 0);
  context.lineTo(x, height);
  context.stroke();
  context.setLineDash([]);
}
