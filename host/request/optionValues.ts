/** Parsers for option values that only commands have. */
import { InputError } from '../errors.js';
import { checkKnownNames } from '../notation.js';
import type { OptionStrings } from '../options/options.js';
import type { RequestedJobClasses } from '../runs/classResults.js';
import { CLASSINGS, type Classing, type ShownClasses } from '../simulate/jobMetrics.js';
import type { SweptOption } from '../study/sweep.js';

/** Parses the job classes to show: `user,class`, `user=all`, or `user=ann,bob`. */
export function parseRequestedClasses(classTexts: readonly string[]): RequestedJobClasses {
  const shownNames: Partial<Record<Classing, 'all' | readonly string[]>> = {};
  const requestedClassifications = new Set<Classing>();
  const parseClassing = (classing: string) => {
    checkKnownNames([classing], CLASSINGS, 'value of --by');
    requestedClassifications.add(classing as Classing);
    return classing as Classing;
  };
  for (const text of classTexts) {
    let lastClassification: Classing | undefined;
    for (const part of text.split(',').map((each) => each.trim())) {
      const [, by, valueText = ''] = /^(\w+)=(.*)$/s.exec(part) ?? [];
      const wordsOfPart = part.split(/\s+/).filter((word) => word !== '');
      const isClassName =
        lastClassification !== undefined &&
        !wordsOfPart.every((word) => (CLASSINGS as readonly string[]).includes(word));
      if (by !== undefined) {
        const classification = parseClassing(by);
        lastClassification = valueText === 'all' ? undefined : classification;
        shownNames[classification] =
          valueText === 'all' ? 'all' : [...parseShownNames(shownNames[classification]), valueText];
      } else if (isClassName && lastClassification !== undefined)
        shownNames[lastClassification] = [...parseShownNames(shownNames[lastClassification]), part];
      else {
        lastClassification = undefined;
        wordsOfPart.forEach(parseClassing);
      }
    }
  }
  return {
    classings: CLASSINGS.filter((classing) => requestedClassifications.has(classing)),
    shown: shownNames,
  };
}

const parseShownNames = (shownNames: ShownClasses[Classing]) =>
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
export function parseVariedOption(variedText: string): SweptOption {
  const [, name, valuesText = ''] = /^([A-Za-z][\w-]*(?:\+[A-Za-z][\w-]*)*)=(.*)$/s.exec(variedText) ?? [];
  if (name === undefined)
    throw new InputError(`--vary: expected name=value,value,..., found '${variedText}'`);
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
