/**
 * Files that a thread writes while other work continues here, and what it writes of a report: its figures as PDF, for
 * papers.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorOf, type Fault, faultOf } from '../code/watch.js';
import { loadPdf, pdfOf } from '../draw/pdf.js';
import { PLOT_FOLDER, writeResultFolder } from '../results/resultFolder.js';
import type { Threads, ThreadTask } from '../runs/threads.js';

/** Function of the thread that writes the files of a job; it returns the error text. */
export const writing =
  <Job>(write: (job: Job) => Promise<unknown>) =>
  async (job: Job): Promise<Fault | undefined> => {
    try {
      await write(job);
      return undefined;
    } catch (error) {
      return faultOf(error);
    }
  };

/** Milliseconds for which a thread without work is kept: what it has loaded takes longer than most jobs. */
const KEPT = 10_000;

/** A thread that waits for somebody to use it; it keeps no process alive. */
interface IdleThread {
  readonly threads: unknown;
  readonly timer: NodeJS.Timeout;
}

/** Idle threads by the task that they do. */
const idle = new Map<string, IdleThread>();

/** One thread that does jobs one after the other, each of which is to write some files. */
export class FileThread<Job> {
  readonly #task: ThreadTask;
  #threads: Threads<Job | undefined, Fault | undefined> | undefined;
  readonly #begun: Promise<void>[] = [];
  /** True if all that was begun has been done. */
  #isDone = false;

  /** @param task what writes the files of a job, as `writing` makes it. */
  constructor(task: ThreadTask) {
    this.#task = task;
  }

  /** Passes a job to the thread, after earlier ones; without one the thread only gets ready. */
  async begin(job?: Job): Promise<void> {
    // Loaded where it is used.
    const { Threads } = await import('../runs/threads.js');
    this.#threads ??= this.#takeIdle() ?? new Threads(this.#task, 1, undefined);
    const begun = this.#threads.one(job).then((fault) => {
      if (fault !== undefined) throw errorOf(fault);
    });
    // Errors are reported at the end.
    begun.catch(() => {});
    this.#begun.push(begun);
    this.#isDone = false;
  }

  #takeIdle(): Threads<Job | undefined, Fault | undefined> | undefined {
    const found = idle.get(this.#task.name);
    if (found === undefined) return undefined;
    idle.delete(this.#task.name);
    clearTimeout(found.timer);
    return found.threads as Threads<Job | undefined, Fault | undefined>;
  }

  /**
   * Waits until all files are written.
   * @throws what the first job could not do.
   */
  async end(): Promise<void> {
    await Promise.all(this.#begun);
    this.#isDone = true;
  }

  /** Ends the thread, whatever it is at; one that has done all is kept a while for the next that writes such files. */
  async close(): Promise<void> {
    const threads = this.#threads;
    if (threads === undefined) return;
    this.#threads = undefined;
    if (!this.#isDone || idle.has(this.#task.name)) return threads.close();
    const timer = setTimeout(() => {
      idle.delete(this.#task.name);
      threads.close();
    }, KEPT);
    idle.set(this.#task.name, { threads, timer: timer.unref() });
  }
}

// The figures of a report as PDF, for papers

/** Figures, and the folder of their report: plain data, which a thread may be given. */
export interface PdfFiles {
  readonly folder: string;
  readonly figures: readonly { readonly id: string; readonly svg: string }[];
}

/**
 * Writes each figure as a PDF beside its SVG.
 * @throws InputError when the folder may not be written, OutputError when writing fails.
 */
export async function writePdfs({ folder, figures }: PdfFiles): Promise<void> {
  const files = figures.map(({ id, svg }) => ({
    name: `${id}.pdf`,
    write: async (path: string) => writeFile(path, await pdfOf(svg)),
  }));
  if (files.length > 0) await writeResultFolder(join(folder, PLOT_FOLDER), files);
}

/** Task that writes PDFs in a thread; without figures it only loads the library. */
export const writePdfsTask = writing(async (files: PdfFiles | undefined) =>
  files === undefined ? loadPdf() : writePdfs(files),
);

/** A thread that writes figures as PDF while reports are made. */
export const pdfThread = () =>
  new FileThread<PdfFiles>({ module: '../view/fileThread.js', name: 'writePdfsTask' });
