/** Command `gridalloc report`: creates the page and drawings of a finished simulation or study. */
import { join } from 'node:path';
import { InputError } from '../../errors.js';
import { formatCount } from '../../format/numbers.js';
import { firstElement } from '../../lists.js';
import { parseDateAsSeconds, parseDuration, parseNumberOrNaN } from '../../notation.js';
import { applyLabelsToReport, checkAllLabelsUsed, type MethodLabelMap } from '../../reports/labels.js';
import { type DrawnWindow, drawFolder } from '../../reports/savedReport.js';
import { COMMON_COMMAND_OPTIONS, METHOD_LABEL_OPTION } from '../../request/commandOptions.js';
import type { CommandOptionTable } from '../../request/definitions.js';
import { type CommandInput, makeInputReader } from '../../request/fromArguments.js';
import { FIGURES_FOLDER_NAME } from '../../results/resultFolder.js';
import { makeStudyFile, writeStudyFilesAtomically } from '../../runs/runsFolder.js';
import { makeFilesOfTable, REPORT_TABLES_FOLDER } from '../../view/files.js';
import { type DrawnReport, drawReport, readReportOfFolder, writeReport } from '../../view/reportFolder.js';
import type { Command } from '../command.js';
import type { CommandContext } from '../context.js';

const REPORT_OPTIONS = {
  window: {
    describe:
      'part of a simulation to draw: FROM..TO since the first submit, in seconds or as 12h or 1d6h ' +
      '(100d..101d; 100d alone for one day from there), or dates in UTC (1998-05-01 for that day; 1998-05-01..1998-05-03)',
    read: parseTimeWindow,
    default: 'everything; for the Gantt chart of a long log, the part around the longest queue',
    group: 'Output:',
  },
  ...METHOD_LABEL_OPTION,
  ...COMMON_COMMAND_OPTIONS,
} satisfies CommandOptionTable;

/** Command `gridalloc report`. */
export const reportCommand: Command<CommandInput<typeof REPORT_OPTIONS>> = {
  description:
    'Writes report.html, one page that needs no network, and its figures as SVG, PDF (7 inches wide, and 3.4 inches as *-column.pdf) and CSV into the folder of a finished ' +
    'simulation or study. For a simulation: queue and utilization over time, a Gantt chart, waits.',
  positionals: [{ name: 'DIR', meaning: 'a DIR: a folder written by simulate --out or study run' }],
  options: REPORT_OPTIONS,
  read: makeInputReader(REPORT_OPTIONS),
  examples: [
    ['gridalloc report results', 'after gridalloc simulate log.swf --out results'],
    ['gridalloc report results --window 0d..1d', 'the first day'],
    ['gridalloc report results --window 1998-05-01', 'one day, for a log with dates'],
  ],
  run: runReportCommand,
};

async function runReportCommand(
  commandInput: CommandInput<typeof REPORT_OPTIONS>,
  context: CommandContext,
): Promise<number> {
  const folder = firstElement(commandInput.positionals);
  const drawnReport = await drawReportWithMethodLabels(folder, commandInput.values.window, context.labels);
  await context.pause();
  const pagePath = await writeReport(drawnReport, folder, context.io.signal);
  const plotFileNames = drawnReport.pictures.map(
    ({ id: pictureId }) => `${FIGURES_FOLDER_NAME}/${pictureId}.svg`,
  );
  if (context.isJson) await context.printJson({ page: pagePath, plots: plotFileNames });
  else {
    await context.printMessage(
      `${formatCount(plotFileNames.length, 'figure')} ${plotFileNames.length === 1 ? 'is' : 'are'} in ${folder}/${FIGURES_FOLDER_NAME}, the page is:`,
    );
    await context.print(pagePath);
  }
  return 0;
}

/** Report of a folder with labels of methods; its tables are rewritten with the labels. */
async function drawReportWithMethodLabels(
  folder: string,
  window: DrawnWindow | undefined,
  methodLabels: MethodLabelMap,
): Promise<DrawnReport> {
  const drawn = await drawFolder(folder, window);
  if (methodLabels.size === 0) return drawn;
  const savedReport = await readReportOfFolder(folder);
  if (savedReport === undefined)
    throw new InputError(`${folder} holds no comparison, sweep or study, whose methods --label could name`);
  checkAllLabelsUsed([savedReport], methodLabels);
  const report = applyLabelsToReport(savedReport, methodLabels);
  const tableFiles = report.tables.flatMap(makeFilesOfTable);
  await writeStudyFilesAtomically(
    tableFiles.map(({ name: tableName, text: tableText }) =>
      makeStudyFile(join(folder, REPORT_TABLES_FOLDER, tableName), [tableText]),
    ),
  );
  return drawReport(report);
}

const SECONDS_PER_DAY = 86_400;

/** Parses nonnegative seconds such as `36h` or `129600`; NaN for other texts. */
function parseElapsedTime(elapsedTimeText: string): number {
  const seconds = parseNumberOrNaN(elapsedTimeText.trim(), { isTime: true });
  return seconds >= 0 ? seconds : Number.NaN;
}

/** Length in seconds of the last unit in a time such as `1d6h`. */
function secondsOfLastUnit(timeText: string): number {
  const [unit = ''] = /[a-z]+$/.exec(timeText.trim()) ?? [];
  return parseDuration(`1${unit}`);
}

/** Parses a time window: two times or dates, or one, which stands for that day, hour or other unit. */
function parseTimeWindow(timeWindowText: string, errorContext: string): DrawnWindow {
  const windowBoundTexts = timeWindowText.split(timeWindowText.includes('..') ? '..' : ',');
  const isDatedWindow = /^\s*\d{4}-/.test(timeWindowText);
  const [
    from = Number.NaN,
    to = from + (isDatedWindow ? SECONDS_PER_DAY : secondsOfLastUnit(timeWindowText)),
  ] = windowBoundTexts.map(isDatedWindow ? parseDateAsSeconds : parseElapsedTime);
  if (windowBoundTexts.length > 2 || !(to > from)) {
    throw new InputError(
      `${errorContext}: expected two times since the first submit, the later one last, such as 100d..101d or 0..86400, ` +
        `one with its unit such as 100d, or dates such as 1998-05-01 or 1998-05-01..1998-05-03, found '${timeWindowText}'`,
    );
  }
  return { from, to, isDated: isDatedWindow };
}
