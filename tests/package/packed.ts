/** Lists and copies the files of the npm package. */
import { execFileSync } from 'node:child_process';
import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeTemporaryFolder } from '../temporaryFolder.js';

/** Folder of the project. */
export const repositoryRoot = fileURLToPath(new URL('../../', import.meta.url));

/** Files that `npm pack` would include. */
export function listPackedFiles(): string[] {
  const npmPackArguments = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const npmPackOutput = execFileSync('npm', npmPackArguments, {
    cwd: repositoryRoot,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ files }] = JSON.parse(npmPackOutput) as [{ files: { path: string }[] }];
  return files.map(({ path: filePath }) => filePath);
}

/** Creates a folder with the program as in the package, without its code cache. */
export function copyPackagedProgram(): string {
  const folder = makeTemporaryFolder();
  const isCopiedPath = (path: string) => !path.endsWith('.code');
  cpSync(join(repositoryRoot, 'dist'), join(folder, 'dist'), { recursive: true, filter: isCopiedPath });
  for (const name of ['build', 'node_modules', 'package.json', 'studies'])
    symlinkSync(join(repositoryRoot, name), join(folder, name));
  return folder;
}
