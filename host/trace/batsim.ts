/**
 * Reader of Batsim workloads: JSON documents with a list `jobs`, whose entries refer to `jobProfiles` for
 * what they execute.
 */
import { quoteLogText } from '../format/text.js';
import type { LogFormat } from './logFormat.js';
import { JOB_PLACE_NAMES } from './places.js';
import { isJsonObject, JsonJobReader, type JsonLogFormat, type JsonObject } from './readers.js';
import type { LogSink, RecordRowBuffer } from './records.js';
import type { SyntaxProblem } from './syntax.js';
import { SWF_FIELD_OFFSETS, SWF_FIELDS_PER_RECORD, type SwfField } from './trace.js';

/** Format of Batsim workloads. */
export const BATSIM_FORMAT = {
  name: 'batsim',
  title: 'JSON workload of Batsim',
  example:
    '{"nb_res":4,"jobs":[{"id":1,"subtime":0,"res":2,"walltime":20,"profile":"p"}],"profiles":{"p":{"type":"delay","delay":9}}}',
  places: JOB_PLACE_NAMES,
  hasUnixTimes: false,
  isLike: ({ text: headText }) => headText.startsWith('{'),
  open: (sink) => new JsonJobReader(sink, (rowBuffer) => new BatsimJobReader(sink, rowBuffer)),
} as const satisfies LogFormat;

/** Profile types with a fixed duration, as named by Batsim up to version 4 and by later versions. */
const BATSIM_DELAY_PROFILE_TYPES: readonly unknown[] = ['delay', 'DelayProfile'];
const BATSIM_SEQUENCE_PROFILE_TYPES: readonly unknown[] = [
  'composed',
  'sequence',
  'SequentialCompositionProfile',
];

class BatsimJobReader implements JsonLogFormat {
  readonly #sink: LogSink;
  readonly #rows: RecordRowBuffer;
  readonly #runtimes = new Map<string, number | undefined>();

  constructor(sink: LogSink, rowBuffer: RecordRowBuffer) {
    this.#sink = sink;
    this.#rows = rowBuffer;
  }

  readHeader({ nb_res: machine }: JsonObject): string[] {
    const hasMachineSize = typeof machine === 'number' && Number.isSafeInteger(machine) && machine > 0;
    return hasMachineSize ? [`; MaxProcs: ${machine}`] : [];
  }

  findMissingKey({ profiles }: JsonObject): string | undefined {
    return isJsonObject(profiles) ? undefined : 'profiles';
  }

  readJob(
    { id, subtime, res, walltime = -1, profile }: JsonObject,
    index: number,
    document: JsonObject,
  ): void {
    const jobProfiles = document.profiles as JsonObject;
    const problem =
      findWrongBatsimNumber(index, 'subtime', subtime) ??
      findWrongBatsimNumber(index, 'res', res, true) ??
      findWrongBatsimNumber(index, 'walltime', walltime) ??
      (typeof profile === 'string' && Object.hasOwn(jobProfiles, profile)
        ? undefined
        : makeBatsimProblem(index, 'profile', profile, 'the name of one of the profiles'));
    if (problem !== undefined) {
      this.#sink.problem(problem);
      return;
    }
    const runtime = this.#runtimeOf(profile as string, jobProfiles, []);
    if (runtime === undefined) {
      const { type } = jobProfiles[profile as string] as JsonObject;
      const example = `a profile of type ${quoteLogText(String(type))} does not say how long it takes`;
      this.#sink.leaveOut({ rule: 'profile', line: index, example });
      return;
    }
    const { numbers: rowNumbers, offset } = this.#rows;
    const setField = (recordField: SwfField, fieldValue: number) => {
      rowNumbers[offset + SWF_FIELD_OFFSETS[recordField]] = fieldValue;
    };
    rowNumbers.fill(-1, offset, offset + SWF_FIELDS_PER_RECORD);
    setField('job', parseNumberInBatsimId(id) ?? index + 1);
    setField('submit', subtime as number);
    setField('runtime', runtime);
    setField('requestedProcessors', res as number);
    setField('requestedTime', walltime as number);
    this.#rows.acceptRecordAtOffset(index);
  }

  /**
   * Duration of a profile in seconds; undefined if it depends on the machine or the profile refers to itself.
   */
  #runtimeOf(
    profileName: string,
    jobProfiles: JsonObject,
    enclosingProfileNames: readonly string[],
  ): number | undefined {
    if (this.#runtimes.has(profileName)) return this.#runtimes.get(profileName);
    const jobProfile = Object.hasOwn(jobProfiles, profileName) ? jobProfiles[profileName] : undefined;
    if (!isJsonObject(jobProfile) || enclosingProfileNames.includes(profileName)) return undefined;
    const { type, delay, seq, repeat = 1 } = jobProfile;
    let runtime: number | undefined;
    if (BATSIM_DELAY_PROFILE_TYPES.includes(type) && isFiniteNumber(delay)) runtime = delay;
    if (BATSIM_SEQUENCE_PROFILE_TYPES.includes(type) && Array.isArray(seq) && isFiniteNumber(repeat)) {
      const partRuntimes = seq.map((part) =>
        this.#runtimeOf(String(part), jobProfiles, [...enclosingProfileNames, profileName]),
      );
      runtime = partRuntimes.reduce(
        (sum, part) => (sum === undefined || part === undefined ? undefined : sum + part),
        0,
      );
      if (runtime !== undefined) runtime *= repeat;
    }
    this.#runtimes.set(profileName, runtime);
    return runtime;
  }
}

function isFiniteNumber(jsonValue: unknown): jsonValue is number {
  return typeof jsonValue === 'number' && Number.isFinite(jsonValue);
}

/** Parses the number in an id such as `7` or `w0!7`; undefined for any other id. */
function parseNumberInBatsimId(batsimJobId: unknown): number | undefined {
  const [, numberText] = /^(?:.*!)?(\d{1,15})$/.exec(String(batsimJobId)) ?? [];
  return numberText === undefined ? undefined : Number(numberText);
}

function findWrongBatsimNumber(
  index: number,
  fieldKey: string,
  jsonValue: unknown,
  mustBeWhole = false,
): SyntaxProblem | undefined {
  if (isFiniteNumber(jsonValue) && (!mustBeWhole || Number.isSafeInteger(jsonValue))) return undefined;
  return makeBatsimProblem(index, fieldKey, jsonValue, mustBeWhole ? 'a whole number' : 'a number');
}

function makeBatsimProblem(
  index: number,
  fieldKey: string,
  jsonValue: unknown,
  expectedForm: string,
): SyntaxProblem {
  const foundText = jsonValue === undefined ? 'nothing' : quoteLogText(JSON.stringify(jsonValue));
  return {
    rule: 'job',
    line: index,
    field: undefined,
    place: fieldKey,
    found: foundText,
    expected: expectedForm,
  };
}
