/** What commands ask for: typed values, and the JSON documents of these that folders keep. */
import { readCodeIn } from '../code/codeFile.js';
import { documentTexts, type OptionsDocument, optionsDocument } from '../options/document.js';
import { type Settings, withTexts } from '../options/options.js';
import type { RequestedClasses } from '../runs/classResults.js';
import type { ComparisonSettings } from '../runs/comparison.js';
import type { RequestedMethods } from '../runs/methodSelection.js';
import type { Shard } from '../runs/shards.js';
import type { Method } from '../simulate/experiment.js';
import type { OptionTexts } from '../study/schema.js';

/** Options of a simulation, without its workload. */
export type Options = Omit<Settings, 'workload'>;

/** Request to simulate the jobs of one workload. */
export interface SimulateRequest {
  readonly command: 'simulate';
  /** The log or model. */
  readonly workload: string;
  /** Options of all methods. */
  readonly options: Options;
  /** Methods by discipline and policy; one, unless several policies are given. */
  readonly methods: readonly Method[];
  /** Names of the metrics to show; empty: a common selection. */
  readonly metrics: readonly string[];
  /** Number of replications; absent: the jobs are simulated once, as they are. */
  readonly replications?: number | undefined;
  readonly classes?: RequestedClasses | undefined;
}

/** Request to compare methods on one workload or several. */
export interface CompareRequest extends ComparisonSettings, RequestedMethods {
  readonly command: 'compare';
  /** Logs and models; empty: the setting of Shih et al. 2010. */
  readonly workloads: readonly string[];
  /** Options of all methods. */
  readonly options: Options;
  /** True if improvement ratios are shown. */
  readonly showsRatios: boolean;
  /** True if one best method is wanted, and no verdicts on the others; such a request is not saved. */
  readonly selectsBest?: boolean;
  /** True if each simulation is timed; such a request is not saved. */
  readonly isTimed?: boolean;
}

/** Request whose runs answer a question about methods. */
export type RunsRequest = SimulateRequest | CompareRequest;

/** Request to run studies. */
export interface StudyRequest {
  /** Names of studies or collections, study files, or the folder of a study. */
  readonly studies: readonly string[];
  /** The job log of studies that need one. */
  readonly trace?: string | undefined;
  /** Number of replications; default: that of each study. */
  readonly draws?: number | undefined;
  /** Changed options of simulations, as texts by name. */
  readonly options: OptionTexts;
}

/** Requests to Slurm; what is not given is as in the last submission. */
export interface SlurmRequest {
  readonly tasks?: number | undefined;
  readonly partition?: string | undefined;
  /** Threads of each task. */
  readonly threads?: number | undefined;
  /** Further arguments of sbatch. */
  readonly words?: readonly string[] | undefined;
  /** Words for the command that each task runs. */
  readonly taskWords: readonly string[];
}

/** Execution of a command's simulations. */
export interface Execution {
  /** The folder for all results. */
  readonly out?: string | undefined;
  readonly threads: number;
  /** True if runs share what they have in common. */
  readonly sharing: boolean;
  /** Set where Slurm runs them. */
  readonly slurm?: SlurmRequest | undefined;
  /** Into how many shards the plan is cut for others to run. */
  readonly shards?: number | undefined;
  readonly shard?: Shard | undefined;
  /** The run.id of the one simulation requested. */
  readonly only?: string | undefined;
  /** True if to say what would be run, and run nothing. */
  readonly isDry: boolean;
  readonly allowMany: boolean;
  readonly allowCode: boolean;
  /** The core of the user's own, where one is given. */
  readonly core?: string | undefined;
}

/** The request to simulate a workload once, with all options. */
export function simulateRequest(
  workload: string,
  { discipline, policy, ...options }: Options,
): SimulateRequest {
  const method = {
    ...(discipline === undefined ? {} : { discipline }),
    ...(policy === undefined ? {} : { policy }),
  };
  return { command: 'simulate', workload, options, methods: [method], metrics: [] };
}

/** True if replications are requested. */
export function isReplicated({ replications, untilDecided, selectsBest }: CompareRequest): boolean {
  return replications !== undefined || untilDecided || selectsBest === true;
}

/** A request as folders keep it. */
export type RequestDocument =
  | (Omit<SimulateRequest, 'options' | 'methods'> & { readonly options: OptionsDocument })
  | (Omit<CompareRequest, 'options' | 'methods' | 'selectsBest' | 'isTimed'> & {
      readonly options: OptionsDocument;
      readonly methods: readonly OptionsDocument[];
    });

/** Writes a request as plain JSON: options by the names that the library gives them. */
export function requestDocument(request: RunsRequest): RequestDocument {
  if (request.command === 'simulate') {
    const { options, methods, ...others } = request;
    return { ...others, options: optionsDocument({ ...options, ...methods[0] }) };
  }
  const { options, methods, selectsBest: _, isTimed: __, ...others } = request;
  return { ...others, options: optionsDocument(options), methods: methods.map(methodDocument) };
}

function methodDocument({ name, ...method }: Method): OptionsDocument {
  return { ...(name === undefined ? {} : { name }), ...optionsDocument(method) };
}

/**
 * Reads the request of a document, and the files with functions that it names.
 * @throws InputError for a value that an option does not take, and a file that is gone.
 */
export async function requestOf(document: RequestDocument): Promise<RunsRequest> {
  const options = await optionsOf(document.options);
  if (document.command === 'simulate')
    return { ...document, ...simulateRequest(document.workload, options), metrics: document.metrics };
  const methods: Method[] = [];
  for (const { name, ...method } of document.methods) {
    const options = await optionsOf(method);
    methods.push(name === undefined ? options : { name: String(name), ...options });
  }
  return { ...document, options, methods };
}

async function optionsOf(document: OptionsDocument): Promise<Options> {
  const texts = documentTexts(document);
  await readCodeIn(texts);
  return withTexts({}, texts);
}
