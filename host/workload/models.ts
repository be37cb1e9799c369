/** The workload models by name, and logs made by them. */
import { checkGiven } from '../given.js';
import { parseNotation, parseNumber, parseWholeNumber, printNotation, unknownName } from '../notation.js';
import { parseHeader, SWF_FIELDS, type SwfField, type Trace, type TraceHeader } from '../trace/trace.js';
import { feitelson96 } from './feitelson96.js';
import { lublin99 } from './lublin99.js';
import type { Model } from './model.js';

/** Every model, in the order of the papers' tables. */
export const MODELS: readonly Model[] = [feitelson96, lublin99];

/** Whether the text names a model, with parameters or not (otherwise it is a file). */
export function isModelText(text: string): boolean {
  return MODELS.some(({ name }) => text.trim() === name || text.trim().startsWith(`${name}[`));
}

function parseModel(text: string): { model: Model; values: Record<string, number> } {
  const { name, parameters } = parseNotation(text);
  const model = MODELS.find((candidate) => candidate.name === name);
  if (model === undefined) {
    throw unknownName(
      'model',
      name,
      MODELS.map((known) => known.name),
    );
  }
  const known = model.parameters.map((parameter) => parameter.name);
  for (const key of parameters.keys()) {
    if (!known.includes(key)) throw unknownName(`parameter of ${name}`, key, known);
  }
  const values: Record<string, number> = {};
  for (const parameter of model.parameters) {
    const written = parameters.get(parameter.name);
    const parse = parameter.whole ? parseWholeNumber : parseNumber;
    values[parameter.name] =
      written === undefined
        ? parameter.default
        : parse(written, `${parameter.name} of ${name}`, parameter.range);
  }
  return { model, values };
}

function makeHeader(source: string, description: string, jobs: number, processors: number): TraceHeader {
  const entries = [
    ['Version', '2.2'],
    ['Computer', 'none: jobs of a workload model'],
    ['Information', description],
    ['Conversion', `generated as ${source}`],
    ['MaxJobs', `${jobs}`],
    ['MaxRecords', `${jobs}`],
    ['UnixStartTime', '0'],
    ['MaxNodes', `${processors}`],
    ['MaxProcs', `${processors}`],
  ];
  return parseHeader(entries.map(([key, value]) => `; ${key}: ${value}`));
}

/**
 * The log of a model, from `name` or `name[param=value,...]`. `source` is the text with every parameter written
 * out; the header says what made the log. Estimates, users and queues are unknown; every job completed.
 * @throws InputError for unknown models or parameters and values out of range.
 * @example
 * console.log(makeModelTrace('feitelson96[jobs=10]').count); // 10
 */
export function makeModelTrace(text: string): Trace {
  checkGiven(text, 'text', 'makeModelTrace');
  const { model, values } = parseModel(text);
  const { maxProcessors, submit, runtime, processors } = model.make(values);
  const count = submit.length;
  const known: Partial<Record<SwfField, Float64Array>> = {
    job: submit.map((_, i) => i + 1),
    submit,
    runtime,
    processors,
    requestedProcessors: processors,
    status: new Float64Array(count).fill(1),
  };
  const unknown = new Float64Array(count).fill(-1);
  const source = printNotation(model.name, Object.entries(values));
  return {
    source,
    header: makeHeader(source, model.description, count, maxProcessors),
    count,
    columns: Object.fromEntries(
      SWF_FIELDS.map((field) => [field, known[field] ?? unknown]),
    ) as Trace['columns'],
  };
}
