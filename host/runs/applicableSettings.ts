/** Settings of a study to which the rules on options apply: what is skipped, and what has no effect. */
import { prefixErrorWithLocation } from '../errors.js';
import { formatCount, formatNumber } from '../format/numbers.js';
import { selectApplicableOptions } from '../options/applicableOptions.js';
import {
  isAbsentOptionText,
  nameOptionInStudyFile,
  type OptionKey,
  optionNameOfKey,
  type Settings,
} from '../options/options.js';
import type { OptionRule } from '../options/ruleKinds.js';
import { type BrokenOptionRule, makeBrokenRuleError, makeBrokenRuleMessage } from '../options/rules.js';
import { parseSettingOptions, type StudySetting } from '../study/expand.js';
import type { OptionTexts } from '../study/schema.js';

/** Place of a setting in errors: its study, and its values on the axes. */
export function describePlaceOfSetting(setting: StudySetting, axes: readonly string[]): string {
  const settingLabelsText = describeLabels(setting, axes);
  const studyName = setting.locate('workload').split(',')[0]!;
  return settingLabelsText === '' ? studyName : `${studyName}, at ${settingLabelsText}`;
}

function describeLabels({ labels: settingLabels }: StudySetting, axes: readonly string[]): string {
  return axes
    .flatMap((axisName, i) =>
      settingLabels[i] === null || settingLabels[i] === '' ? [] : [`${axisName} ${settingLabels[i]}`],
    )
    .join(', ');
}

/**
 * Options of a setting that have an effect, as texts by name; undefined if a rule refuses the setting.
 * @param siteCount number of sites, if known.
 */
export function determineEffectiveOptionTexts(
  setting: StudySetting,
  siteCount?: number,
): OptionTexts | undefined {
  const parsedSettings = parseSettingOptions(setting);
  const { omitted: omittedOptions, refusal } = selectApplicableOptions(
    parsedSettings,
    nameOptionInStudyFile,
    siteCount,
  );
  if (refusal !== undefined) return undefined;
  const omittedOptionNames = omittedOptions.map(({ options: [key] }) => optionNameOfKey(key as OptionKey));
  return Object.fromEntries(
    Object.entries(setting.options).filter(([optionName]) => !omittedOptionNames.includes(optionName)),
  );
}

/** Settings that a rule concerns: their number, and the first one. */
interface SettingsBreakingRule {
  count: number;
  readonly first: StudySetting;
  readonly brokenRule: BrokenOptionRule;
}

/** Counts the settings of a study that rules on options refuse, and those in which an option has no effect. */
export class ApplicableSettings {
  readonly #axes: readonly string[];
  /** Skipped settings by the message of their rule. */
  readonly #skipped = new Map<string, SettingsBreakingRule>();
  /** Settings in which an option has no effect, by the option and its rule. */
  readonly #omitted = new Map<OptionKey, Map<OptionRule, SettingsBreakingRule>>();
  /** First setting in which a value of an option has no effect, by the value. */
  readonly #omittedValues = new Map<string, SettingsBreakingRule>();
  /** Values of options that have an effect in some setting. */
  readonly #effectiveValues = new Set<string>();
  /** Labels of the remaining settings by axis, and the first skipped setting with each label. */
  readonly #labels: readonly Set<unknown>[];
  readonly #skippedLabels: readonly Map<unknown, SettingsBreakingRule>[];
  #settings = 0;

  constructor(axes: readonly string[]) {
    this.#axes = axes;
    this.#labels = axes.map(() => new Set());
    this.#skippedLabels = axes.map(() => new Map());
  }

