/** How far a study is: one live line on a terminal, else a line every few seconds. */
import { formatDuration, formatNumber } from '../format/numbers.js';
import type { Context } from './context.js';

const LIVE_INTERVAL = 100;
const LINE_INTERVAL = 5000;
const CLEAR_LINE = '\r\u001b[K';

export class StudyProgress {
  readonly #context: Context;
  readonly #isLive: boolean;
  #begin = 0;
  #earlier = 0;
  #shown = performance.now();
  #isOpen = false;

  constructor(context: Context) {
    this.#context = context;
    this.#isLive = context.io.stderr.isTTY === true;
  }

  /** Tells how many runs are done; those of the first call were done before. */
  update(done: number, total: number): void {
    const now = performance.now();
    if (this.#begin === 0) {
      this.#begin = now;
      this.#earlier = done;
    }
    if (this.#context.isQuiet || now - this.#shown < (this.#isLive ? LIVE_INTERVAL : LINE_INTERVAL)) return;
    this.#shown = now;
    const text = this.#text(done, total, (now - this.#begin) / 1000);
    this.#context.io.stderr.write(this.#isLive ? `${CLEAR_LINE}${text}` : `${text}\n`);
    this.#isOpen = this.#isLive;
  }

  /** Takes the live line away. */
  end(): void {
    if (this.#isOpen) this.#context.io.stderr.write(CLEAR_LINE);
    this.#isOpen = false;
  }

  #text(done: number, total: number, seconds: number): string {
    const share = `${formatNumber(done)} of ${formatNumber(total)} simulations, ${Math.floor((done / total) * 100)} %`;
    const fresh = done - this.#earlier;
    if (fresh === 0 || seconds === 0) return share;
    const left = ((total - done) * seconds) / fresh;
    return `${share}, ${formatNumber(fresh / seconds, 1)} per second, ${formatDuration(Math.ceil(left))} left`;
  }
}
