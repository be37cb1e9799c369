/** Threads that write files (result tables, PDF figures) while the main thread continues. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Fault, makeErrorFromFault, makeFaultFromError } from '../code/watch.js';
import { loadPdfWriter, pdfOf } from '../draw/pdf.js';
import { FIGURES_FOLDER_NAME, writeResultFolder } from '../results/resultFolder.js';
import type { Threads, ThreadTask } from '../runs/threads.js';

/** Wraps a function that writes files as a thread task; the task returns the error text, if any. */
export const makeFileWriteTask =
  <WriteRequest>(writeRequestedFiles: (request: WriteRequest) => Promise<unknown>) =>
  async (request: WriteRequest): Promise<Fault | undefined> => {
    try {
      await writeRequestedFiles(request);
      return undefined;
    } catch (error) {
      return makeFaultFromError(error);
    }
  };

/**
 * Milliseconds for which an idle thread is kept, since loading its libraries takes longer than most writing.
 */
const MAX_IDLE_THREAD_MILLISECONDS = 10_000;

/** Idle thread kept for reuse; it does not keep the process alive. */
interface IdleThread {
  readonly threads: unknown;
  readonly timer: NodeJS.Timeout;
}

/** Idle threads by the task that they execute. */
const idleThreadByTaskName = new Map<string, IdleThread>();

/** Thread that writes the files of requests one after another. */
export class FileThread<WriteRequest> {
  readonly #task: ThreadTask;
  #threads: Threads<WriteRequest | undefined, Fault | undefined> | undefined;
  readonly #startedWrites: Promise<void>[] = [];
  /** True if `end` has waited for the files of all requests. */
  #isDone = false;

  /** @param task the thread task, made by `makeFileWriteTask`. */
  constructor(task: ThreadTask) {
    this.#task = task;
  }

  /** Queues the files of a request; without a request the thread only loads its libraries. */
  async begin(request?: WriteRequest): Promise<void> {
    // Imported here because the explorer's page does not need threads.
    const { Threads } = await import('../runs/threads.js');
    this.#threads ??= this.#takeIdle() ?? new Threads(this.#task, 1, undefined);
    const fileWritePromise = this.#threads.runTask(request).then((fault) => {
      if (fault !== undefined) throw makeErrorFromFault(fault);
    });
    // Errors are reported by `end`.
    fileWritePromise.catch(() => {});
    this.#startedWrites.push(fileWritePromise);
    this.#isDone = false;
  }

  #takeIdle(): Threads<WriteRequest | undefined, Fault | undefined> | undefined {
    const idleThread = idleThreadByTaskName.get(this.#task.name);
    if (idleThread === undefined) return undefined;
    idleThreadByTaskName.delete(this.#task.name);
    clearTimeout(idleThread.timer);
    return idleThread.threads as Threads<WriteRequest | undefined, Fault | undefined>;
  }

  /**
   * Waits until all files are written.
   * @throws the first error of a request.
   */
  async end(): Promise<void> {
    await Promise.all(this.#startedWrites);
    this.#isDone = true;
  }

  /**
   * Ends the thread, even while it writes; a thread that has written everything is kept for a while for
   * reuse.
   */
  async close(): Promise<void> {
    const threads = this.#threads;
    if (threads === undefined) return;
    this.#threads = undefined;
    if (!this.#isDone || idleThreadByTaskName.has(this.#task.name)) return threads.close();
    const timer = setTimeout(() => {
      idleThreadByTaskName.delete(this.#task.name);
      threads.close();
    }, MAX_IDLE_THREAD_MILLISECONDS);
    idleThreadByTaskName.set(this.#task.name, { threads, timer: timer.unref() });
  }
}

// Figures of a report as PDF files, for papers.

/** Figures and the folder of their report, as plain data for a thread. */
export interface PdfFiles {
  readonly folder: string;
  readonly figures: readonly { readonly id: string; readonly svg: string }[];
}

/**
 * Writes each figure as a PDF beside its SVG. @throws InputError when the folder may not be written, OutputError when writing fails.
 */
export async function writePdfs({ folder, figures }: PdfFiles): Promise<void> {
  const files = figures.map(({ id: figureId, svg }) => ({
    name: `${figureId}.pdf`,
    write: async (path: string) => writeFile(path, await pdfOf(svg)),
  }));
  if (files.length > 0) await writeResultFolder(join(folder, FIGURES_FOLDER_NAME), files);
}

/** Thread task that writes PDF files; without figures it only loads the PDF library. */
export const writePdfsTask = makeFileWriteTask(async (pdfFiles: PdfFiles | undefined) =>
  pdfFiles === undefined ? loadPdfWriter() : writePdfs(pdfFiles),
);

/** Creates a thread that writes figures as PDF while reports are made. */
export const makePdfThread = () =>
  new FileThread<PdfFiles>({ module: '../view/fileThread.js', name: 'writePdfsTask' });
