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
const log = join(folder, 'log.swf');
writeFileSync(log, LOG);

const brokenRuleOf = (texts: OptionStrings, naming: Naming = nameOptionInStudyFile) => {
  const given = Object.entries(texts).filter(([name, text]) => !isAbsentOptionText(name, text));
  const settings = addParsedOptionTexts({}, Object.fromEntries(given));
  return findBrokenRule(settings, naming, settings.sites?.length ?? 1);
};

/** Text with which an option is at its default. */
function unsetValueOf(name: string): string {
  const option = findOptionByName(name);
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

/** First sample of an option with a value of the needed option that violates the rule. */
function caseOfRule(rule: OptionRule, name: string, needed: string): RuleCase | undefined {
  const samples = sampleSettingsOfOption(name);
  const backfilling = samples.map((sample): OptionStrings => ({ ...sample, ...BACKFILLING_BY_POLICY }));
  for (const sample of [...samples, ...backfilling]) {
    const { [name]: value, [needed]: kept = unsetValueOf(needed), ...others } = sample;
    const { choices = [] } = findOptionByName(needed);
    const violating = [unsetValueOf(needed), 'none', ...choices].find((text) => {
      try {
        return brokenRuleOf({ ...sample, [needed]: text })?.rule === rule;
      } catch {
        return false;
      }
    });
    if (value !== undefined && violating !== undefined)
      return { rule, name, value, needed, kept, violating, others };
  }
  return undefined;
}

const pairs = OPTION_RULES.flatMap((rule) =>
  rule.needs === undefined
    ? []
    : rule.of.map(
        ({ option }) => [rule, optionNameOfKey(option), optionNameOfKey(rule.needs!.option)] as const,
      ),
);
const cases = pairs.flatMap(([rule, name, needed]) => caseOfRule(rule, name, needed) ?? []);

test('every option that needs another one is tried', () => {
  const tried = new Set(cases.map(({ name }) => name));
  expect(pairs.map(([, name]) => name).filter((name) => !tried.has(name))).toEqual([]);
  expect(cases.length).toBeGreaterThan(25);
});

describe.each(
  cases.map((ruleCase) => [ruleCase.name, ruleCase.needed, ruleCase.violating, ruleCase] as const),
)('--%s needs --%s, not %s', (_, __, ___, { rule, name, value, needed, kept, violating, others }) => {
  const violation = brokenRuleOf({ ...others, [name]: value, [needed]: violating })!;

  test('in a sweep', async () => {
    const swept = (...values: readonly (readonly [string, ...string[]])[]) => {
      const varied = values.flatMap(([option, ...texts]) => ['--vary', `${option}=${texts.join(';')};`]);
      const words = ['sweep', log, ...optionsAsCommandWords(others), ...varied, '--dry-run', '--json'];
      return runProgramInProcess(words);
    };
    const { out, code, err } = await swept([needed, violating, kept], [name, unsetValueOf(name), value]);
    expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(out)).toMatchObject({ settings: rule.isIdle ? 4 : 3 });
    expect(err).toContain(
      rule.isIdle ? `${name} has no effect in 1 of 4 settings` : '1 of 4 settings is skipped',
    );
    expect(err).toContain(brokenRuleMessage(violation, nameOptionInStudyFile));
    const nowhere = await swept([needed, violating], [name, unsetValueOf(name), value]);
    expect(nowhere).toMatchObject({ code: 2 });
    expect(nowhere.err).toMatch(/ needs | is only for /);
  });

  test.runIf([name, needed].every((each) => OPTIONS_LISTING_METHODS.includes(each)))(
    'in a comparison',
    async () => {
      const compared = (neededValues: string) => {
        const words = [`--${needed}`, neededValues, `--${name}`, `${unsetValueOf(name)},${value}`];
        return runProgramInProcess(['compare', log, ...optionsAsCommandWords(others), ...words, '--json']);
      };
      const { code, err } = await compared(`${violating},${kept}`);
      expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' });
      expect(err).toMatch(/without --|skipped: /);
      const ofCommand = brokenRuleOf(
        { ...others, [name]: value, [needed]: violating },
        nameOptionOnCommandLine,
      )!;
      expect(err).toContain(brokenRuleMessage(ofCommand, nameOptionOnCommandLine));
      const nowhere = await compared(violating);
      expect(nowhere).toMatchObject({ code: 2 });
      expect(nowhere.err).toMatch(/^gridalloc: .* (needs|is only for) /);
    },
  );
});
