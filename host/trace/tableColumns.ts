/** What the columns of a table mean: as an option says, as a known public table has them, or as their names suggest. */
import { InputError } from '../errors.js';
import { quoteText } from '../format/text.js';
import { SWF_FIELDS } from './trace.js';

/** What a column may be: a field of SWF, or a moment from which some of these follow. */
const TARGETS = [...SWF_FIELDS, 'eligible', 'start', 'end'] as const;
/** One of `TARGETS`. */
export type Target = (typeof TARGETS)[number];

/** A column that is used. */
export interface TargetColumn {
  readonly target: Target;
  /** Its name in the table. */
  readonly column: string;
  /** Its values are multiplied by this, such as 60 for minutes. */
  readonly factor: number;
  /** A known table may lack it. */
  readonly isOptional: boolean;
}

/** A public data set that is a table. */
export interface KnownTable {
  readonly name: string;
  /** Where it is described. */
  readonly source: string;
  /** Its columns as the option `columns` has them; a table that has all without `?` is taken for this one. */
  readonly columns: string;
}

/** Public tables, whose columns were looked up where the source says. */
export const KNOWN_TABLES: readonly KnownTable[] = [
  {
    name: 'PM100',
    source: 'github.com/francescoantici/PM100-data, documentation/job_features.md',
    columns:
      'job=job_id,submit=submit_time,eligible=eligible_time,start=start_time,end=end_time,runtime=run_time,' +
      'processors=num_cores_alloc,requestedProcessors=num_cores_req,requestedTime=time_limit*60,' +
      'status=job_state,user=user_id,group=group_id,queue=partition',
  },
  {
    name: 'Helios',
    source: 'github.com/S-Lab-System-Group/HeliosData, README.md; processors are GPUs',
    columns:
      'job=job_id,submit=submit_time,start=start_time,end=end_time,runtime=duration,processors=gpu_num,' +
      'status=state,user=user,group=vc',
  },
  {
    name: 'F-DATA',
    source: 'Fugaku, doi.org/10.5281/zenodo.11467483; columns as programs that read it have them',
    columns:
      'job=jid,submit=adt,start=sdt,end=edt,runtime=duration,processors=cnumat,requestedProcessors=cnumr,' +
      'requestedTime=elpl,status=exit state,user=usr,executable=jnam',
  },
  {
    name: 'ALCF DIM_JOB_COMPOSITE',
    source: 'reports.alcf.anl.gov/data; columns as programs that read it have them; processors are nodes',
    columns:
      'job=COBALT_JOBID,submit=QUEUED_TIMESTAMP,start=START_TIMESTAMP,end=END_TIMESTAMP,runtime=RUNTIME_SECONDS,' +
      'processors=NODES_USED,requestedTime=WALLTIME_SECONDS,user=USERNAME_GENID?,queue=QUEUE_NAME?',
  },
  {
    name: 'Eagle',
    source: 'github.com/NREL/eagle-jobs, data/sample_eagle_data.csv',
    columns:
      'job=job_id,submit=submit_time,start=start_time,end=end_time,runtime=run_time,processors=processors_req,' +
      'requestedTime=wallclock_req,status=state,user=user,group=account,queue=partition,executable=name',
  },
  {
    name: 'Batsim',
    source: 'batsim.readthedocs.io, output-jobs',
    columns:
      'job=job_id,submit=submission_time,start=starting_time,end=finish_time,runtime=execution_time,' +
      'requestedProcessors=requested_number_of_resources,requestedTime=requested_time',
  },
];

/** Names that columns often have, without capitals and punctuation; the first that a table has counts. */
const USUAL_NAMES: Readonly<Partial<Record<Target, readonly string[]>>> = {
  job: ['jobid', 'job', 'jid', 'id', 'jobnumber', 'cobaltjobid'],
  submit: [
    ...['submit', 'submittime', 'submitted', 'submittedtime', 'submissiontime', 'queued', 'queuedtimestamp'],
    ...['queuedtime', 'qtime', 'arrival', 'arrivaltime', 'created', 'createdat', 'adt'],
  ],
  eligible: ['eligible', 'eligibletime'],
  start: [
    'start',
    'starttime',
    'starttimestamp',
    'started',
    'startedat',
    'startingtime',
    'begin',
    'begintime',
  ],
  end: ['end', 'endtime', 'endtimestamp', 'ended', 'finish', 'finishtime', 'finished', 'completiontime'],
  wait: ['wait', 'waittime', 'waitingtime', 'queuedwaitseconds'],
  runtime: [
    'runtime',
    'duration',
    'elapsed',
    'elapsedtime',
    'runtimeseconds',
    'executiontime',
    'wallclockused',
  ],
  processors: [
    ...['processors', 'allocatedprocessors', 'alloccpus', 'numcoresalloc', 'coresused', 'ncpus', 'numcpus'],
    ...[
      'cpus',
      'cores',
      'numcores',
      'procs',
      'nproc',
      'slots',
      'gpunum',
      'numgpus',
      'gpus',
      'nodesused',
      'nodes',
    ],
  ],
  requestedProcessors: ['requestedprocessors', 'reqcpus', 'numcoresreq', 'coresrequested', 'processorsreq'],
  requestedTime: ['requestedtime', 'timelimit', 'walltime', 'walltimeseconds', 'wallclockreq', 'limit'],
  status: ['status', 'state', 'jobstate', 'exitstate'],
  user: ['user', 'userid', 'username', 'usr', 'owner'],
  group: ['account', 'group', 'groupid', 'project', 'vc'],
  queue: ['queue', 'queuename', 'partition'],
};

