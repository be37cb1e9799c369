/** Writes jobs.csv while a simulation runs, and the other files of its folder at the end. */
import { type FileHandle, open, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../errors.js';
import { explainWriteError, makeFolderWithParents, makeTemporaryPath } from '../files/fileSystem.js';
import { joinLinesIntoChunks } from '../format/csv.js';
import { makePrintableSourceName } from '../format/text.js';
import { nameOfLogNumber } from '../trace/trace.js';
import type { Workload } from '../workload/workload.js';
import { formatJobsFileLines, type SimulationForJobsFile } from './jobsFile.js';
import {
  hasResultFiles,
  JOBS_FILE_NAME,
  RESULT_WRITE_ERROR_ADVICE,
  type ResultFile,
  writeResultFolder,
} from './resultFolder.js';

/** A folder of results whose jobs.csv is written piece by piece, under a temporary name until the end. */
export class StreamedFolder {
  readonly #folder: string;
  readonly #created: string[] = [];
  #partial = '';
  #file: FileHandle | undefined;
  /** Text that is not written yet. */
  #chunks: string[] = [];
  #largestJob = Number.NEGATIVE_INFINITY;
  /** Number of jobs in the file. */
  jobs = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Creates the folder and the file. @throws InputError, OutputError if that is impossible. */
  async open(): Promise<void> {
    await this.#explained(async () => {
      await makeFolderWithParents(this.#folder, this.#created);
      this.#partial = makeTemporaryPath(join(this.#folder, JOBS_FILE_NAME));
      this.#file = await open(this.#partial, 'wx');
    });
  }

  /**
   * Adds the rows of consecutive jobs; `flush` writes them.
   * @throws InputError if the names of the jobs might not be unique.
   */
  add(piece: SimulationForJobsFile): void {
    this.#checkJobNumbers(piece.workload);
    this.#chunks.push(...joinLinesIntoChunks(formatJobsFileLines(piece, this.jobs === 0)));
    this.jobs += piece.workload.count;
  }

  /** Names of jobs in the file are unique if their numbers are above those of all former pieces. */
  #checkJobNumbers({ job, names: namesByKind, name: workloadName }: Workload): void {
    const smallestJobNumber = job.reduce(
      (lowestJobNumber, number) => Math.min(lowestJobNumber, number),
      Number.POSITIVE_INFINITY,
    );
    if (smallestJobNumber <= this.#largestJob || (namesByKind?.job.size ?? 0) > 0) {
      throw new InputError(
        `${makePrintableSourceName(workloadName)}, job ${nameOfLogNumber(namesByKind, 'job', smallestJobNumber)}: job numbers do not ascend, or have names, and --stream does not remember which names jobs.csv has; ` +
          'simulate the log without --stream, or omit --out',
      );
    }
    this.#largestJob = job.reduce(
      (highestJobNumber, number) => Math.max(highestJobNumber, number),
      this.#largestJob,
    );
  }

  /** Writes the rows that have been added. */
  async flush(): Promise<void> {
    const chunks = this.#chunks;
    this.#chunks = [];
    await this.#explained(async () => {
      for (const chunk of chunks) await this.#file?.write(chunk);
    });
  }

  /** Writes all files of the folder; jobs.csv gets its name. */
  async finish(files: readonly ResultFile[], signal: AbortSignal): Promise<readonly string[]> {
    await this.#close();
    const jobsFile = { name: JOBS_FILE_NAME, write: (path: string) => rename(this.#partial, path) };
    const allFiles = [jobsFile, ...files];
    await writeResultFolder(this.#folder, allFiles, signal);
    return allFiles.map(({ name: fileName }) => fileName);
  }

  /**
   * Keeps the rows written so far as jobs.csv after an interruption, unless the folder has earlier results.
   * @returns true if it was kept.
   */
  async keepInterruptedResults(): Promise<boolean> {
    await this.flush();
    await this.#close();
    if (this.jobs === 0 || (await hasResultFiles(this.#folder))) {
      await this.discard();
      return false;
    }
    await rename(this.#partial, join(this.#folder, JOBS_FILE_NAME));
    return true;
  }

  /** Deletes what has been written. */
  async discard(): Promise<void> {
    await this.#close();
    await rm(this.#partial, { force: true }).catch(() => {});
    for (const path of this.#created) await rmdir(path).catch(() => {});
  }

  async #close(): Promise<void> {
    const fileHandle = this.#file;
    this.#file = undefined;
    await fileHandle?.close();
  }

  async #explained(doWork: () => Promise<void>): Promise<void> {
    try {
      await doWork();
    } catch (error) {
      throw explainWriteError(this.#folder, error, RESULT_WRITE_ERROR_ADVICE);
    }
  }
}
