/** Typed requests of commands, and their JSON form in results folders. */
import { readMissingCodeFiles } from '../code/codeFile.js';
import {
  makeOptionsDocument,
  type OptionsDocument,
  printOptionTextsOfDocument,
} from '../options/document.js';
import { addParsedOptionTexts, type Settings } from '../options/options.js';
import type { RequestedJobClasses } from '../runs/classResults.js';
import type { MethodComparisonSettings } from '../runs/comparison.js';
import type { RequestedMethods } from '../runs/methodSelection.js';
import type { Shard } from '../runs/shards.js';
import type { Method } from '../simulate/experiment.js';
import type { OptionTexts } from '../study/schema.js';

/** Options of a simulation, without its workload. */
export type OptionsWithoutWorkload = Omit<Settings, 'workload'>;

/** Request to simulate one workload. */
export interface SimulateRequest {
  readonly command: 'simulate';
  /** Log file or model notation. */
  readonly workload: string;
  /** Options common to all methods. */
  readonly options: OptionsWithoutWorkload;
  /** Methods by discipline and policy; one, unless several policies are given. */
  readonly methods: readonly Method[];
  /** Metric names to show; empty: default selection. */
  readonly metrics: readonly string[];
  /** Number of replications; absent: one simulation of the unperturbed jobs. */
  readonly replications?: number | undefined;
  readonly classes?: RequestedJobClasses | undefined;
}

/** Request to compare methods on one workload or several. */
export interface CompareRequest extends MethodComparisonSettings, RequestedMethods {
  readonly command: 'compare';
  /** Log files and models; empty: the setting of Shih et al. 2010. */
  readonly workloads: readonly string[];
  /** Options common to all methods. */
  readonly options: OptionsWithoutWorkload;
  /** True to show improvement ratios (NPIR) of mean response times. */
  readonly showsRatios: boolean;
  /** True to select a single best method without verdicts on the others; such a request is not saved. */
  readonly selectsBest?: boolean;
  /** True to time each simulation; such a request is not saved. */
  readonly isTimed?: boolean;
}

/** Request of `simulate` or `compare`. */
export type SimulateOrCompareRequest = SimulateRequest | CompareRequest;

/** Request to run studies. */
export interface StudyRequest {
  /** Names of studies or collections, paths of study files, or a study folder. */
  readonly studies: readonly string[];
  /** Path of the job log for studies that need one. */
  readonly trace?: string | undefined;
  /** Number of replications; default: as in each study. */
  readonly draws?: number | undefined;
  /** Simulation options that override those of the study, as texts by name. */
  readonly options: OptionTexts;
}

/** Slurm settings; absent ones are taken from the last submission. */
export interface SlurmRequest {
  readonly tasks?: number | undefined;
  readonly partition?: string | undefined;
  /** Threads per task. */
  readonly threads?: number | undefined;
  /** Additional arguments of sbatch. */
  readonly words?: readonly string[] | undefined;
  /** Additional words of the command that each task runs. */
  readonly taskWords: readonly string[];
}

/** Settings for executing simulations: threads, folder, sharding, Slurm. */
export interface ExecutionSettings {
  /** Folder for all results. */
  readonly out?: string | undefined;
  readonly threads: number;
  /** True if runs that differ only in policy share one simulation until their first different decision. */
  readonly sharing: boolean;
  /** Slurm settings; absent: no Slurm. */
  readonly slurm?: SlurmRequest | undefined;
  /** Number of shards into which the plan is divided for other processes. */
  readonly shards?: number | undefined;
  readonly shard?: Shard | undefined;
  /** Id of the only simulation to run. */
  readonly only?: string | undefined;
  /** True to print the plan without running anything. */
  readonly isDry: boolean;
  readonly allowMany: boolean;
  readonly allowCode: boolean;
  /** Path of a custom core binary; absent: the package's core. */
  readonly core?: string | undefined;
}

/** Request for one simulation of a workload. */
export function makeSimulateRequest(
  workloadSource: string,
  { discipline, policy, ...options }: OptionsWithoutWorkload,
): SimulateRequest {
  const method = {
    ...(discipline === undefined ? {} : { discipline }),
    ...(policy === undefined ? {} : { policy }),
  };
  return { command: 'simulate', workload: workloadSource, options, methods: [method], metrics: [] };
}

/** True if replications are requested. */
export function areReplicationsRequested({
  replications: replicationCount,
  untilDecided,
  selectsBest,
}: CompareRequest): boolean {
  return replicationCount !== undefined || untilDecided || selectsBest === true;
}

/** Request as stored in results folders. */
export type RequestDocument =
  | (Omit<SimulateRequest, 'options' | 'methods'> & { readonly options: OptionsDocument })
  | (Omit<CompareRequest, 'options' | 'methods' | 'selectsBest' | 'isTimed'> & {
      readonly options: OptionsDocument;
      readonly methods: readonly OptionsDocument[];
    });

/** Converts a request to plain JSON, with the option names of the library. */
export function serializeRequestOptions(request: SimulateOrCompareRequest): RequestDocument {
  if (request.command === 'simulate') {
    const { options, methods, ...otherFields } = request;
    return { ...otherFields, options: makeOptionsDocument({ ...options, ...methods[0] }) };
  }
  const { options, methods, selectsBest: _, isTimed: __, ...others } = request;
  return { ...others, options: makeOptionsDocument(options), methods: methods.map(serializeMethod) };
}

function serializeMethod({ name: methodName, ...method }: Method): OptionsDocument {
  return { ...(methodName === undefined ? {} : { name: methodName }), ...makeOptionsDocument(method) };
}

/**
 * Restores a request from JSON and reads the code files it names, unless they have been provided.
 * @throws InputError for an invalid value or a missing file.
 */
export async function restoreRequestFromDocument(
  document: RequestDocument,
): Promise<SimulateOrCompareRequest> {
  const options = await restoreOptionsFromDocument(document.options);
  if (document.command === 'simulate')
    return { ...document, ...makeSimulateRequest(document.workload, options), metrics: document.metrics };
  const methods: Method[] = [];
  for (const { name: methodName, ...method } of document.methods) {
    const options = await restoreOptionsFromDocument(method);
    methods.push(methodName === undefined ? options : { name: String(methodName), ...options });
  }
  return { ...document, options, methods };
}

async function restoreOptionsFromDocument(document: OptionsDocument): Promise<OptionsWithoutWorkload> {
  const optionTexts = printOptionTextsOfDocument(document);
  await readMissingCodeFiles(optionTexts);
  return addParsedOptionTexts({}, optionTexts);
}
