/** gridalloc core build: a core with policies of your own. */
import { printPolicy } from '../../core/policies.js';
import { InputError } from '../../errors.js';
import { buildCore, PolicyFault } from '../../files/buildCore.js';
import { countOf } from '../../format/numbers.js';
import { firstOf } from '../../lists.js';
import type { Arguments, Command } from '../command.js';
import { COMMON_OPTIONS } from '../commandOptions.js';
import { type Context, write } from '../context.js';

/** gridalloc core build. */
export const buildCommand: Command = {
  description:
    'Compiles the core with policies of your own, each an AssemblyScript file as docs/custom-policies.md describes. ' +
    'Give the result to --core and use the policies by name; they run as fast as the built-in ones. The compiler is ' +
    'the npm package assemblyscript. With --out alone, and with the same compiler version, the result is byte for byte the core of the package.',
  positionals: [],
  options: {
    policy: {
      describe: 'a file with a policy; may be repeated',
      default: 'only those of the package',
      isRepeatable: true,
      group: 'Core:',
    },
    out: {
      describe:
        'the core; FILE.shared.wasm and FILE.explaining.wasm, for studies and explain, are written beside it',
      default: 'core.wasm',
      group: 'Output:',
    },
    ...COMMON_OPTIONS,
  },
  examples: [
    ['gridalloc core build --policy slackFit.ts --out core.wasm', 'one policy, for --core core.wasm'],
    ['gridalloc core build --policy slackFit.ts --policy secondBestFit.ts', 'two'],
  ],
  run,
};

async function run(args: Arguments, context: Context): Promise<number> {
  const policies = args.texts('policy');
  if (policies.length === 0 && !args.has('out'))
    throw new InputError(
      'gridalloc core build needs --policy FILE.ts; give --out FILE.wasm to build the core of the package itself',
    );
  const out = args.text('out') ?? 'core.wasm';
  if (!out.endsWith('.wasm')) throw new InputError(`--out ${out}: the name of a core file ends in .wasm`);
  await context.say(`compiling the core${policies.length === 0 ? '' : ` with ${policies.join(', ')}`}...`);
  try {
    const built = await buildCore(policies, out, { signal: context.io.signal });
    if (context.isJson) await context.printJson({ out, ...built });
    else {
      const declared = built.policies.map((declaration) =>
        printPolicy({ declaration, values: declaration.parameters.map((parameter) => parameter.default) }),
      );
      const names = declared.length === 0 ? '' : `, with ${declared.join(', ')}`;
      await context.print(`${out} is a core of ${countOf(firstOf(built.files).bytes, 'byte')}${names}`);
    }
    return 0;
  } catch (error) {
    // What the compiler says is several lines, which no error of one sentence holds.
    if (error instanceof PolicyFault) await write(context.io.stderr, `${error.output}\n`);
    throw error;
  }
}
