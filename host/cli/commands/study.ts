/** Commands `gridalloc study ...`: run studies, either included ones from papers or custom ones. */
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { InputError } from '../../errors.js';
import { formatCount, formatNumber } from '../../format/numbers.js';
import { formatSourceAsShellWord } from '../../format/text.js';
import { firstElement } from '../../lists.js';
import { formatShellCommand } from '../../reports/studyFacts.js';
import { formatStudyStatus, makeStudyStatusDocument } from '../../reports/studyStatus.js';
import {
  ALLOW_CODE_OPTION,
  COMMON_COMMAND_OPTIONS,
  CORE_FILE_OPTION,
  EXECUTION_OPTION_COMBINATIONS,
  EXECUTION_OPTIONS,
  METHOD_LABEL_OPTION,
} from '../../request/commandOptions.js';
import type { CommandOptionTable } from '../../request/definitions.js';
import {
  type CommandInput,
  makeInputReader,
  readStudyInput,
  type StudyCommandInput,
} from '../../request/fromArguments.js';
import { readStudyCollection } from '../../runs/collection.js';
import {
  expandStudyName,
  findStudyFile,
  includedCollectionNames,
  includedStudyNames,
  type PlanOptions,
  readStudy,
} from '../../runs/planStudy.js';
import { makeNoStudyError } from '../../runs/runsFolder.js';
import {
  mergeStudies,
  readShardPlan,
  readStudyProgress,
  saveResultsInStudyFolder,
} from '../../runs/shardFolder.js';
import { cancelSlurmJobs, readQueuedJobsOfStudy, readSlurmSubmissions } from '../../runs/slurm.js';
import type { Study } from '../../study/study.js';
import { formatTerminalTable, MAX_TERMINAL_LINE_WIDTH } from '../../view/terminal.js';
import { PRESETS } from '../../workload/presets.js';
import type { Command } from '../command.js';
import type { CommandContext } from '../context.js';
import { readSlurmQueueStates, submitStudyToSlurm } from '../study/slurmRun.js';
import { planNextComparisonRound } from '../study/studyResults.js';
import {
  finishStudyFolder,
  isStudyFolder,
  resumeStudyFolder,
  runAndReportStudy,
  runStudyCollection,
  useCoreCopyOfFolder,
  withOutputFolder,
} from '../study/studyRun.js';

const STUDY_ARGUMENT = {
  name: 'STUDY',
  meaning: 'a STUDY: a name (see gridalloc study list) or a study file (FILE.yaml)',
  complete: includedStudyNames,
};

const STUDY_OVERRIDES: CommandOptionTable = {
  trace: { describe: 'the job log of a study that needs one', group: 'Study:' },
  replications: {
    describe: 'number of replications, each with different perturbed jobs, drawn speeds or seeds',
    default: 'as the study says',
    group: 'Study:',
  },
  draws: { describe: 'another name for --replications', default: 'as the study says', group: 'Study:' },
  set: {
    describe: 'change an option of simulate for the whole study, such as oversize=split; none unsets it',
    isRepeatable: true,
    group: 'Study:',
  },
};

/** Command `gridalloc study list`. */
export const studyListCommand: Command<CommandInput<typeof COMMON_COMMAND_OPTIONS>> = {
  description: 'Lists the studies: one for each table and figure of the papers.',
  positionals: [],
  options: COMMON_COMMAND_OPTIONS,
  read: makeInputReader(COMMON_COMMAND_OPTIONS),
  examples: [['gridalloc study list', 'names and titles']],
  run: listStudies,
};

async function listStudies(_: unknown, context: CommandContext): Promise<number> {
  const studies = await Promise.all(
    includedStudyNames().map((studyName) => readStudy(findStudyFile(studyName))),
  );
  const studyRows = studies.map((study) => ({
    name: study.name,
    title: study.title,
    source: study.source,
    log: findRequiredLogName(study),
  }));
  const columns = ['study', 'log', 'title'].map((heading) => ({ heading, align: 'left' as const }));
  const cells = studyRows.map(({ name, title, log }) => [name, log ?? '', title]);
  const tableText = formatTerminalTable(
    columns,
    cells,
    context.colors,
    context.io.stdout.columns ?? MAX_TERMINAL_LINE_WIDTH,
  );
  return context.printResult(
    studyRows,
    () =>
      `${tableText}\n\nlog: what --trace takes; jobs: of San Diego SP2 (docs/traces.md)\nAll of a paper: ${includedCollectionNames().join(', ')}`,
  );
}

