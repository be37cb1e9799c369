/** Collects the available options, policies, models and metrics from their declarations. */
import { policies } from '../../../host/core/policies.js';
import { OPTION_MISSING_FROM_PAGE } from '../../../host/explorer/pageOptions.js';
import { printNotation } from '../../../host/notation.js';
import { OPTION_HEADINGS } from '../../../host/options/kinds.js';
import { OPTIONS, printDefaultOptionText } from '../../../host/options/options.js';
import { SCALAR_METRICS } from '../../../host/simulate/summary.js';
import { DEFAULT_METRIC_NAME } from '../../../host/study/runValues.js';
import { MODELS } from '../../../host/workload/models.js';
import type { ExplorerCatalogue } from '../protocol.js';

/** Returns the declarations as plain data. */
export function makeExplorerCatalogue(): ExplorerCatalogue {
  return {
    headings: OPTION_HEADINGS,
    options: Object.entries(OPTIONS)
      .filter(([optionName]) => optionName !== OPTION_MISSING_FROM_PAGE)
      .map(([optionName, option]) => ({
        name: optionName,
        help: option.help,
        heading: option.heading,
        choices: option.choices ?? [],
        isOpen: option.isOpen ?? option.choices === undefined,
        isSwitch: option.isSwitch ?? false,
        defaultText: option.isSwitch ? '' : (printDefaultOptionText(option) ?? ''),
      })),
    policies: policies().map(
      ({ name: policyName, parameters: policyParameters, summary: policySummary }) => ({
        name: policyName,
        notation: printNotation(
          policyName,
          policyParameters.map((parameter) => [parameter.name, parameter.default]),
        ),
        summary: policySummary,
      }),
    ),
    models: MODELS.map(({ name: modelName, description: modelDescription, parameters }) => ({
      name: modelName,
      description: modelDescription,
      parameters: parameters.map((parameter) => ({
        name: parameter.name,
        default: parameter.default,
        description: parameter.description,
      })),
    })),
    metrics: SCALAR_METRICS.filter(({ better: betterDirection }) => betterDirection !== undefined).map(
      ({ name: metricName, label: metricLabel }) => ({
        name: metricName,
        label: metricLabel,
      }),
    ),
    defaultMetric: DEFAULT_METRIC_NAME,
  };
}
