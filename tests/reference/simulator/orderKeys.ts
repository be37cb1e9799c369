import { naturalLogarithm } from './ln.js';
import type { ReferenceJob, ReferenceOptions } from './types.js';
import { isAgingExpression, orderWords } from './waitingQueue.js';

/** The terms s and log10 of Carastan-Santos and de Camargo 2017, with arguments of at least 1. */
const TIME_SINCE_FIRST_TERM = 'max(1, submit - firstSubmit)';
const quoteLog10Term = (x: string) => `log10(max(1, ${x}))`;

const ORDER_FORMULAS: Record<string, string> = {
  f1: `${quoteLog10Term('estimate')} * processors + 870 * ${quoteLog10Term(TIME_SINCE_FIRST_TERM)}`,
  f2: `sqrt(estimate) * processors + 25600 * ${quoteLog10Term(TIME_SINCE_FIRST_TERM)}`,
  f3: `estimate * processors + 6860000 * ${quoteLog10Term(TIME_SINCE_FIRST_TERM)}`,
  f4: `estimate * sqrt(processors) + 530000 * ${quoteLog10Term(TIME_SINCE_FIRST_TERM)}`,
};

/** Functions available in expressions. */
const EXPRESSION_FUNCTIONS = {
  min: Math.min,
  max: Math.max,
  abs: Math.abs,
  floor: Math.floor,
  sqrt: Math.sqrt,
  ln: naturalLogarithm,
  log2: (x: number) => naturalLogarithm(x) / Math.LN2,
  log10: (x: number) => naturalLogarithm(x) / Math.LN10,
};

/**
 * Expression of an order that is a formula or an expression; undefined for names whose keys are
 * computed in waitingQueue.ts.
 */
function expressionOf(order: string): string | undefined {
  return (
    ORDER_FORMULAS[order] ?? (orderWords.includes(order) || isAgingExpression(order) ? undefined : order)
  );
}

/**
 * Jobs with their sort keys for the queue order and the backfill order, and functions from an
 * estimate to the keys.
 */
export function addOrderKeys(
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
  return evaluateExpression(expression, columns);
}

const expressionEvaluators = new Map<string, (...values: unknown[]) => number>();

/** The value of an expression of columns, a condition being 1 or 0. */
export function evaluateExpression(expression: string, columns: Readonly<Record<string, unknown>>): number {
  const scope = { ...EXPRESSION_FUNCTIONS, ...columns };
  const names = Object.keys(scope);
  const known = `${names}:${expression}`;
  const evaluator = expressionEvaluators.get(known) ?? new Function(...names, `return +(${expression});`);
  expressionEvaluators.set(known, evaluator as (...values: unknown[]) => number);
  return evaluator(...Object.values(scope)) as number;
}
