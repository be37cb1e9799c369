import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  addParsedOptionTexts,
  defaultOptionText,
  findOptionByName,
  isAbsentOptionText,
  type Naming,
  nameOptionInStudyFile,
  nameOptionOnCommandLine,
  type OptionStrings,
  optionNameOfKey,
} from '../../host/options/options.js';
import type { OptionRule } from '../../host/options/ruleKinds.js';
import { brokenRuleMessage, findBrokenRule, OPTION_RULES } from '../../host/options/rules.js';
import { OPTIONS_LISTING_METHODS } from '../../host/request/listedMethods.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { LOG, optionsAsCommandWords, sampleSettingsOfOption } from '../ways/samples.js';
import { runProgramInProcess } from './runProgram.js';

/**
 * Every rule by which an option needs another one, in lists of values: combinations in which the
 * option has no effect run without it, refused ones are skipped, and a value that is left in no
 * combination is an error.
 */

const folder = makeTemporaryFolder();
const logFile = join(folder, 'log.swf');
writeFileSync(logFile, LOG);

const brokenRuleOf = (optionTexts: OptionStrings, nameOption: Naming = nameOptionInStudyFile) => {
  const requestedOptions = Object.entries(optionTexts).filter(
    ([optionName, optionText]) => !isAbsentOptionText(optionName, optionText),
  );
  const settings = addParsedOptionTexts({}, Object.fromEntries(requestedOptions));
  return findBrokenRule(settings, nameOption, settings.sites?.length ?? 1);
};

/** Text with which an option is at its default. */
function unsetValueOf(optionName: string): string {
  const option = findOptionByName(optionName);
  if (option.isSwitch) return 'false';
  return option.otherwise === undefined ? (defaultOptionText(option) ?? 'none') : 'none';
}

interface RuleCase {
  readonly rule: OptionRule;
  readonly name: string;
  readonly value: string;
  readonly needed: string;
  /** Value of the needed option with which the rule is kept, and one with which it is violated. */
  readonly kept: string;
  readonly violating: string;
  readonly others: OptionStrings;
}

/** Options beside which some rules apply that the samples keep otherwise. */
const BACKFILLING_BY_POLICY = { discipline: 'easy', policy: 'best-fit' };
const KEPT_RESERVATIONS = { discipline: 'conservative', reservations: 'kept', 'backfill-interval': '30' };

/** First sample of an option with a value of the needed option that violates the rule. */
function caseOfRule(rule: OptionRule, optionName: string, neededOption: string): RuleCase | undefined {
  const samples = sampleSettingsOfOption(optionName);
  const besideOthers = [BACKFILLING_BY_POLICY, KEPT_RESERVATIONS].flatMap((otherSettings) =>
    samples.map((sample): OptionStrings => ({ ...sample, ...otherSettings })),
  );
  for (const sample of [...samples, ...besideOthers]) {
    const { [optionName]: value, [neededOption]: kept = unsetValueOf(neededOption), ...otherFields } = sample;
    const { choices: optionChoices = [] } = findOptionByName(neededOption);
    const violating = [unsetValueOf(neededOption), 'none', ...optionChoices].find((text) => {
      try {
        return brokenRuleOf({ ...sample, [neededOption]: text })?.rule === rule;
      } catch {
        return false;
      }
    });
    if (value !== undefined && violating !== undefined)
      return { rule, name: optionName, value, needed: neededOption, kept, violating, others: otherFields };
  }
  return undefined;
}

const rulePairs = OPTION_RULES.flatMap((rule) =>
  rule.needs === undefined
    ? []
    : rule.of.map(
        ({ option }) => [rule, optionNameOfKey(option), optionNameOfKey(rule.needs!.option)] as const,
      ),
);
const cases = rulePairs.flatMap(([rule, name, needed]) => caseOfRule(rule, name, needed) ?? []);

test('every option that needs another one is tried', () => {
  const triedNames = new Set(cases.map(({ name: caseName }) => caseName));
  expect(rulePairs.map(([, name]) => name).filter((name) => !triedNames.has(name))).toEqual([]);
  expect(cases.length).toBeGreaterThan(25);
});

describe.each(
  cases.map((ruleCase) => [ruleCase.name, ruleCase.needed, ruleCase.violating, ruleCase] as const),
)(
  '--%s needs --%s, not %s',
  (_, __, ___, { rule, name: caseName, value, needed, kept, violating, others }) => {
    const violation = brokenRuleOf({ ...others, [caseName]: value, [needed]: violating })!;

    test('in a sweep', async () => {
      const runSweep = (...sweptValues: readonly (readonly [string, ...string[]])[]) => {
        const variationWords = sweptValues.flatMap(([option, ...texts]) => [
          '--vary',
          `${option}=${texts.join(';')};`,
        ]);
        const commandWords = [
          'sweep',
          logFile,
          ...optionsAsCommandWords(others),
          ...variationWords,
          '--dry-run',
          '--json',
        ];
        return runProgramInProcess(commandWords);
      };
      const { stdout, exitCode, stderr } = await runSweep(
        [needed, violating, kept],
        [caseName, unsetValueOf(caseName), value],
      );
      expect({ exitCode, err: exitCode === 0 ? '' : stderr }).toEqual({ exitCode: 0, err: '' });
      expect(JSON.parse(stdout)).toMatchObject({ settings: rule.isIdle ? 4 : 3 });
      expect(stderr).toContain(
        rule.isIdle ? `${caseName} has no effect in 1 of 4 settings` : '1 of 4 settings is skipped',
      );
      expect(stderr).toContain(brokenRuleMessage(violation, nameOptionInStudyFile));
      const nowhereResult = await runSweep([needed, violating], [caseName, unsetValueOf(caseName), value]);
      expect(nowhereResult).toMatchObject({ exitCode: 2 });
      expect(nowhereResult.stderr).toMatch(/ needs | is only for /);
    });

    test.runIf([caseName, needed].every((each) => OPTIONS_LISTING_METHODS.includes(each)))(
      'in a comparison',
      async () => {
        const runComparison = (neededValues: string) => {
          const commandWords = [
            `--${needed}`,
            neededValues,
            `--${caseName}`,
            `${unsetValueOf(caseName)},${value}`,
          ];
          return runProgramInProcess([
            'compare',
            logFile,
            ...optionsAsCommandWords(others),
            ...commandWords,
            '--json',
          ]);
        };
        const { exitCode, stderr } = await runComparison(`${violating},${kept}`);
        expect({ exitCode, err: exitCode === 0 ? '' : stderr }).toEqual({ exitCode: 0, err: '' });
        expect(stderr).toMatch(/without --|skipped: /);
        const ofCommand = brokenRuleOf(
          { ...others, [caseName]: value, [needed]: violating },
          nameOptionOnCommandLine,
        )!;
        expect(stderr).toContain(brokenRuleMessage(ofCommand, nameOptionOnCommandLine));
        const nowhereResult = await runComparison(violating);
        expect(nowhereResult).toMatchObject({ exitCode: 2 });
        expect(nowhereResult.stderr).toMatch(/^gridalloc: .* (needs|is only for) /);
      },
    );
  },
);
