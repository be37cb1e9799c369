import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { COMMANDS, isCommandGroup } from '../../host/cli/catalogue.js';
import { CommandContext } from '../../host/cli/context.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { runProgramInProcess, TINY_LOG_TEXT, writeLogFile } from './runProgram.js';

/** Complete error messages for wrong command lines, exactly as printed. */
const WRONG_COMMANDS_WITH_ERRORS: [words: string[], sentence: string][] = [
  [
    ['simulat'],
    "unknown command 'simulat'; did you mean 'simulate'? Known: simulate, compare, policies, metrics, study, sweep, report, diff, jobs, explain, validate, explore, bench, conformance, environment, trace, completion",
  ],
  [
    ['trace'],
    'a trace command is missing: info, check, convert, generate, models, formats, presets; see gridalloc trace --help',
  ],
  [
    ['trace', 'inf', 'x.swf'],
    "unknown trace command 'inf'; did you mean 'info'? Known: info, check, convert, generate, models, formats, presets",
  ],
  [
    ['simulate'],
    'gridalloc simulate needs a WORKLOAD: a job log (FILE.swf, FILE.swf.gz, -) or a model; see gridalloc simulate --help',
  ],
  [
    ['trace', 'generate', 'lublin99'],
    'gridalloc trace generate needs OUT: the file to write (OUT.swf, OUT.swf.gz, or - for standard output); ' +
      'see gridalloc trace generate --help',
  ],
  [
    ['report', 'a', 'b.swf'],
    "gridalloc report takes 1 argument, found also 'b.swf'; see gridalloc report --help",
  ],
  [
    ['policies', 'bf'],
    "gridalloc policies takes no arguments but options, found also 'bf'; see gridalloc policies --help",
  ],
  [
    ['simulate', '-', '--laod', '2'],
    'unknown option --laod of gridalloc simulate; did you mean --load? See gridalloc simulate --help',
  ],
  [['simulate', '-', '--zzz'], 'unknown option --zzz of gridalloc simulate. See gridalloc simulate --help'],
  [['simulate', '-', '-x'], 'unknown option -x of gridalloc simulate. See gridalloc simulate --help'],
  [
    ['simulate', '-', '--no-json'],
    'unknown option --no-json of gridalloc simulate; did you mean --json? See gridalloc simulate --help',
  ],
  [['simulate', '-', '--constructor', '1'], 'unknown option --constructor; see gridalloc --help'],
  [
    ['simulate', '-', '--load'],
    '--load needs a value (one that begins with - follows =, as in --load=-1); see gridalloc simulate --help',
  ],
  [
    ['simulate', '-', '--load', ''],
    '--load needs a value (one that begins with - follows =, as in --load=-1); see gridalloc simulate --help',
  ],
  [
    ['simulate', '-', '--order', '-processors'],
    '--order needs a value (one that begins with - follows =, as in --order=-1); see gridalloc simulate --help',
  ],
  [
    ['simulate', '-', '--load', '--json'],
    '--load needs a value (one that begins with - follows =, as in --load=-1); see gridalloc simulate --help',
  ],
  [['simulate', '-', '--json=yes'], '--json takes no value'],
  [['simulate', '-', '--load', '1', '--load', '2'], '--load is given 2 times (1, 2); give it once'],
  [['simulate', '-', '--load', 'abc'], "--load, entry 1: expected a number above 0, found 'abc'"],
  [['simulate', '-', '--load', 'NaN'], "--load, entry 1: expected a number above 0, found 'NaN'"],
  [['simulate', '-', '--load', '0x10'], "--load, entry 1: expected a number above 0, found '0x10'"],
  [['simulate', '-', '--load', '-1'], "--load, entry 1: expected a number above 0, found '-1'"],
  [
    ['simulate', '-', '--load', '1,2'],
    '--load: found 2 values for a grid of 1 site; give one value per site',
  ],
  [
    ['simulate', '-', '--sites', '4,0'],
    "--sites, entry 2: expected a whole number of at least 1 and at most 2147483647, found '0'",
  ],
  [
    ['simulate', '-', '--sites', '6,2', '--speeds', '1'],
    '--speeds: found 1 value for a grid of 2 sites; give one value per site',
  ],
  [
    ['simulate', '-', '--sites', '6,2', '--heterogeneity', '1'],
    '--heterogeneity: found 1 value for a grid of 2 sites; give one value per site',
  ],
  [
    ['simulate', '-', '--speeds', '1', '--heterogeneity', '1'],
    '--speeds cannot be combined with --heterogeneity, since both say how fast the sites are; omit one of them',
  ],
  [
    ['simulate', '-', '--rc', '0.5', '--max-width', '3'],
    '--rc cannot be combined with --max-width, since both say which jobs are cut; omit one of them',
  ],
  [['simulate', '-', '--rc', '1.5'], "--rc: expected a number above 0 and at most 1, found '1.5'"],
  [
    ['simulate', '-', '--max-width', '2.5'],
    "--max-width: expected a whole number of at least 1, found '2.5'",
  ],
  [
    ['simulate', '-', '--min-speed-ratio', '-1'],
    "--min-speed-ratio: expected a number of at least 0, found '-1'",
  ],
  [['simulate', '-', '--policy', 'ti[slt=x]'], "parameter 'slt' of ti: expected a number, found 'x'"],
  [['simulate', '-', '--policy', ','], '--policy names no policy; see gridalloc policies'],
  [
    ['simulate', '-', '--discipline', 'esay'],
    "unknown value of --discipline 'esay'; did you mean 'easy'? Known: fcfs, njf, wjf, sjf, ljf, first-available, easy, conservative",
  ],
  [
    ['simulate', '-', '--home', 'queues'],
    "unknown value of --home 'queues'; did you mean 'queue'? Known: queue, partition, user, group, none",
  ],
  [
    ['simulate', '-', '--sites', '4'],
    'job 5 is too large for the grid and can never start: it needs 6 processors and can have at most 4; ' +
      'give larger sites, or --oversize drop or --oversize split',
  ],
  [['simulate', 'none.swf'], 'none.swf does not exist; check the path of the job log'],
  ...['simulate', 'compare', 'trace info', 'trace check'].map((command): [string[], string] => [
    [...command.split(' '), 'https://x.org/logs/a.swf.gz?v=1'],
    'https://x.org/logs/a.swf.gz?v=1 is a URL; fetch it first: ' +
      "curl -L -o a.swf.gz 'https://x.org/logs/a.swf.gz?v=1', then give a.swf.gz",
  ]),
  [
    ['simulate', 'lublin'],
    'lublin does not exist; check the path of the job log; did you mean the model lublin99?',
  ],
  [
    ['simulate', 'lublin9[jobs=3]'],
    "unknown model 'lublin9'; did you mean 'lublin99'? Known: feitelson96, lublin99",
  ],
  [
    ['trace', 'generate', 'lublin99', '-', '--json'],
    'the log and --json cannot both go to standard output; give a file, or omit --json',
  ],
  [['trace', 'convert', '-', '-', '--rc', '0.5'], 'rc is a share of the largest site; give the sites too'],
];