/** Log that a study requires, as the list of studies shows it; null if it needs none. */
function findRequiredLogName({ parts: studyParts }: Study): string | null {
  if (
    !studyParts.some(({ options }) =>
      Object.values(options).some((optionText) => optionText.includes('$TRACE')),
    )
  )
    return null;
  const preset = findPresetOfStudy({ parts: studyParts });
  return preset === undefined ? 'any' : `${formatNumber(preset.paperLog.jobs)} jobs`;
}

/** Preset that selects the jobs of a log in a study. */
const findPresetOfStudy = ({ parts: studyParts }: Pick<Study, 'parts'>) =>
  PRESETS.find(({ name: presetName }) => studyParts.some(({ options }) => options.preset === presetName));

/** Command `gridalloc study show`. */
export const studyShowCommand: Command<CommandInput<typeof COMMON_COMMAND_OPTIONS>> = {
  description: 'Shows the study file: settings, measures, tables, figures, published values.',
  positionals: [STUDY_ARGUMENT],
  options: COMMON_COMMAND_OPTIONS,
  read: makeInputReader(COMMON_COMMAND_OPTIONS),
  examples: [['gridalloc study show shih2010-table15-lublin99', 'a study file to start from']],
  run: showStudy,
};

async function showStudy(
  commandInput: CommandInput<typeof COMMON_COMMAND_OPTIONS>,
  context: CommandContext,
): Promise<number> {
  const file = findStudyFile(firstElement(commandInput.positionals));
  const { text: _, locate: __, ...study } = await readStudy(file);
  const preset = findPresetOfStudy(study);
  if (preset !== undefined) {
    const { name: presetName, jobs: jobCount, url } = preset.paperLog;
    await context.printMessage(
      `${study.name} needs --trace: ${formatNumber(jobCount)} jobs of ${presetName}, from ${url}`,
    );
  }
  const fileText = await readFile(file, 'utf8');
  return context.printResult(study, () => fileText.trimEnd());
}

/** Command `gridalloc study run`. */
export const studyRunCommand: Command<StudyCommandInput> = {
  description:
    'Runs every simulation of a study and writes results (CSV, Parquet), tables, figures and a report. It can be ' +
    'interrupted at any moment: the same command resumes it. Studies on the San Diego SP2 log take its path ' +
    'with --trace; other logs work too (use --set for what does not fit, such as preset=none or sites=100,64). ' +
    'Several studies, or all of a paper (such as shih2010-all), run as one: each gets a folder below --out, simulations that they share run once, and an index page links their reports.',
  positionals: [
    {
      ...STUDY_ARGUMENT,
      meaning: `${STUDY_ARGUMENT.meaning}, several, all of a paper (${includedCollectionNames().join(', ')}), or the folder of one`,
      complete: () => [...includedStudyNames(), ...includedCollectionNames()],
      isRepeatable: true,
    },
  ],
  options: {
    ...STUDY_OVERRIDES,
    ...CORE_FILE_OPTION,
    ...EXECUTION_OPTIONS,
    ...ALLOW_CODE_OPTION,
    out: { ...EXECUTION_OPTIONS.out, default: 'results/STUDY' },
    ...METHOD_LABEL_OPTION,
    ...COMMON_COMMAND_OPTIONS,
  },
  examples: [
    ['gridalloc study run shih2010-table15-lublin99', 'a row of a table, on a workload model'],
    ['gridalloc study run shih2010-table11 --trace sdsc-sp2.swf.gz', 'a study on a log'],
    ['gridalloc study run shih2010-all --trace sdsc-sp2.swf.gz', 'every table and figure of a paper'],
    ['gridalloc study run my-study.yaml --out results --threads 4', 'a study of your own'],
    ['gridalloc study run my-study.yaml --out part2 --shard 2/3', 'a third of it, on another machine'],
    ['gridalloc study run results', 'the runs missing from a folder'],
  ],
  combinations: [
    ...EXECUTION_OPTION_COMBINATIONS,
    { of: ['draws'], excludes: ['replications'], why: 'they are synonyms' },
  ],
  read: readStudyInput,
  run: executeStudyRunCommand,
};