  /**
   * Settings without options that have no effect; undefined if a rule refuses them, so that they are skipped.
   * @param siteCount number of sites, if known.
   */
  select(
    setting: StudySetting,
    parsedSettings: Settings,
    siteCount?: number,
  ): { readonly settings: Settings; readonly omitted: readonly BrokenOptionRule[] } | undefined {
    const {
      options,
      omitted: omittedOptions,
      refusal,
    } = selectApplicableOptions(parsedSettings, nameOptionInStudyFile, siteCount);
    if (refusal === undefined) return { settings: options, omitted: omittedOptions };
    this.#settings++;
    addConcernedSetting(
      this.#skipped,
      makeBrokenRuleMessage(refusal, nameOptionInStudyFile),
      setting,
      refusal,
    );
    for (const [i, settingsByLabel] of this.#skippedLabels.entries())
      addConcernedSetting(settingsByLabel, setting.labels[i], setting, refusal);
    return undefined;
  }

  /** Counts a setting that is not skipped. */
  count(setting: StudySetting, omittedOptions: readonly BrokenOptionRule[]): void {
    this.#settings++;
    const omittedOptionNameSet = new Set<string>(
      omittedOptions.map(({ options: [key] }) => optionNameOfKey(key as OptionKey)),
    );
    for (const [optionName, optionText] of Object.entries(setting.options))
      if (!omittedOptionNameSet.has(optionName) && !isAbsentOptionText(optionName, optionText))
        this.#effectiveValues.add(`${optionName}: ${optionText}`);
    for (const [i, labels] of this.#labels.entries()) labels.add(setting.labels[i]);
    for (const brokenRule of omittedOptions) {
      const brokenOptionKey = brokenRule.options[0] as OptionKey;
      const optionName = optionNameOfKey(brokenOptionKey);
      const settingsByRule =
        this.#omitted.get(brokenOptionKey) ?? new Map<OptionRule, SettingsBreakingRule>();
      this.#omitted.set(brokenOptionKey, settingsByRule);
      addConcernedSetting(settingsByRule, brokenRule.rule, setting, brokenRule);
      addConcernedSetting(
        this.#omittedValues,
        `${optionName}: ${setting.options[optionName]}`,
        setting,
        brokenRule,
      );
    }
  }

  /**
   * Checks that every value is left in some setting.
   * @throws InputError for a value whose settings are all skipped, or that has no effect in any.
   */
  check(): void {
    for (const [i, settingsByLabel] of this.#skippedLabels.entries())
      for (const [label, concerned] of settingsByLabel)
        if (!this.#labels[i]!.has(label)) throw this.#error(concerned);
    for (const [valueText, concerned] of this.#omittedValues)
      if (!this.#effectiveValues.has(valueText)) throw this.#error(concerned);
    if (this.#axes.length > 0) return;
    for (const skippedSettings of this.#skipped.values()) throw this.#error(skippedSettings);
  }

  /** Remarks on options without effect and on skipped settings, one for each rule. */
  remarks(): string[] {
    const describeFirstSetting = ({ count: settingCount, first }: SettingsBreakingRule) =>
      `${settingCount === 1 ? '' : 'such as '}${describeLabels(first, this.#axes)}`;
    const formatSettingCount = ({ count: settingCount }: SettingsBreakingRule) =>
      `${formatNumber(settingCount)} of ${formatCount(this.#settings, 'setting')}`;
    return [
      ...[...this.#omitted].flatMap(([key, settingsByRule]) =>
        [...settingsByRule.values()].map(
          (concerned) =>
            `${optionNameOfKey(key)} has no effect in ${formatSettingCount(concerned)} (${describeFirstSetting(concerned)}): ${makeBrokenRuleMessage(concerned.brokenRule, nameOptionInStudyFile)}`,
        ),
      ),
      ...[...this.#skipped].map(
        ([message, concerned]) =>
          `${formatSettingCount(concerned)} ${concerned.count === 1 ? 'is' : 'are'} skipped (${describeFirstSetting(concerned)}): ${message}`,
      ),
    ];
  }

  #error({ first, brokenRule }: SettingsBreakingRule): Error {
    return prefixErrorWithLocation(
      makeBrokenRuleError(brokenRule, nameOptionInStudyFile),
      describePlaceOfSetting(first, this.#axes),
    ) as Error;
  }
}

function addConcernedSetting<Key>(
  settingsByKey: Map<Key, SettingsBreakingRule>,
  key: Key,
  setting: StudySetting,
  brokenRule: BrokenOptionRule,
): void {
  const settingsBreakingRule = settingsByKey.get(key);
  if (settingsBreakingRule === undefined) settingsByKey.set(key, { count: 1, first: setting, brokenRule });
  else settingsBreakingRule.count++;
}
