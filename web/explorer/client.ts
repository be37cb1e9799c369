/** Page side of a worker: sends requests and returns the replies as promises. */
import type { WorkerReply, WorkerRequestKind, WorkerRequests } from './protocol.js';

/** Error whose message is a sentence for the user. */
export class UserFacingError extends Error {
  /** True if the user's input is wrong, not the program. */
  readonly isInput: boolean;

  constructor(message: string, isInputError: boolean) {
    super(message);
    this.isInput = isInputError;
  }
}

interface PendingRequest {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
}

/** Milliseconds after which a reply counts as late. */
const LATE_REPLY_MILLISECONDS = 500;

/** Worker together with its pending requests. */
export class WorkerClient {
  /** True if a request has been pending so long that the page offers to stop it. */
  isLate = false;
  readonly #worker: Worker;
  readonly #pendingRequests = new Map<number, PendingRequest>();
  readonly #onLate: () => void;
  #lateReplyTimer = 0;
  #lastRequestId = 0;

  /** @param onLate called when a reply becomes late, and when it is no longer late. */
  constructor(url: string, onLatenessChange: () => void = () => {}) {
    this.#onLate = onLatenessChange;
    this.#worker = new Worker(url);
    this.#worker.addEventListener('message', ({ data }: MessageEvent<WorkerReply>) =>
      this.#handleReply(data),
    );
    this.#worker.addEventListener('error', (event) => {
      this.close(event.message || 'the worker that simulates could not be started');
    });
  }

  /** Sends a request; the promise rejects with a `UserFacingError`. */
  ask<K extends WorkerRequestKind>(
    requestKind: K,
    ask: WorkerRequests[K]['ask'],
  ): Promise<WorkerRequests[K]['answer']> {
    const id = ++this.#lastRequestId;
    this.#worker.postMessage({ id, kind: requestKind, ask });
    if (this.#pendingRequests.size === 0)
      this.#lateReplyTimer = window.setTimeout(() => this.#setLate(true), LATE_REPLY_MILLISECONDS);
    return new Promise((resolve, reject) => this.#pendingRequests.set(id, { resolve, reject }));
  }

  /** Terminates the worker, even during a request; pending requests fail. */
  close(reason = 'This was stopped.'): void {
    this.#worker.terminate();
    for (const { reject } of this.#pendingRequests.values()) reject(new UserFacingError(reason, false));
    this.#pendingRequests.clear();
    this.#setLate(false);
  }

  #setLate(isLate: boolean): void {
    clearTimeout(this.#lateReplyTimer);
    if (this.isLate === isLate) return;
    this.isLate = isLate;
    this.#onLate();
  }

  #handleReply(workerReply: WorkerReply): void {
    const pendingRequest = this.#pendingRequests.get(workerReply.id);
    this.#pendingRequests.delete(workerReply.id);
    if (this.#pendingRequests.size === 0) this.#setLate(false);
    if ('fault' in workerReply)
      pendingRequest?.reject(new UserFacingError(workerReply.fault, workerReply.isInput));
    else pendingRequest?.resolve(workerReply.answer as never);
  }
}
