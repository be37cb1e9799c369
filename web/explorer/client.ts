/** The page's side of a worker: questions, and answers as promises. */
import type { Kind, Reply, Requests } from './protocol.js';

/** What was wrong, as a sentence for a person. */
export class Fault extends Error {
  /** Whether what was given is at fault. */
  readonly isInput: boolean;

  constructor(message: string, isInput: boolean) {
    super(message);
    this.isInput = isInput;
  }
}

interface Waiting {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
}

/** Milliseconds after which an answer is late. */
const SOON = 500;

/** A worker, and the questions that it has not answered yet. */
export class Client {
  /** Whether it has been at something for so long that one may want to stop it. */
  isLate = false;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #tellLate: () => void;
  #timer = 0;
  #id = 0;

  /** @param tellLate is called when it is late, and when it is not any more. */
  constructor(url: string, tellLate: () => void = () => {}) {
    this.#tellLate = tellLate;
    this.#worker = new Worker(url);
    this.#worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => this.#take(data));
    this.#worker.addEventListener('error', (event) => {
      this.close(event.message || 'the worker that simulates could not be started');
    });
  }

  /** Asks; the promise fails with a Fault that says what was wrong. */
  ask<K extends Kind>(kind: K, ask: Requests[K]['ask']): Promise<Requests[K]['answer']> {
    const id = ++this.#id;
    this.#worker.postMessage({ id, kind, ask });
    if (this.#waiting.size === 0) this.#timer = window.setTimeout(() => this.#setLate(true), SOON);
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  /** Ends the worker, whatever it is doing; pending requests fail. */
  close(reason = 'This was stopped.'): void {
    this.#worker.terminate();
    for (const { reject } of this.#waiting.values()) reject(new Fault(reason, false));
    this.#waiting.clear();
    this.#setLate(false);
  }

  #setLate(isLate: boolean): void {
    clearTimeout(this.#timer);
    if (this.isLate === isLate) return;
    this.isLate = isLate;
    this.#tellLate();
  }

  #take(reply: Reply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if (this.#waiting.size === 0) this.#setLate(false);
    if ('fault' in reply) waiting?.reject(new Fault(reply.fault, reply.isInput));
    else waiting?.resolve(reply.answer as never);
  }
}
