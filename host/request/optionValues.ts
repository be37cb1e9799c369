/** Parsers for option values that only commands have. */
import { InputError } from '../errors.js';
import { checkKnownNames } from '../notation.js';
import type { OptionStrings } from '../options/options.js';
import type { RequestedJobClasses } from '../runs/classResults.js';
import { CLASS_ATTRIBUTES, type ClassAttribute, type ShownClasses } from '../simulate/jobMetrics.js';
import type { SweptOption } from '../study/sweep.js';

/** Parses the job classes to show: `user,class`, `user=all`, or `user=ann,bob`. */
export function parseRequestedClasses(classTexts: readonly string[]): RequestedJobClasses {
  const shownNames: Partial<Record<ClassAttribute, 'all' | readonly string[]>> = {};
  const requestedClassAttributes = new Set<ClassAttribute>();
  const parseClassAttribute = (jobClassification: string) => {
    checkKnownNames([jobClassification], CLASS_ATTRIBUTES, 'value of --by');
    requestedClassAttributes.add(jobClassification as ClassAttribute);
    return jobClassification as ClassAttribute;
  };
  for (const text of classTexts) {
    let lastClassAttribute: ClassAttribute | undefined;
    for (const part of text.split(',').map((each) => each.trim())) {
      const [, by, valueText = ''] = /^(\w+)=(.*)$/s.exec(part) ?? [];
      const wordsOfClassText = part.split(/\s+/).filter((word) => word !== '');
      const isClassName =
        lastClassAttribute !== undefined &&
        !wordsOfClassText.every((word) => (CLASS_ATTRIBUTES as readonly string[]).includes(word));
      if (by !== undefined) {
        const namedClassAttribute = parseClassAttribute(by);
        lastClassAttribute = valueText === 'all' ? undefined : namedClassAttribute;
        shownNames[namedClassAttribute] =
          valueText === 'all'
            ? 'all'
            : [...collectShownClassNames(shownNames[namedClassAttribute]), valueText];
      } else if (isClassName && lastClassAttribute !== undefined)
        shownNames[lastClassAttribute] = [...collectShownClassNames(shownNames[lastClassAttribute]), part];
      else {
        lastClassAttribute = undefined;
        wordsOfClassText.forEach(parseClassAttribute);
      }
    }
  }
  return {
    classings: CLASS_ATTRIBUTES.filter((jobClassification) =>
      requestedClassAttributes.has(jobClassification),
    ),
    shown: shownNames,
  };
}

const collectShownClassNames = (shownNames: ShownClasses[ClassAttribute]) =>
  shownNames === 'all' || shownNames === undefined ? [] : shownNames;

/** Parses a share: `2%`, `2 %` or `0.02`. */
export function parseProportion(proportionText: string, errorContext: string): number {
  const [, digits, sign] = /^(\d*\.?\d+)\s*(%?)$/.exec(proportionText.trim()) ?? [];
  const share = Number(digits) / (sign === '%' ? 100 : 1);
  if (share >= 0 && share < 1) return share;
  throw new InputError(
    `${errorContext} ${proportionText} is not a share below 1; give a percentage such as 2%, or 0.02`,
  );
}

/** Parses `name=value,value,...`. */
export function parseVariedOption(variedOptionText: string): SweptOption {
  const [, name, valuesText = ''] =
    /^([A-Za-z][\w-]*(?:\+[A-Za-z][\w-]*)*)=(.*)$/s.exec(variedOptionText) ?? [];
  if (name === undefined)
    throw new InputError(`--vary: expected name=value,value,..., found '${variedOptionText}'`);
  return { name, values: valuesText };
}

/** Parses the `option=value` texts of --set. */
export function parseSettings(settingTexts: readonly string[]): OptionStrings {
  const settings = new Map<string, string>();
  for (const text of settingTexts) {
    const [, name, valueText = ''] = /^([a-z-]+)=(.+)$/.exec(text) ?? [];
    if (name === undefined) throw new InputError(`--set: expected option=value, found '${text}'`);
    if (settings.has(name)) throw new InputError(`--set: ${name} is given twice`);
    settings.set(name, valueText);
  }
  return Object.fromEntries(settings);
}