/** What a table must have; of each line one. */
const NEEDED: readonly (readonly Target[])[] = [
  ['submit'],
  ['runtime', 'end'],
  ['processors', 'requestedProcessors'],
];

const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/**
 * Reads the option `columns`: `submit=queued,runtime=minutes*60`.
 * @throws InputError for a target that does not exist or occurs twice.
 */
function parseColumns(text: string, what: string): TargetColumn[] {
  const found = text.split(',').map((part): TargetColumn => {
    const [, word = '', column = '', factor = '1'] =
      /^\s*(\w+)\s*=\s*(.+?)\s*(?:\*\s*(\d+(?:\.\d+)?)\s*)?$/.exec(part) ?? [];
    const isOptional = column.endsWith('?');
    const target = TARGETS.find((each) => each.toLowerCase() === word.toLowerCase());
    if (target === undefined || column === '') {
      throw new InputError(
        `${what}: found ${quoteText(part)}, expected WHAT=COLUMN, where WHAT is one of ${TARGETS.join(', ')}`,
      );
    }
    return { target, column: isOptional ? column.slice(0, -1) : column, factor: Number(factor), isOptional };
  });
  const twice = found.find(({ target }, i) => found.findIndex((each) => each.target === target) !== i);
  if (twice !== undefined)
    throw new InputError(`${what}: ${twice.target} is there twice; give it one column`);
  return found;
}

/** @throws InputError as `parseColumns` does. */
export function checkColumns(text: string, what: string): string {
  parseColumns(text, what);
  return text;
}

/** The columns of a table that are used, or what is wrong with its header. */
export type TableLayout =
  | { readonly columns: readonly TargetColumn[] }
  | { readonly expected: string; readonly guess: string };

/**
 * Decides what the columns of a table are.
 * @param names in its first line.
 * @param option the option `columns`.
 */
export function layoutOf(names: readonly string[], option: string | undefined): TableLayout {
  if (option !== undefined) {
    const asked = parseColumns(option, 'columns');
    const absent = asked.filter(({ column }) => placeOf(names, column) < 0);
    const missing = absent.map(({ column }) => `a column ${quoteText(column)}`);
    if (missing.length === 0) missing.push(...missingIn(asked.map(({ target }) => target)));
    return missing.length === 0
      ? { columns: asked }
      : { expected: missing.join(', '), guess: guessOf(names) };
  }
  const known = KNOWN_TABLES.map(({ columns }) => parseColumns(columns, 'columns')).find((columns) =>
    columns.every(({ column, isOptional }) => isOptional || placeOf(names, column) >= 0),
  );
  if (known !== undefined) return { columns: known.filter(({ column }) => placeOf(names, column) >= 0) };
  return { expected: 'the columns of a table that is known, or --columns', guess: guessOf(names) };
}

/** Where a column is, whatever its capitals; -1: nowhere. */
export function placeOf(names: readonly string[], column: string): number {
  const exact = names.indexOf(column);
  return exact >= 0 ? exact : names.findIndex((name) => name.toLowerCase() === column.toLowerCase());
}

/** What a table with these columns lacks, in words. */
function missingIn(targets: readonly Target[]): string[] {
  const lacking = NEEDED.filter((any) => !any.some((target) => targets.includes(target)));
  const isEndAlone =
    !targets.includes('runtime') &&
    targets.includes('end') &&
    !targets.includes('start') &&
    !targets.includes('wait');
  return [...lacking.map((any) => any.join(' or ')), ...(isEndAlone ? ['start beside end'] : [])];
}

/** The option `columns` that the names suggest; what is needed and not found is COLUMN. */
function guessOf(names: readonly string[]): string {
  const usual = names.map(plain);
  const found = TARGETS.flatMap((target) => {
    const name = USUAL_NAMES[target]?.find((each) => usual.includes(each));
    return name === undefined ? [] : [{ target, column: names[usual.indexOf(name)] as string }];
  });
  const targets = found.map(({ target }) => target);
  const lacking = NEEDED.filter((any) => !any.some((target) => targets.includes(target)));
  return [
    ...found.map(({ target, column }) => `${target}=${column}`),
    ...lacking.map(([first]) => `${first}=COLUMN`),
  ].join(',');
}