async function executeStudyRunCommand(
  { request, execution, line: commandLine, fixed }: StudyCommandInput,
  context: CommandContext,
): Promise<number> {
  const { trace, draws, options } = request;
  const [name = ''] = request.studies;
  if (request.studies.length === 1 && isStudyFolder(name)) {
    if (fixed !== undefined)
      throw new InputError(
        `${name} holds a study with all its options; omit --${fixed}, or give ${join(name, 'study.yaml')} instead`,
      );
    return resumeStudyFolder(name, execution, context);
  }
  const studyNames = request.studies.flatMap(expandStudyName);
  if (studyNames.length === 1) {
    const firstStudyName = firstElement(studyNames);
    const study = await readStudy(findStudyFile(firstStudyName), { draws, options });
    return runAndReportStudy(
      study,
      { command: makeStudyRunCommandWords(firstStudyName), trace, draws, options },
      execution,
      context,
    );
  }
  const studies: Study[] = [];
  const planOptions: PlanOptions[] = [];
  for (const studyName of studyNames) {
    const parsedStudy = await readStudy(findStudyFile(studyName), { options });
    // Studies without replications have no number of them to change.
    const replicationCount = parsedStudy.draws === undefined ? undefined : draws;
    studies.push(
      replicationCount === undefined
        ? parsedStudy
        : await readStudy(findStudyFile(studyName), { draws: replicationCount, options }),
    );
    planOptions.push({
      command: makeStudyRunCommandWords(studyName),
      trace,
      draws: replicationCount,
      options,
    });
  }
  const title = request.studies.length === 1 ? name : studies.map((study) => study.name).join('+');
  return runStudyCollection(
    { title, command: formatShellCommand(commandLine) },
    studies,
    planOptions,
    execution,
    context,
  );
}

function makeStudyRunCommandWords(studyName: string): string[] {
  return ['study', 'run', studyName];
}

const STUDY_MERGE_OPTIONS = {
  out: { ...EXECUTION_OPTIONS.out, default: 'DIR if it has all shards, else results/STUDY' },
  submit: {
    describe:
      'submit the next round of a comparison --until-decided to Slurm, with the options of the last one',
    isSwitch: true,
    group: 'Cluster:',
  },
  ...ALLOW_CODE_OPTION,
  ...COMMON_COMMAND_OPTIONS,
} satisfies CommandOptionTable;

/** Command `gridalloc study merge`. */
export const studyMergeCommand: Command<CommandInput<typeof STUDY_MERGE_OPTIONS>> = {
  description:
    'Merges what study run --shard has written, in one folder or several, and writes tables and a report.',
  positionals: [{ name: 'DIR', meaning: 'a DIR with all shards, or one for each', isRepeatable: true }],
  options: STUDY_MERGE_OPTIONS,
  read: makeInputReader(STUDY_MERGE_OPTIONS),
  examples: [
    ['gridalloc study merge results', 'shards in one folder'],
    ['gridalloc study merge part1 part2 part3 --out whole', 'three folders'],
  ],
  run: mergeStudyShards,
};

