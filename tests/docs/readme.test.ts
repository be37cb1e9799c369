import { expect, test } from 'vitest';
import { readTextOfPage } from './examples.js';

const lines = readTextOfPage('README.md').split('\n');

test('the README can be read in two minutes', () => {
  expect(lines.length).toBeLessThanOrEqual(121);
  expect(lines.filter((line) => line.startsWith('!['))).toHaveLength(1);
});

test('its first commands set up a fresh machine: one runs the main job, one the tests', () => {
  const commands = lines.filter((line) => line.startsWith('    '));
  expect(commands.slice(0, 2)).toEqual(['    npm ci && npm start', '    npm ci && npm test']);
});

test('scripts of packages that run at install are allowed by name, so that npm 11 does not warn of them', () => {
  const { allowScripts } = JSON.parse(readTextOfPage('package.json'));
  const { packages } = JSON.parse(readTextOfPage('package-lock.json')) as {
    packages: Record<string, { hasInstallScript?: boolean; optional?: boolean }>;
  };
  const packagesWithScripts = Object.entries(packages)
    .filter(([path, { hasInstallScript, optional }]) => path !== '' && hasInstallScript && !optional)
    .map(([path]) => path.replace(/^.*node_modules\//, ''));
  expect(Object.keys(allowScripts).sort()).toEqual([...new Set(packagesWithScripts)].sort());
});
