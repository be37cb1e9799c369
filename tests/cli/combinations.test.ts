import { expect, test } from 'vitest';
import { COMMANDS, isCommandGroup } from '../../host/cli/catalogue.js';
import { runProgramInProcess } from './runProgram.js';

/**
 * Combines options of every command and checks that each rule between options refuses in one
 * sentence.
 */

const loadedCommands = await Promise.all(
  COMMANDS.flatMap((commandEntry) =>
    isCommandGroup(commandEntry) ? commandEntry.commands : [commandEntry],
  ).map(async ({ name: commandName, load }) => ({
    name: commandName,
    ...(await load()),
  })),
);

/** Command-line words for an option with a valid value. */
function makeExampleArguments(option: string, options: (typeof loadedCommands)[number]['options']): string[] {
  const [name, value] = option.split(' ');
  if (value !== undefined) return [`--${name}`, value];
  const { isSwitch, choices: optionChoices } = options[name];
  return isSwitch ? [`--${name}`] : [`--${name}`, optionChoices?.at(-1) ?? '2'];
}

const cases = loadedCommands.flatMap(({ name, options, combinations = [] }) =>
  combinations.flatMap(({ of: ruleSubjects, needs, excludes, why }) =>
    ruleSubjects.flatMap((option) => {
      const loneCases = needs === undefined && excludes !== undefined ? [] : [undefined];
      return [...loneCases, ...(excludes ?? [])].map((otherOption) => ({
        name,
        option,
        other: otherOption,
        why,
        options,
      }));
    }),
  ),
);

test('there are many combinations, of several commands', () => {
  expect(cases.length).toBeGreaterThan(40);
  expect(new Set(cases.map(({ name: caseName }) => caseName)).size).toBeGreaterThan(6);
});

test('options that some command refuses together are refused together by every command that has both', () => {
  const listOptionPairsOf = (combinations: (typeof loadedCommands)[number]['combinations']) =>
    (combinations ?? []).flatMap(({ of: ruleSubjects, needs, excludes, where }) =>
      where !== undefined
        ? []
        : ruleSubjects.flatMap((option) =>
            (excludes ?? needs ?? []).map((otherOption) => [option, otherOption]),
          ),
    );
  const sharedPairs = loadedCommands.flatMap(({ combinations }) =>
    listOptionPairsOf(combinations).filter(([, otherOption]) =>
      ['replication', 'engine slurm', 'group'].includes(otherOption),
    ),
  );
  expect(sharedPairs.length).toBeGreaterThan(10);
  for (const { name, options, combinations } of loadedCommands)
    for (const [option, otherOption] of sharedPairs)
      if (option in options && otherOption.split(' ')[0] in options)
        expect([name, ...listOptionPairsOf(combinations).map((pair) => pair.join(' '))]).toContain(
          `${option} ${otherOption}`,
        );
});

test.each(cases.map((each) => [each.name, each.option, each.other ?? 'nothing else', each] as const))(
  '%s --%s beside %s',
  async (name, option, _, { other, why, options }) => {
    const commandWords = [option, ...(other === undefined ? [] : [other])].flatMap((optionName) =>
      makeExampleArguments(optionName, options),
    );
    // A rule may apply only to one log, only to several logs, or only with replications.
    const replicationWords = options.replications === undefined ? [] : ['--replications', '20'];
    const tries = [[], ['a'], ['a', 'b']].flatMap((sources) => [
      [...name.split(' '), ...sources, ...commandWords],
      [...name.split(' '), ...sources, ...commandWords, ...replicationWords],
    ]);
    const commandResults = await Promise.all(tries.map((each) => runProgramInProcess(each)));
    const refusalText = other === undefined ? why : `cannot be combined with --${other}, since ${why}`;
    const ruleMessages = commandResults.filter(
      ({ exitCode, stderr }) => exitCode === 2 && stderr.includes(refusalText),
    );
    expect(ruleMessages.length).toBeGreaterThan(0);
    for (const { stderr, stdout } of ruleMessages) {
      // With --json, standard output has the error as a document.
      if ([option, other].includes('json')) expect(JSON.parse(stdout)).toMatchObject({ exitCode: 2 });
      else expect(stdout).toBe('');
      expect(stderr).toMatch(new RegExp(`^gridalloc: --${option}\\b`));
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
  },
);
