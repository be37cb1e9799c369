import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  addParsedOptionTexts,
  findOptionByName,
  isAbsentOptionText,
  type Naming,
  nameOptionInStudyFile,
  nameOptionOnCommandLine,
  type OptionStrings,
  optionNameOfKey,
  printDefaultOptionText,
} from '../../host/options/options.js';
import type { OptionRule } from '../../host/options/ruleKinds.js';
import { findBrokenRule, makeBrokenRuleMessage, OPTION_RULES } from '../../host/options/rules.js';
import { OPTIONS_LISTING_METHODS } from '../../host/request/listedMethods.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { formatOptionsAsCommandWords, LOG, sampleSettingsOfOption } from '../ways/samples.js';
import { runProgramInProcess } from './runProgram.js';

/**
 * Every rule by which an option needs another one, in lists of values: combinations in which the
 * option has no effect run without it, refused ones are skipped, and a value that is left in no
 * combination is an error.
 */

const folder = makeTemporaryFolder();
const logFile = join(folder, 'log.swf');
writeFileSync(logFile, LOG);

const findBrokenRuleOfTexts = (
  optionTexts: OptionStrings,
  formatOptionName: Naming = nameOptionInStudyFile,
) => {
  const requestedOptions = Object.entries(optionTexts).filter(
    ([optionName, optionText]) => !isAbsentOptionText(optionName, optionText),
  );
  const settings = addParsedOptionTexts({}, Object.fromEntries(requestedOptions));
  return findBrokenRule(settings, formatOptionName, settings.sites?.length ?? 1);
};

/** Text with which an option is at its default. */
function findTextOfUnsetOption(optionName: string): string {
  const option = findOptionByName(optionName);
  if (option.isSwitch) return 'false';
  return option.otherwise === undefined ? (printDefaultOptionText(option) ?? 'none') : 'none';
}

interface NeededOptionCase {
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
const EASY_BEST_FIT_OPTIONS = { discipline: 'easy', policy: 'best-fit' };
const KEPT_RESERVATION_OPTIONS = {
  discipline: 'conservative',
  reservations: 'kept',
  'backfill-interval': '30',
};

/** First sample of an option with a value of the needed option that violates the rule. */
function findCaseOfRule(
  rule: OptionRule,
  optionName: string,
  neededOption: string,
): NeededOptionCase | undefined {
  const samples = sampleSettingsOfOption(optionName);
  const samplesWithOtherSettings = [EASY_BEST_FIT_OPTIONS, KEPT_RESERVATION_OPTIONS].flatMap(
    (otherSettings) => samples.map((sample): OptionStrings => ({ ...sample, ...otherSettings })),
  );
  for (const sample of [...samples, ...samplesWithOtherSettings]) {
    const {
      [optionName]: value,
      [neededOption]: kept = findTextOfUnsetOption(neededOption),
      ...otherFields
    } = sample;
    const { choices: optionChoices = [] } = findOptionByName(neededOption);
    const violatingText = [findTextOfUnsetOption(neededOption), 'none', ...optionChoices].find((text) => {
      try {
        return findBrokenRuleOfTexts({ ...sample, [neededOption]: text })?.rule === rule;
      } catch {
        return false;
      }
    });
    if (value !== undefined && violatingText !== undefined)
      return {
        rule,
        name: optionName,
        value,
        needed: neededOption,
        kept,
        violating: violatingText,
        others: otherFields,
      };
  }
  return undefined;
}

const rulesWithOptionNames = OPTION_RULES.flatMap((rule) =>
  rule.needs === undefined
    ? []
    : rule.of.map(
        ({ option }) => [rule, optionNameOfKey(option), optionNameOfKey(rule.needs!.option)] as const,
      ),
);
const cases = rulesWithOptionNames.flatMap(
  ([rule, name, needed]) => findCaseOfRule(rule, name, needed) ?? [],
);

test('every option that needs another one is tried', () => {
  const triedOptionNames = new Set(cases.map(({ name: caseName }) => caseName));
  expect(rulesWithOptionNames.map(([, name]) => name).filter((name) => !triedOptionNames.has(name))).toEqual(
    [],
  );
  expect(cases.length).toBeGreaterThan(25);
});

describe.each(
  cases.map(
    (neededOptionCase) =>
      [neededOptionCase.name, neededOptionCase.needed, neededOptionCase.violating, neededOptionCase] as const,
  ),
)(
  '--%s needs --%s, not %s',
  (_, __, ___, { rule, name: caseName, value, needed, kept, violating, others }) => {
    const violation = findBrokenRuleOfTexts({ ...others, [caseName]: value, [needed]: violating })!;

    test('in a sweep', async () => {
      const runSweepOverValues = (...optionsWithSweptValues: readonly (readonly [string, ...string[]])[]) => {
        const variationWords = optionsWithSweptValues.flatMap(([option, ...texts]) => [
          '--vary',
          `${option}=${texts.join(';')};`,
        ]);
        const commandWords = [
          'sweep',
          logFile,
          ...formatOptionsAsCommandWords(others),
          ...variationWords,
          '--dry-run',
          '--json',
        ];
        return runProgramInProcess(commandWords);
      };
      const { stdout, exitCode, stderr } = await runSweepOverValues(
        [needed, violating, kept],
        [caseName, findTextOfUnsetOption(caseName), value],
      );
      expect({ exitCode, err: exitCode === 0 ? '' : stderr }).toEqual({ exitCode: 0, err: '' });
      expect(JSON.parse(stdout)).toMatchObject({ settings: rule.isIdle ? 4 : 3 });
      expect(stderr).toContain(
        rule.isIdle ? `${caseName} has no effect in 1 of 4 settings` : '1 of 4 settings is skipped',
      );
      expect(stderr).toContain(makeBrokenRuleMessage(violation, nameOptionInStudyFile));
      const resultWithoutAnyEffect = await runSweepOverValues(
        [needed, violating],
        [caseName, findTextOfUnsetOption(caseName), value],
      );
      expect(resultWithoutAnyEffect).toMatchObject({ exitCode: 2 });
      expect(resultWithoutAnyEffect.stderr).toMatch(/ needs | is only for /);
    });

    test.runIf([caseName, needed].every((each) => OPTIONS_LISTING_METHODS.includes(each)))(
      'in a comparison',
      async () => {
        const runComparison = (neededOptionValuesText: string) => {
          const commandWords = [
            `--${needed}`,
            neededOptionValuesText,
            `--${caseName}`,
            `${findTextOfUnsetOption(caseName)},${value}`,
          ];
          return runProgramInProcess([
            'compare',
            logFile,
            ...formatOptionsAsCommandWords(others),
            ...commandWords,
            '--json',
          ]);
        };
        const { exitCode, stderr } = await runComparison(`${violating},${kept}`);
        expect({ exitCode, err: exitCode === 0 ? '' : stderr }).toEqual({ exitCode: 0, err: '' });
        expect(stderr).toMatch(/without --|skipped: /);
        const violationOnCommandLine = findBrokenRuleOfTexts(
          { ...others, [caseName]: value, [needed]: violating },
          nameOptionOnCommandLine,
        )!;
        expect(stderr).toContain(makeBrokenRuleMessage(violationOnCommandLine, nameOptionOnCommandLine));
        const resultWithoutAnyEffect = await runComparison(violating);
        expect(resultWithoutAnyEffect).toMatchObject({ exitCode: 2 });
        expect(resultWithoutAnyEffect.stderr).toMatch(/^gridalloc: .* (needs|is only for) /);
      },
    );
  },
);
