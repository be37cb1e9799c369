/** What is in the npm package. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The folder of the project. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** What `npm pack` would put in. */
export function packedFiles(): string[] {
  const words = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const listing = execFileSync('npm', words, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ files }] = JSON.parse(listing) as [{ files: { path: string }[] }];
  return files.map(({ path }) => path);
}
