/** Chromium as Debian installs it. Where there is none, tests that need it are skipped, but not in CI. */
import { execFileSync } from 'node:child_process';

export const CHROMIUM = '/usr/bin/chromium';

export const hasChromium = (() => {
  try {
    execFileSync(CHROMIUM, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();
