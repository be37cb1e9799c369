import { ln } from './ln.js';
import type { ReferenceJob, ReferenceOptions } from './types.js';

/** s and log10 of Carastan-Santos and de Camargo 2017, each from 1 on. */
const S = 'max(1, submit - firstSubmit)';
const log = (x: string) => `log10(max(1, ${x}))`;

const formulas: Record<string, string> = {
  f1: `${log('estimate')} * processors + 870 * ${log(S)}`,
  f2: `sqrt(estimate) * processors + 25600 * ${log(S)}`,
  f3: `estimate * processors + 6860000 * ${log(S)}`,
  f4: `estimate * sqrt(processors) + 530000 * ${log(S)}`,
};

/** Orders whose keys stand in waitingQueue.ts. */
const words = [
  'submit',
  'narrowest',
  'widest',
  'shortest',
  'longest',
  'smallest-area',
  'largest-area',
  'wfp3',
];

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

/** The jobs with their keys, where the order is a formula or an expression: JavaScript itself works it out, whose rules
 *  for + - * / and brackets are those that are meant. */
export function withKeys(jobs: ReferenceJob[], { order = 'submit', load }: ReferenceOptions): ReferenceJob[] {
  const expression = formulas[order] ?? (words.includes(order) ? undefined : order);
  if (expression === undefined) return jobs;
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
    return { ...job, key: evaluate(...Object.values(scope)) as number };
  });
}
