/** Command `gridalloc policies`: lists the values of --policy. */

import { type PolicyDeclaration, policies } from '../../core/policies.js';
import { COMMON_COMMAND_OPTIONS, CORE_FILE_OPTION } from '../../request/commandOptions.js';
import type { CommandOptionTable } from '../../request/definitions.js';
import { type CommandInput, makeInputReader } from '../../request/fromArguments.js';
import { describeRuntimeKnowledgeOfPolicy, NO_ESTIMATES_PHRASE } from '../../simulate/decisionView.js';
import { formatTerminalTable, MAX_TERMINAL_LINE_WIDTH, wrapText } from '../../view/terminal.js';
import type { Command } from '../command.js';
import type { CommandContext } from '../context.js';

const POLICY_OPTIONS = { ...CORE_FILE_OPTION, ...COMMON_COMMAND_OPTIONS } satisfies CommandOptionTable;

/** Command `gridalloc policies`. */
export const policiesCommand: Command<CommandInput<typeof POLICY_OPTIONS>> = {
  description:
    'Lists every policy that --policy takes, with its aliases, its parameters and their defaults, and how it chooses.',
  positionals: [],
  options: POLICY_OPTIONS,
  read: makeInputReader(POLICY_OPTIONS),
  examples: [
    ['gridalloc policies', 'a table'],
    ['gridalloc policies --json', 'the same for programs'],
  ],
  run: (_, context) =>
    context.printResult(policies().map(makePolicyDocument), () => formatPolicyTable(policies(), context)),
};

function makePolicyDocument({
  name: policyName,
  aliases,
  parameters: policyParameters,
  summary: policySummary,
}: PolicyDeclaration): object {
  return {
    name: policyName,
    aliases,
    parameters: policyParameters,
    summary: policySummary,
    knows: describeRuntimeKnowledgeOfPolicy(policyName),
  };
}

/** Width of the parameter column in characters. */
const PARAMETER_COLUMN_WIDTH = 30;

function formatPolicyTable(
  policyDeclarations: readonly PolicyDeclaration[],
  context: CommandContext,
): string {
  const rows = policyDeclarations.map(
    ({ name: policyName, aliases, parameters: policyParameters, summary: policySummary }) => [
      [policyName, ...aliases].join(', '),
      policyParameters
        .map((parameter) => `${parameter.name}=${parameter.choices.join('|') || parameter.default}`)
        .join(', '),
      describeRuntimeKnowledgeOfPolicy(policyName) === NO_ESTIMATES_PHRASE
        ? policySummary
        : `${policySummary} It uses ${describeRuntimeKnowledgeOfPolicy(policyName)}.`,
    ],
  );
  const headings = ['policy', 'parameters and defaults', 'how it chooses a site'];
  const columns = headings.map((heading, i) => ({
    ...{ heading, align: 'left' as const },
    ...(i === 1 ? { most: PARAMETER_COLUMN_WIDTH } : {}),
  }));
  const width = context.io.stdout.columns ?? MAX_TERMINAL_LINE_WIDTH;
  const parameterExample =
    "For instance: --policy 'ti[sht=0.05,slt=2]'; the first of several words is the default. A policy uses runtime estimates only where the list says so. Candidates of dynamic have + " +
    "between them: --policy 'dynamic[candidates=best-fit+ti[slt=1]]'. A file whose default export is a " +
    'function from what is known to the number of a site is taken too: --policy ./mine.js (see docs/custom-policies.md).';
  return `${formatTerminalTable(columns, rows, context.colors, width)}\n\n${wrapText(parameterExample, width)}`;
}
