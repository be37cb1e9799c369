/** Lines on standard error that show how far something is, with the time left. */
import { formatDuration, formatNumber } from '../format/numbers.js';
import type { Terminal } from './io.js';

/** Milliseconds before a line appears on a terminal, between its changes, and between lines elsewhere. */
const PATIENCE = 500;
const INTERVAL = 100;
const LINE_INTERVAL = 5000;
const CLEAR_LINE = '\r\u001b[K';

/** What a line says when so much is done, of a total if it is known. */
export type ProgressText = (done: number, total: number | undefined) => string;

/** One live line on a terminal; elsewhere a line every few seconds, where that is wanted. */
export class Progress {
  readonly #text: ProgressText;
  readonly #stream: Terminal | undefined;
  readonly #isLive: boolean;
  /** When the next line is due. */
  #next: number;
  #isOpen = false;

  /** @param stream where the line goes; undefined shows nothing. */
  constructor(text: ProgressText, stream: Terminal | undefined, hasLines = false) {
    this.#text = text;
    this.#isLive = stream?.isTTY === true;
    this.#stream = this.#isLive || hasLines ? stream : undefined;
    this.#next = performance.now() + (this.#isLive ? PATIENCE : LINE_INTERVAL);
  }

  /** Tells how much is done. */
  update(done: number, total: number | undefined): void {
    const now = performance.now();
    if (this.#stream === undefined || now < this.#next) return;
    this.#next = now + (this.#isLive ? INTERVAL : LINE_INTERVAL);
    const text = this.#text(done, total);
    this.#stream.write(this.#isLive ? `${CLEAR_LINE}${text}` : `${text}\n`);
    this.#isOpen = this.#isLive;
  }

  /** Takes the live line away. */
  end(): void {
    if (this.#isOpen) this.#stream?.write(CLEAR_LINE);
    this.#isOpen = false;
  }
}

/** `reading log.swf 25 %, 3 min left`; without a total, or at nothing done, no time left. */
export function shareDone(what: string): ProgressText {
  const begin = performance.now();
  return (done, total) => {
    const share = total === undefined || total === 0 ? undefined : done / total;
    if (share === undefined) return `${what}...`;
    const seconds = (performance.now() - begin) / 1000;
    const left = share > 0 ? `, ${formatDuration(Math.ceil((seconds / share) * (1 - share)))} left` : '';
    return `${what} ${Math.floor(share * 100)} %${left}`;
  };
}

/** `30 of 40 simulations, 75 %, 2.5 per second, 4 s left`; `earlier` ones were done before, in no time. */
export function simulationsDone(earlier: number): ProgressText {
  const begin = performance.now();
  return (done, total = done) => {
    const share = `${formatNumber(done)} of ${formatNumber(total)} simulations, ${Math.floor((done / total) * 100)} %`;
    const seconds = (performance.now() - begin) / 1000;
    const perSecond = (done - earlier) / seconds;
    if (!(perSecond > 0)) return share;
    return `${share}, ${formatNumber(perSecond, 1)} per second, ${formatDuration(Math.ceil((total - done) / perSecond))} left`;
  };
}
