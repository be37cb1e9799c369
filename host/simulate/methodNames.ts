/** Methods of a comparison by what tells them apart. */

import { type Policy, printPolicy } from '../core/policies.js';
import { printNotation } from '../notation.js';
import {
  asksPolicy,
  type Configuration,
  isBackfilling,
  makeConfiguration,
} from '../options/configuration.js';
import { isUsual, printRun } from '../options/document.js';
import { OPTIONS } from '../options/options.js';
import { printOrder } from '../options/order.js';
import { isCodeName } from '../options/providedCode.js';
import { chooserOf } from './summary.js';

/** A policy without the parameters that have their defaults; of a file its name. */
function shortPolicy(policy: Policy): string {
  const { declaration, values } = policy;
  const name = printPolicy(policy);
  if (isCodeName(name)) return name;
  const changed = declaration.parameters.flatMap((parameter, i): [string, number | string][] =>
    values[i] === parameter.default ? [] : [[parameter.name, values[i]]],
  );
  return printNotation(declaration.name, changed);
}

/** Who chooses sites, where anybody does. */
function chooserIn(configuration: Configuration): string {
  if (asksPolicy(configuration)) return shortPolicy(configuration.policy);
  return isBackfilling(configuration.discipline) ? '' : chooserOf(configuration);
}

const differ = (values: readonly unknown[]) => new Set(values).size > 1;

/** The options in which some runs differ, as texts by name; what says nothing in a run is left out of it. */
export function differingOptions(configurations: readonly Configuration[]): Record<string, string>[] {
  const texts = configurations.map(printRun);
  const all = [...new Set(texts.flatMap(Object.keys))];
  const names = all.filter((name) => differ(texts.map((each) => each[name])));
  return texts.map((each) =>
    Object.fromEntries(names.flatMap((name) => (each[name] === undefined ? [] : [[name, each[name]]]))),
  );
}

/** Options whose values speak for themselves. */
const BARE = ['discipline', 'order', 'policy'];

/** Options that a discipline, an order and a chooser say. */
const SAID = [...BARE, 'moldable'];

/** An option of a method in words: `easy`, `backfill shortest`, `queue per-home`; of a switch that is off none. */
export function optionText([name, text]: readonly [string, string]): string {
  if (BARE.includes(name)) return text;
  const words = name === 'backfill-order' ? 'backfill' : name.replaceAll('-', ' ');
  return OPTIONS[name].isSwitch ? (text === 'true' ? words : '') : `${words} ${text}`;
}

/** Methods by discipline, order and chooser, as far as these differ. */
function shortNames(configurations: readonly Configuration[]): string[] {
  const choosers = configurations.map(chooserIn);
  const hasOneChooser = !differ(choosers.filter((chooser) => chooser !== ''));
  const orders = configurations.map(({ order }) => printOrder(order));
  const parts = configurations.map(({ discipline }, i) => [
    discipline,
    orders[i] === 'submit' ? '' : orders[i],
    hasOneChooser && configurations.length > 1 ? '' : choosers[i],
  ]);
  const differs = [0, 1, 2].map((part) => differ(parts.map((each) => each[part])));
  return parts.map((each) => {
    const words = each.filter((text, part) => text !== '' && differs[part]);
    return words.join(' ') || (differ(orders) ? 'submit' : each[2] || each[0]);
  });
}

/** The options of a method beyond what its discipline and its policy bring, as words by name. */
function ownOptions(configuration: Configuration): [string, string][] {
  const { grid, discipline, policy } = configuration;
  const base = makeConfiguration(grid, asksPolicy(configuration) ? { discipline, policy } : { discipline });
  const usual = printRun(base);
  const texts = Object.entries(printRun(configuration));
  return texts.filter(([name, text]) => !SAID.includes(name) && usual[name] !== text && !isUsual(name, text));
}

/** What tells methods apart, in few words each: discipline, order and who chooses sites, then every other option in which some of them differ. */
export function methodNames(configurations: readonly Configuration[]): string[] {
  const differing = differingOptions(configurations);
  const names = shortNames(configurations).map((short, i) => {
    const own = ownOptions(configurations[i]).filter(([name]) => differing[i][name] !== undefined);
    return [short, ...own.map(optionText)].filter((text) => text !== '').join(' ');
  });
  // Policies that are not asked differ all the same.
  return names.map((name, i) =>
    names.indexOf(name) === names.lastIndexOf(name)
      ? name
      : `${name} ${printPolicy(configurations[i].policy)}`,
  );
}
