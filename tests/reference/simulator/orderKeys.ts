import { ln } from './ln.js';
import type { ReferenceJob, ReferenceOptions } from './types.js';
import { isAgingExpression, orderWords } from './waitingQueue.js';

/** The terms s and log10 of Carastan-Santos and de Camargo 2017, with arguments of at least 1. */
const S = 'max(1, submit - firstSubmit)';
const log = (x: string) => `log10(max(1, ${x}))`;

const formulas: Record<string, string> = {
  f1: `${log('estimate')} * processors + 870 * ${log(S)}`,
  f2: `sqrt(estimate) * processors + 25600 * ${log(S)}`,
  f3: `estimate * processors + 6860000 * ${log(S)}`,
  f4: `estimate * sqrt(processors) + 530000 * ${log(S)}`,
};

/** Functions available in expressions. */
const functions = {
  min: Math.min,
  max: Math.max,
  abs: Math.abs,
  floor: Math.floor,
  sqrt: Math.sqrt,
  ln,
  log2: (x: number) => ln(x) / Math.LN2,
  log10: (x: number) => ln(x) / Math.LN10,
};

/**
 * Expression of an order that is a formula or an expression; undefined for names whose keys are
 * computed in waitingQueue.ts.
 */
function expressionOf(order: string): string | undefined {
  return formulas[order] ?? (orderWords.includes(order) || isAgingExpression(order) ? undefined : order);
}

/**
 * Jobs with their sort keys for the queue order and the backfill order, and functions from an
 * estimate to the keys.
 */
export function withKeys(
  jobs: ReferenceJob[],
  { order = 'submit', backfillOrder = 'submit', load, capacities }: ReferenceOptions,
): ReferenceJob[] {
  return jobs.map((job, index) => {
    const keysBy = (estimate: number) => {
      const columns: Record<string, number> = {
        submit: job.submit,
        firstSubmit: jobs[0]!.submit,
        estimate: estimate * load[job.home]!,
        processors: job.processors,
        home: job.home + 1,
        siteProcessors: capacities[job.home]!,
        user: -1,
        group: -1,
        queue: -1,
        number: index + 1,
      };
      const key = orderKeyOf(order, columns);
      const backfillKey = orderKeyOf(backfillOrder, columns);
      return { ...(key !== undefined && { key }), ...(backfillKey !== undefined && { backfillKey }) };
    };
    return { ...job, ...keysBy(job.estimate), keysBy };
  });
}

/**
 * Sort key of an order that is an expression, evaluated by JavaScript, whose rules for + - * / and
 * brackets apply.
 */
function orderKeyOf(order: string, columns: Record<string, number>): number | undefined {
  const expression = expressionOf(order);
  if (expression === undefined) return undefined;
  return evaluate(expression, columns);
}

const evaluators = new Map<string, (...values: unknown[]) => number>();

/** The value of an expression of columns, a condition being 1 or 0. */
export function evaluate(expression: string, columns: Readonly<Record<string, unknown>>): number {
  const scope = { ...functions, ...columns };
  const names = Object.keys(scope);
  const known = `${names}:${expression}`;
  const evaluator = evaluators.get(known) ?? new Function(...names, `return +(${expression});`);
  evaluators.set(known, evaluator as (...values: unknown[]) => number);
  return evaluator(...Object.values(scope)) as number;
}
