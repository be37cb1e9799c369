/** gridalloc diff: two finished simulations of the same jobs beside each other. */
import { differenceGanttSvg, windowAround } from '../../draw/differenceGantt.js';
import { escapeMarkup } from '../../draw/svg.js';
import { InputError } from '../../errors.js';
import { replaceFiles, writeChunks } from '../../files/replace.js';
import { differenceOf, type RunDifference, readFinishedRun } from '../../results/difference.js';
import { differenceDocument, differenceText } from '../../text/difference.js';
import type { Arguments } from '../arguments.js';
import type { Command } from '../command.js';
import type { Context } from '../context.js';
import { COMMON_OPTIONS } from '../options.js';

/** gridalloc diff. */
export const diffCommand: Command = {
  description:
    'Compares two finished simulations of the same jobs: every metric with its difference, and the jobs that gain and lose most, ' +
    'with the command that explains each. --out draws both schedules over each other, around the job that changes most.',
  positionals: [
    { name: 'A', meaning: 'A: a folder written by simulate --out' },
    { name: 'B', meaning: 'B: another one, with the same jobs' },
  ],
  options: {
    out: {
      describe: 'the difference as a Gantt chart: FILE.svg, or FILE.html',
      default: 'none',
      group: 'Output:',
    },
    ...COMMON_OPTIONS,
  },
  examples: [
    [
      'gridalloc diff first-come easy',
      'after gridalloc simulate log.swf --out first-come, and --discipline easy --out easy',
    ],
    ['gridalloc diff first-come easy --out difference.svg', 'both schedules in one Gantt chart'],
  ],
  run: run,
};

async function run(args: Arguments, context: Context): Promise<number> {
  const out = args.text('out');
  if (out !== undefined && !/\.(svg|html)$/.test(out)) {
    throw new InputError(`--out: expected FILE.svg or FILE.html, found '${out}'`);
  }
  const [a, b] = args.words;
  const difference = differenceOf(await readFinishedRun(a), await readFinishedRun(b));
  await context.pause();
  if (out !== undefined) {
    const drawing = drawDifference(difference);
    const text = out.endsWith('.svg') ? drawing : pageOf(drawing, difference);
    await replaceFiles([{ path: out, write: (path) => writeChunks(path, [text]) }], context.io.signal);
    await context.say(`the difference is drawn in ${out}`);
  }
  if (args.has('json')) await context.printJson(differenceDocument(difference));
  else await context.print(differenceText(difference, context.colors));
  return 0;
}

/** Both schedules over each other, around the job that changes most. */
function drawDifference({ a, b, changed }: RunDifference): string {
  const [capacities, others] = [a, b].map(({ summary }) => summary.sites.map(({ capacity }) => capacity));
  if (String(capacities) !== String(others)) {
    throw new InputError(
      `a difference is drawn of grids of the same sites, found ${capacities.join(', ')} and ${others.join(', ')} processors`,
    );
  }
  const first = a.jobs.reduce((least, { submit }) => Math.min(least, submit), Infinity);
  const last = [...a.jobs, ...b.jobs].reduce((most, { end }) => Math.max(most, end), first + 1);
  const largest = [changed[0], changed[changed.length - 1]].reduce(
    (one, other) => (Math.abs(other?.difference ?? 0) > Math.abs(one?.difference ?? 0) ? other : one),
    changed[0],
  );
  const instant = largest === undefined ? first : Math.min(largest.a.start, largest.b.start);
  const window = windowAround(instant, [a.jobs, b.jobs], { from: first, to: last });
  const runs = [a, b].map(({ folder, jobs }) => ({ name: folder, jobs }));
  return differenceGanttSvg(
    { runs, capacities, window, origin: first },
    {
      id: 'difference',
      title: 'Difference of two schedules',
      caption: `${a.folder} and ${b.folder} over each other; what only one of them has stands out in its colour.`,
    },
  );
}

/** The drawing as a page, as wide as the window. */
function pageOf(drawing: string, { a, b }: RunDifference): string {
  const [first, second] = [a.folder, b.folder].map(escapeMarkup);
  return (
    `<!doctype html>\n<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>Difference of two schedules</title>\n` +
    `<style>body { margin: 2rem auto; max-width: 80rem; padding: 0 1rem; font: 1rem/1.5 sans-serif } svg { width: 100%; height: auto }</style>\n` +
    `<h1>Difference of two schedules</h1>\n<p>${first} and ${second} over each other, around the job that changes most: ` +
    `what only one of them has stands out in its colour.</p>\n${drawing}\n</html>\n`
  );
}