const TWO_SITE_WORDS = ['--sites', '4,8'];

/** Error messages for load-sharing options that exclude each other or are out of range. */
const WRONG_LOAD_SHARING_OPTIONS: [words: string[], sentence: string][] = [
  [['--queue', 'per-site'], "unknown value of --queue 'per-site'. Known: shared, per-home, independent"],
  [
    ['--reclaim'],
    '--reclaim needs --queue per-home, since a site stops jobs from elsewhere for those in its own queue',
  ],
  [
    ['--reclaim', '--queue', 'independent'],
    '--reclaim needs --queue per-home, since a site stops jobs from elsewhere for those in its own queue',
  ],
  [
    ['--reclaim', '--queue', 'per-home', '--multi-site', 'adaptive'],
    '--reclaim cannot be combined with --multi-site adaptive, since the fate of the other parts of a stopped job is undefined; omit one of them',
  ],
  [
    ['--queue', 'per-home', '--discipline', 'first-available'],
    '--queue per-home cannot be combined with --discipline first-available, since only the first job of each queue is considered; omit one of them',
  ],
  [
    ['--multi-site', 'larger'],
    "unknown value of --multi-site 'larger'. Known: larger-first, faster-first, adaptive",
  ],
  [
    ['--multi-site-overhead', '0.1'],
    '--multi-site-overhead needs --multi-site, since it applies only to split jobs',
  ],
  [
    ['--multi-site', 'larger-first', '--multi-site-overhead', '-0.1'],
    "--multi-site-overhead: expected a number of at least 0, found '-0.1'",
  ],
];

/**
 * Error messages for moldable jobs: combinations undefined in the paper, and values out of range.
 */
