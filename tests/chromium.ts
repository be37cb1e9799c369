/**
 * Chromium as installed by Debian. Tests that need it are skipped where it is missing, except in
 * CI.
 */
import { execFileSync } from 'node:child_process';

export const CHROMIUM_PATH = '/usr/bin/chromium';

export const isChromiumInstalled = (() => {
  try {
    execFileSync(CHROMIUM_PATH, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();
