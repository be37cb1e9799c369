import { ln } from './ln.js';
import type { ReferenceJob, ReferenceOptions } from './types.js';
import { orderWords } from './waitingQueue.js';

/** s and log10 of Carastan-Santos and de Camargo 2017, each from 1 on. */
const S = 'max(1, submit - firstSubmit)';
const log = (x: string) => `log10(max(1, ${x}))`;

const formulas: Record<string, string> = {
  f1: `${log('estimate')} * processors + 870 * ${log(S)}`,
  f2: `sqrt(estimate) * processors + 25600 * ${log(S)}`,
  f3: `estimate * processors + 6860000 * ${log(S)}`,
  f4: `estimate * sqrt(processors) + 530000 * ${log(S)}`,
};

/** What is called in an expression. */
const functions = {
  min: Math.min,
  max: Math.max,
  abs: Math.abs,
  sqrt: Math.sqrt,
  ln,
  log2: (x: number) => ln(x) / Math.LN2,
  log10: (x: number) => ln(x) / Math.LN10,
};

/** What an order that is a formula or an expression says; nothing of a word whose keys stand in waitingQueue.ts. */
export function expressionOf(order: string): string | undefined {
  return formulas[order] ?? (orderWords.includes(order) ? undefined : order);
}

/** The jobs with their keys in an order and in one of backfilling. */
export function withKeys(
  jobs: ReferenceJob[],
  { order = 'submit', backfillOrder = 'submit', load }: ReferenceOptions,
): ReferenceJob[] {
  const keys = keysOf(jobs, order, load);
  const backfillKeys = keysOf(jobs, backfillOrder, load);
  return jobs.map((job, index) => ({
    ...job,
    ...(keys && { key: keys[index]! }),
    ...(backfillKeys && { backfillKey: backfillKeys[index]! }),
  }));
}

/** Keys of an expression, where the order is one: JavaScript itself works it out, whose rules for + - * / and brackets
 *  are those that are meant. */
function keysOf(jobs: ReferenceJob[], order: string, load: number[]): number[] | undefined {
  const expression = expressionOf(order);
  if (expression === undefined) return undefined;
  return jobs.map((job, index) => {
    const columns: Record<string, number> = {
      submit: job.submit,
      firstSubmit: jobs[0]!.submit,
      estimate: job.estimate * load[job.home]!,
      processors: job.processors,
      home: job.home + 1,
      user: -1,
      group: -1,
      queue: -1,
      number: index + 1,
    };
    const scope = { ...functions, ...columns };
    const evaluate = new Function(...Object.keys(scope), `return ${expression};`);
    return evaluate(...Object.values(scope)) as number;
  });
}
