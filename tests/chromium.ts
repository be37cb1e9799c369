/**
 * Chromium as installed by Debian. Tests that need it are skipped where it is missing, except in
 * CI.
 */
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
