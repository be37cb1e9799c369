/** A line on a terminal that shows how far something is, with the time left. */
import { formatDuration } from '../format/numbers.js';
import type { Terminal } from './io.js';

/** Milliseconds before the line appears, and between its changes. */
const PATIENCE = 500;
const INTERVAL = 100;
const CLEAR_LINE = '\r\u001b[K';

export class Progress {
  readonly #what: string;
  readonly #stream: Terminal | undefined;
  readonly #begin = performance.now();
  #shown = 0;

  /** @param stream where the line goes; undefined shows nothing. */
  constructor(what: string, stream: Terminal | undefined) {
    this.#what = what;
    this.#stream = stream;
  }

  /** Tells how much is done; without a total, or at nothing done, no time left is shown. */
  update(done: number, total: number | undefined): void {
    const now = performance.now();
    const elapsed = now - this.#begin;
    if (this.#stream === undefined || elapsed < PATIENCE || now - this.#shown < INTERVAL) return;
    this.#shown = now;
    const share = total === undefined || total === 0 ? undefined : done / total;
    const left = share ? `, ${formatDuration(Math.ceil(((elapsed / share) * (1 - share)) / 1000))} left` : '';
    const percent = share === undefined ? '...' : ` ${Math.floor(share * 100)} %`;
    this.#stream.write(`${CLEAR_LINE}${this.#what}${percent}${left}`);
  }

  /** Takes the line away. */
  end(): void {
    if (this.#shown > 0) this.#stream?.write(CLEAR_LINE);
    this.#shown = 0;
  }
}
