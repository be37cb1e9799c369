/** Before any test: the core and the command line are built from the sources that are here, where these have changed. */
import { execFileSync } from 'node:child_process';

export default function build(): void {
  execFileSync('npm', ['run', 'build', '--silent'], { stdio: 'inherit' });
}