async function mergeStudyShards(
  commandInput: CommandInput<typeof STUDY_MERGE_OPTIONS>,
  context: CommandContext,
): Promise<number> {
  const firstFolder = firstElement(commandInput.positionals);
  useCoreCopyOfFolder(firstFolder);
  const mergedStudy = await mergeStudies(commandInput.positionals);
  const isMergedInPlace = commandInput.positionals.length === 1 && readShardPlan(firstFolder) !== undefined;
  const out =
    commandInput.values.out ?? (isMergedInPlace ? firstFolder : join('results', mergedStudy.study.name));
  const isWrittenElsewhere = resolve(out) !== resolve(firstFolder);
  if (isWrittenElsewhere && readStudyCollection(firstFolder) !== undefined) {
    throw new InputError(`${firstFolder} holds several studies, which are merged there; omit --out`);
  }
  const exitCode = await withOutputFolder(out, context, async () => {
    const { study, plan, results } = mergedStudy;
    if (isWrittenElsewhere) await saveResultsInStudyFolder(out, study, plan, (id) => results.valuesOf(id));
    return finishStudyFolder(mergedStudy, out, context, {}, commandInput.values.submit === undefined);
  });
  if (commandInput.values.submit === undefined) return exitCode;
  const nextComparisonRound = await planNextComparisonRound(
    firstFolder,
    commandInput.values['allow-code'] !== undefined,
    context,
  );
  if (nextComparisonRound === undefined) return exitCode;
  return submitStudyToSlurm(
    nextComparisonRound.study,
    nextComparisonRound.planned,
    firstFolder,
    { slurm: { taskWords: [] } },
    context,
    () => mergeStudyShards(commandInput, context),
  );
}

/** Command `gridalloc study cancel`. */
export const studyCancelCommand: Command<CommandInput<typeof COMMON_COMMAND_OPTIONS>> = {
  description:
    "Cancels the study's Slurm jobs, pending and running. Finished runs are kept; study run resumes.",
  positionals: [{ name: 'DIR', meaning: 'the DIR of a study' }],
  options: COMMON_COMMAND_OPTIONS,
  read: makeInputReader(COMMON_COMMAND_OPTIONS),
  examples: [
    [
      'gridalloc study cancel results',
      'after gridalloc study run my-study.yaml --engine slurm --out results',
    ],
  ],
  run: cancelSlurmStudy,
};

async function cancelSlurmStudy(
  commandInput: CommandInput<typeof COMMON_COMMAND_OPTIONS>,
  context: CommandContext,
): Promise<number> {
  const folder = firstElement(commandInput.positionals);
  if (readSlurmSubmissions(folder).length === 0) {
    throw new InputError(
      `nothing of ${folder} has been submitted to Slurm; give the folder of study run --engine slurm`,
    );
  }
  const { active } = await readQueuedJobsOfStudy(folder, readShardPlan(folder)?.runs.length ?? 0);
  if (active.length > 0) await cancelSlurmJobs(active);
  return context.printResult({ out: folder, cancelled: active }, () =>
    active.length === 0
      ? `${folder} has no pending or running jobs`
      : `cancelled: ${formatCount(active.length, 'job')} (${active.join(', ')}); gridalloc study run ${formatSourceAsShellWord(folder)} resumes it, here or with --engine slurm`,
  );
}

/** Command `gridalloc study status`. */
export const studyStatusCommand: Command<CommandInput<typeof COMMON_COMMAND_OPTIONS>> = {
  description: "Shows a study's progress and time left, shard by shard, wherever its processes run.",
  positionals: [{ name: 'DIR', meaning: 'the DIR of a study' }],
  options: COMMON_COMMAND_OPTIONS,
  read: makeInputReader(COMMON_COMMAND_OPTIONS),
  examples: [
    ['gridalloc study status results', 'once'],
    ['gridalloc study status results --json', 'the same for programs'],
  ],
  run: showStudyStatus,
};

async function showStudyStatus(
  commandInput: CommandInput<typeof COMMON_COMMAND_OPTIONS>,
  context: CommandContext,
): Promise<number> {
  const folder = firstElement(commandInput.positionals);
  if (!isStudyFolder(folder)) throw makeNoStudyError(folder);
  const queueStates = await readSlurmQueueStates(folder);
  const studyProgress = readStudyProgress(folder);
  return context.printResult({ out: folder, ...makeStudyStatusDocument(studyProgress, queueStates) }, () =>
    formatStudyStatus(folder, studyProgress, context.colors, queueStates),
  );
}