const WRONG_MOLDABLE_OPTIONS: [words: string[], sentence: string][] = [
  [['--moldable', 'up'], "unknown value of --moldable 'up'. Known: down, up-down"],
  [
    ['--moldable', 'up-down'],
    '--moldable up-down is for a single site, found 2, since no paper says how jobs on several sites are scaled up',
  ],
  [
    ['--moldable-threshold', '2'],
    '--moldable-threshold needs --moldable, since it applies only to moldable jobs',
  ],
  [
    ['--moldable-fit', 'power'],
    '--moldable-fit power needs --moldable, since it applies only to moldable jobs',
  ],
  [
    ['--speedup', 'downey[A=4,sigma=1]'],
    '--speedup needs --moldable, since it applies only to moldable jobs',
  ],
  [
    ['--moldable', 'down', '--moldable-threshold', '0'],
    "--moldable-threshold: expected a number above 0, found '0'",
  ],
  [
    ['--moldable', 'down', '--moldable-fit', 'best'],
    "unknown value of --moldable-fit 'best'. Known: demand, processors, power",
  ],
  [['--moldable', 'down', '--speedup', 'amdahl'], "unknown speed-up 'amdahl'. Known: linear, downey"],
  [['--moldable', 'down', '--speedup', 'linear[A=1]'], "speed-up 'linear' has no parameters"],
  [
    ['--moldable', 'down', '--speedup', 'downey[A=4]'],
    "speed-up 'downey[A=4]': give A and sigma, as in downey[A=16,sigma=1]",
  ],
  [
    ['--moldable', 'down', '--speedup', 'downey[A=0.5,sigma=1]'],
    '--speedup, average parallelism A: expected a number of at least 1, found 0.5',
  ],
  [
    ['--moldable', 'down', '--speedup', 'downey[A=4,sigma=-1]'],
    '--speedup, sigma: expected a number of at least 0, found -1',
  ],
  [
    ['--moldable', 'down', '--discipline', 'easy'],
    '--moldable down cannot be combined with --discipline easy, since moldable jobs wait in one queue, whose first job blocks, and run on any one site; omit one of them',
  ],
  [
    ['--moldable', 'down', '--queue', 'independent'],
    '--moldable down cannot be combined with --queue independent, since moldable jobs wait in one queue, whose first job blocks, and run on any one site; omit one of them',
  ],
  [
    ['--moldable', 'down', '--multi-site', 'adaptive'],
    '--moldable down cannot be combined with --multi-site adaptive, since moldable jobs wait in one queue, whose first job blocks, and run on any one site; omit one of them',
  ],
  [
    ['--moldable', 'down', '--min-speed-ratio', '1'],
    '--moldable down cannot be combined with --min-speed-ratio, since moldable jobs wait in one queue, whose first job blocks, and run on any one site; omit one of them',
  ],
  [
    ['--moldable', 'down', '--policy', 'ai2'],
    '--moldable down cannot be combined with --policy, since the rule of moldable jobs chooses the site itself; omit one of them',
  ],
];

/** Error messages for sources of estimates. */
const WRONG_ESTIMATE_OPTIONS: [words: string[], sentence: string][] = [
  [
    ['--estimates', 'guess'],
    "unknown source of estimates 'guess'. Known: trace, exact, uniform, normal, recent, none",
  ],
  [['--estimates', 'exact:0.2'], "estimates 'exact:0.2': exact takes no error range"],
  [
    ['--estimates', 'uniform'],
    "estimates 'uniform': expected an error range, such as uniform:0.2 or uniform:0.2:7",
  ],
  [
    ['--estimates', 'normal:0.2:1:2'],
    "estimates 'normal:0.2:1:2': expected an error range, such as normal:0.2 or normal:0.2:7",
  ],
  [
    ['--estimates', 'normal:0'],
    "error range of the estimates 'normal:0': expected a number above 0, found '0'",
  ],
  [
    ['--estimates', 'uniform:1'],
    "error range of the estimates 'uniform:1': expected less than 1, since a runtime cannot be negative, found 1",
  ],
  [
    ['--estimates', 'uniform:0.2:x'],
    "seed of the estimates 'uniform:0.2:x': expected a whole number, found 'x'",
  ],
];

