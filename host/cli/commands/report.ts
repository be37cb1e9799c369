/** gridalloc report: the page and the drawings of a finished simulation or study. */

import type { TimeWindow } from '../../draw/timeChart.js';
import { InputError } from '../../errors.js';
import { countOf } from '../../format/numbers.js';
import { parseNumberList } from '../../notation.js';
import { drawFolder, writeReport } from '../../report/fromFolder.js';
import { PLOT_FOLDER } from '../../results/folder.js';
import type { Arguments } from '../arguments.js';
import type { Command } from '../command.js';
import type { Context } from '../context.js';
import { COMMON_OPTIONS } from '../options.js';

/** gridalloc report. */
export const reportCommand: Command = {
  description:
    'Writes report.html, one page that needs no network, and its drawings as SVG into the folder of a finished ' +
    'simulation or study. For a simulation: queue and utilization over time, who held which processors, waits.',
  positionals: [{ name: 'DIR', meaning: 'a DIR: a folder written by simulate --out or study run' }],
  options: {
    window: {
      describe:
        'part of a simulation that the chart of processors shows: FROM,TO in seconds since the first submit',
      default: 'everything, or around the longest queue of a long log',
      group: 'Output:',
    },
    ...COMMON_OPTIONS,
  },
  examples: [
    ['gridalloc report results', 'after gridalloc simulate log.swf --out results'],
    ['gridalloc report results --window 0,86400', 'the first day'],
  ],
  run: run,
};

async function run(args: Arguments, context: Context): Promise<number> {
  const [folder] = args.words;
  const drawn = await drawFolder(folder, args.read('window', parseWindow));
  await context.pause();
  const page = await writeReport(drawn, folder, context.io.signal);
  const plots = drawn.pictures.map(({ id }) => `${PLOT_FOLDER}/${id}.svg`);
  if (args.has('json')) await context.printJson({ page, plots });
  else {
    await context.say(`${countOf(plots.length, 'drawing')} are in ${folder}/${PLOT_FOLDER}, the page is:`);
    await context.print(page);
  }
  return 0;
}

function parseWindow(text: string, what: string): TimeWindow {
  const [from, to, ...more] = parseNumberList(text, what, { atLeast: 0 });
  if (to === undefined || more.length > 0 || !(to > from)) {
    throw new InputError(
      `${what}: expected two times in seconds since the first submit, the later one last, found '${text}'`,
    );
  }
  return { from, to };
}
