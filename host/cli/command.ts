/** A command: its definition and its action, and its entry in the list of commands. */

import type { CheckedArguments } from '../request/checkedArguments.js';
import type { CommandDefinition } from '../request/definitions.js';
import type { CommandContext } from './context.js';

/** Command with an action. */
export interface Command<Request = unknown> extends Omit<CommandDefinition, 'name'> {
  /** Parses the arguments into a request. */
  readonly read: (args: CheckedArguments) => Request | Promise<Request>;
  /** Executes the command; resolves to the exit code. */
  run(request: Request, context: CommandContext): Promise<number>;
}

/** A command with its name: one word, or two words for a command in a group. */
export type NamedCommand = Command & { readonly name: string };

/** Entry of a command in the command list; its module is loaded only when the command is named. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** Commands that share a first word. */
export interface CommandGroup {
  readonly name: string;
  readonly summary: string;
  readonly commands: readonly CommandEntry[];
}

/**
 * Argument with which a shell requests completions; the words typed so far follow it, the last one
 * incomplete.
 */
export const SHELL_COMPLETION_ARGUMENT = '--complete';
