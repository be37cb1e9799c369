/** What is simulated, in lines: the jobs, the sites, every setting that is not as usual. */

import { countOf, formatMeasure, formatNumber } from '../format/numbers.js';
import { sourceName } from '../format/text.js';
import { firstOf } from '../lists.js';
import { printSettings, settingsText } from '../options/document.js';
import { type Experiment, withMethod } from '../simulate/experiment.js';
import { accountingText } from './simulationText.js';
import { wrapped } from './tableText.js';

/**
 * The settings that all methods of an experiment have in common and that are not as usual.
 * @param method what is said of who decides, if anything is.
 */
export function commonSettings({ settings, methods }: Experiment, method = ''): string {
  const first = firstOf(methods);
  const shared = Object.entries(first).filter(([name, text]) => methods.every((each) => each[name] === text));
  const texts = printSettings(withMethod(settings, Object.fromEntries(shared)));
  return settingsText(texts, method);
}

/** The jobs and the sites of an experiment. */
export function jobLines({ workload, grid }: Experiment): string[] {
  const account = accountingText(workload.accounting);
  const sites = grid.capacities.map(
    (capacity, site) => `${formatNumber(capacity)} x ${formatMeasure(grid.speeds[site]!)}`,
  );
  return [
    `${countOf(workload.count, 'job')} of ${sourceName(workload.name)}`,
    ...(account === '' ? [] : [account]),
    `${countOf(sites.length, 'site')}, processors x speed: ${sites.join(', ')}`,
  ];
}

/** The same with the `commonSettings`, as lines of a document. */
export function settingLines(experiment: Experiment, method?: string): string[] {
  const set = commonSettings(experiment, method);
  return [...jobLines(experiment), ...(set === '' ? [] : [set])];
}

/** They as lines of a terminal. */
export const settingText = (experiment: Experiment, method?: string): string =>
  settingLines(experiment, method).map(wrapped).join('\n');

/** The same for replications, whose number says what is perturbed. */
export function replicatedSettingText(experiment: Experiment, method?: string): string {
  const { perturb: _, ...settings } = experiment.settings;
  return settingText({ ...experiment, settings }, method);
}
