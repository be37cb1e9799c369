/** Builds the core and the command line before all tests if their sources have changed. */
import { execFileSync } from 'node:child_process';

export default function buildOnceForTests(): void {
  execFileSync('npm', ['run', 'build', '--silent'], { stdio: 'inherit' });
}
