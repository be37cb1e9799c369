/** Command `gridalloc completion`: prints a completion script for a shell. */

import { makeUnknownNameError } from '../../notation.js';
import type { CommandOptionTable } from '../../request/definitions.js';
import { type CommandInput, makeInputReader } from '../../request/fromArguments.js';
import { type Command, SHELL_COMPLETION_ARGUMENT } from '../command.js';
import type { CommandContext } from '../context.js';

/** Completion scripts by shell. */
const COMPLETION_SCRIPTS = {
  bash: `# gridalloc completion bash >> ~/.bashrc
_gridalloc() {
  local -a words
  local line="\${COMP_LINE:0:COMP_POINT}" IFS=$' \\t\\n'
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  # Bash treats what follows = and : as a separate word, and replaces only that.
  local begun="\${words[-1]}" IFS=$'\\n'
  local kept="\${begun%"\${begun##*[=:]}"}"
  COMPREPLY=($("\${words[0]}" ${SHELL_COMPLETION_ARGUMENT} "\${words[@]:1}" 2>/dev/null))
  COMPREPLY=("\${COMPREPLY[@]#"$kept"}")
}
complete -o default -F _gridalloc gridalloc`,
  zsh: `#compdef gridalloc
# gridalloc completion zsh >> ~/.zshrc
_gridalloc() {
  local -a found
  found=("\${(@f)$("\${words[1]}" ${SHELL_COMPLETION_ARGUMENT} "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$found" ]]; then compadd -- $found; else _files; fi
}
compdef _gridalloc gridalloc`,
  fish: `# gridalloc completion fish > ~/.config/fish/completions/gridalloc.fish
complete -c gridalloc -a '(gridalloc ${SHELL_COMPLETION_ARGUMENT} (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'`,
} as const;

const SHELL_NAMES = Object.keys(COMPLETION_SCRIPTS);

const COMPLETION_OPTIONS = {} satisfies CommandOptionTable;

export const completionCommand: Command<CommandInput<typeof COMPLETION_OPTIONS>> = {
  description:
    'Prints a script that lets a shell complete commands, options, values and names of studies. SHELL is bash, zsh or ' +
    'fish; without it, that of $SHELL.',
  positionals: [
    { name: 'SHELL', isOptional: true, meaning: 'a SHELL: bash, zsh or fish', complete: () => SHELL_NAMES },
  ],
  options: COMPLETION_OPTIONS,
  read: makeInputReader(COMPLETION_OPTIONS),
  examples: [
    ['gridalloc completion bash >> ~/.bashrc', 'completion in every new bash'],
    ['gridalloc completion fish > ~/.config/fish/completions/gridalloc.fish', 'the same in fish'],
  ],
  run: printCompletionScript,
};

async function printCompletionScript(
  commandInput: CommandInput<typeof COMPLETION_OPTIONS>,
  context: CommandContext,
): Promise<number> {
  const loginShellName = context.io.env.SHELL?.split('/').at(-1) ?? '';
  const shellName =
    commandInput.positionals[0] ?? (SHELL_NAMES.includes(loginShellName) ? loginShellName : 'bash');
  if (!SHELL_NAMES.includes(shellName)) throw makeUnknownNameError('shell', shellName, SHELL_NAMES);
  await context.print(COMPLETION_SCRIPTS[shellName as keyof typeof COMPLETION_SCRIPTS]);
  return 0;
}
