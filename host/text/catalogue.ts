/** Models and presets for a person at a terminal. */

import type { Colors } from '../format/colors.js';
import { formatFacts, formatTable } from '../format/table.js';
import type { NumberRange } from '../notation.js';
import { formatFilter } from '../trace/filter.js';
import type { Model } from '../workload/model.js';
import type { Preset } from '../workload/presets.js';

function rangeText({ atLeast, above, atMost }: NumberRange): string {
  const low = atLeast !== undefined ? `from ${atLeast}` : above !== undefined ? `above ${above}` : '';
  return [low, atMost === undefined ? '' : `to ${atMost}`].filter((part) => part !== '').join(' ');
}

/** Every model with a table of its parameters. */
export function modelsText(models: readonly Model[], colors: Colors): string {
  const left = (heading: string) => ({ heading, align: 'left' as const });
  const blocks = models.map(({ name, description, parameters }) => {
    const rows = parameters.map((each) => [
      `  ${each.name}`,
      String(each.default),
      rangeText(each.range),
      each.description,
    ]);
    const columns = [left('  parameter'), { heading: 'default' }, left('range'), left('meaning')];
    return `${colors.bold(name)}: ${description}\n\n${formatTable(columns, rows, colors)}`;
  });
  return [...blocks, `For instance: '${models.at(-1)?.name}[jobs=1000,seed=2]'`].join('\n\n');
}

/** Every preset: what it keeps, where jobs are at home, the sites. */
export function presetsText(presets: readonly Preset[], colors: Colors): string {
  const blocks = presets.map(({ name, description, filters, home, capacities }) => {
    const left = formatFacts(
      [
        ['  filters', '', filters.map(formatFilter).join(' ')],
        ['  home', '', home],
        ['  sites', '', capacities.join(',')],
      ],
      colors,
    );
    return `${colors.bold(name)}: ${description}\n\n${left}`;
  });
  return blocks.join('\n\n');
}