describe('wrong usage and bad input', () => {
  test.each(WRONG_COMMANDS_WITH_ERRORS)('%j', async (commandWords, sentence) => {
    const { exitCode, stdout, stderr } = await runProgramInProcess(commandWords, { input: TINY_LOG_TEXT });
    const isJson = commandWords.includes('--json');
    const errorMessage = isJson ? JSON.parse(stdout).error : stdout;
    expect({ exitCode, printed: errorMessage, stderr }).toEqual({
      exitCode: 2,
      printed: isJson ? sentence : '',
      stderr: `gridalloc: ${sentence}\n`,
    });
  });

  test.each([...WRONG_LOAD_SHARING_OPTIONS, ...WRONG_MOLDABLE_OPTIONS, ...WRONG_ESTIMATE_OPTIONS])(
    '%j',
    async (options, sentence) => {
      const { exitCode, stdout, stderr } = await runProgramInProcess(
        ['simulate', '-', ...TWO_SITE_WORDS, ...options],
        {
          input: TINY_LOG_TEXT,
        },
      );
      expect({ exitCode, stdout, stderr }).toEqual({
        exitCode: 2,
        stdout: '',
        stderr: `gridalloc: ${sentence}\n`,
      });
    },
  );

  test('an unknown policy prints the nearest and all known ones', async () => {
    const { exitCode, stderr } = await runProgramInProcess(['simulate', '-', '--policy', 'bestfit'], {
      input: TINY_LOG_TEXT,
    });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(
      /^gridalloc: unknown policy 'bestfit'; did you mean 'best-fit'\? Known: best-fit, bf, .*tai2, dynamic\n$/,
    );
  });
});

describe('where a folder of results is expected', () => {
  const logFile = writeLogFile();
  const wrongInputPaths = {
    'a log': logFile,
    'an empty folder': makeTemporaryFolder(),
    nothing: join(makeTemporaryFolder(), 'nowhere'),
  };
  const commands = [
    'explain FOLDER --job 1',
    'explain FOLDER --longest 2',
    'explain FOLDER --user 1',
    'diff FOLDER FOLDER',
    'report FOLDER',
    'study status FOLDER',
    'study merge FOLDER',
    'simulate --config FOLDER',
  ];
  const cases = commands.flatMap((command) =>
    Object.keys(wrongInputPaths).map((inputKind) => [command, inputKind] as const),
  );
  test.each(cases)('%s says of %s what to give instead', async (command, inputKind) => {
    const path = wrongInputPaths[inputKind as keyof typeof wrongInputPaths];
    const { exitCode, stderr } = await runProgramInProcess(
      command.split(' ').map((word) => (word === 'FOLDER' ? path : word)),
    );
    expect(stderr.startsWith(`gridalloc: ${path} holds n`), stderr).toBe(true);
    expect(stderr).toMatch(/; give a folder that .* (?:written|--out)/);
    expect(exitCode).toBe(2);
  });
});

describe('unexpected errors', () => {
  test('are one line and exit 1, with the stack only on request', async () => {
    const print = vi.spyOn(CommandContext.prototype, 'print').mockImplementation(() => {
      throw new TypeError('no such thing');
    });
    const resultOfPoliciesCommand = await runProgramInProcess(['policies']);
    const resultInDebugMode = await runProgramInProcess(['policies'], { env: { GRIDALLOC_DEBUG: '1' } });
    print.mockRestore();
    expect(resultOfPoliciesCommand).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'gridalloc: no such thing (unexpected; run again with GRIDALLOC_DEBUG=1 for the stack)\n',
    });
    expect(resultInDebugMode.exitCode).toBe(1);
    expect(resultInDebugMode.stderr).toMatch(/^gridalloc: TypeError: no such thing\n {4}at /);
  });
});

test('where a word that begins with - is taken for an option, the hint says how to give it as a value', async () => {
  let options = 0;
  for (const { name: commandName, load } of COMMANDS.flatMap((commandEntry) =>
    isCommandGroup(commandEntry) ? commandEntry.commands : [commandEntry],
  )) {
    const command = await load();
    for (const [option, { isSwitch, bare }] of Object.entries(command.options)) {
      if (isSwitch || bare !== undefined) continue;
      options++;
      for (const optionValue of ['-processors', '--quiet']) {
        const { exitCode, stderr } = await runProgramInProcess([
          ...commandName.split(' '),
          `--${option}`,
          optionValue,
        ]);
        expect({ exitCode, stderr }, `${commandName} --${option} ${optionValue}`).toEqual({
          exitCode: 2,
          stderr: `gridalloc: --${option} needs a value (one that begins with - follows =, as in --${option}=-1); see gridalloc ${commandName} --help\n`,
        });
      }
      const { stderr: err } = await runProgramInProcess([
        ...commandName.split(' '),
        `--${option}=-1`,
        '--no-such-option',
      ]);
      expect(err, `${commandName} --${option}=-1`).not.toContain('needs a value');
    }
  }
  expect(options).toBeGreaterThan(200);
});
