/** JSON Schema of summary.json, derived from the table of metrics. */
import { JOB_METRICS } from '../host/simulate/jobMetrics.js';
import type { Metric } from '../host/simulate/metric.js';
import { METRICS_BY_SUMMARY_PART } from '../host/simulate/metrics.js';
import { makeTextSchema } from './abiSchema.js';

type SchemaByField = Readonly<Record<string, object>>;

/** Schema of an object with required and optional fields; later versions may have more. */
const makeObjectSchema = (properties: SchemaByField, optionalProperties: SchemaByField = {}) => ({
  type: 'object',
  required: Object.keys(properties),
  properties: { ...properties, ...optionalProperties },
});

const makeNumberFields = (metrics: Readonly<Record<string, Metric>>): SchemaByField =>
  Object.fromEntries(
    Object.entries(metrics).map(([metricName, { label: metricLabel, unit: metricUnit, format }]) => [
      metricName,
      {
        // A sum beyond the range of doubles is null.
        type: format.style === 'fixed' && !format.decimals ? 'number' : ['number', 'null'],
        description: metricUnit === undefined ? metricLabel : `${metricLabel} [${metricUnit}]`,
      },
    ]),
  );

const makeNumberSchema = (description: string) => ({ type: 'number', description });
const countsByRule = { type: 'object', additionalProperties: { type: 'integer', minimum: 0 } };

/** JSON Schema of summary.json; docs/results.md describes the metrics in detail. */
export const SUMMARY_SCHEMA = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  $id: 'https://gridalloc.dev/summary.schema.json',
  title: 'Metrics of a simulation by gridalloc: summary.json, and what simulate --json prints',
  ...makeObjectSchema(
    {
      workload: makeTextSchema("The log's path, or the model with all its parameters."),
      method: makeTextSchema('What decides where jobs go.'),
      policy: makeTextSchema('The allocator with all its parameters.'),
      ...makeNumberFields(METRICS_BY_SUMMARY_PART.run),
      decisions: makeObjectSchema(makeNumberFields(METRICS_BY_SUMMARY_PART.decisions)),
      sites: {
        type: 'array',
        minItems: 1,
        items: makeObjectSchema({
          capacity: makeNumberSchema('Processors.'),
          speed: makeNumberSchema('1: that of the machine to which runtimes refer.'),
          ...makeNumberFields(METRICS_BY_SUMMARY_PART.sites),
        }),
      },
      homes: {
        type: 'array',
        minItems: 1,
        items: makeObjectSchema(makeNumberFields(METRICS_BY_SUMMARY_PART.homes)),
      },
      dropped: { ...countsByRule, description: 'Records of the log that were dropped, by rule.' },
      split: {
        ...makeObjectSchema({ jobs: { type: 'integer' }, pieces: { type: 'integer' } }),
        description: 'Jobs that were cut before the run, and the pieces they became.',
      },
    },
    {
      trials: makeObjectSchema({
        ...makeNumberFields(METRICS_BY_SUMMARY_PART.trials),
        candidates: {
          type: 'array',
          items: makeObjectSchema({
            policy: makeTextSchema('A candidate with all its parameters.'),
            times: makeNumberSchema('After how many of the trials it was in force.'),
          }),
        },
      }),
      distribution: {
        type: 'object',
        description:
          'Percentiles, fairness over users and the recorded wait; what the log does not say is not there.',
        properties: makeNumberFields(Object.fromEntries(JOB_METRICS.map((metric) => [metric.name, metric]))),
      },
      percentileError: makeNumberSchema(
        'Largest relative error of the percentiles, which are too low if anything; only of a streamed run.',
      ),
      classes: {
        type: 'object',
        description: 'The jobs class by class, where --by asks for it.',
        additionalProperties: {
          type: 'array',
          items: makeObjectSchema({
            name: makeTextSchema('The class.'),
            jobs: makeNumberSchema('Jobs in it.'),
          }),
        },
      },
    },
  ),
};
