import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** Checks that links lead to existing pages and anchors, and that mentioned files exist. */

const repositoryRoot = fileURLToPath(new URL('../../', import.meta.url));
const pages = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'traces/README.md',
  ...['docs', 'docs/internals'].flatMap((folder) =>
    readdirSync(join(repositoryRoot, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
];

/** Text of a page without its code blocks. */
const readProseOfPage = (page: string) =>
  readFileSync(join(repositoryRoot, page), 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');

/** Anchors that the headings of a page get. */
function findAnchorsOfPage(page: string): Set<string> {
  const headings = [...readProseOfPage(page).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

test.each(pages)('%s: links', (page) => {
  const linkTargets = [...readProseOfPage(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target);
  const brokenLinks = linkTargets
    .filter((target) => !target.startsWith('https://'))
    .filter((target) => {
      const [path, anchor] = target.split('#');
      const file = path === '' ? page : join(dirname(page), path);
      if (!existsSync(join(repositoryRoot, file))) return true;
      return anchor !== undefined && !findAnchorsOfPage(file).has(anchor);
    });
  expect(brokenLinks).toEqual([]);
});

test.each(pages)('%s: files of the project', (page) => {
  const matchesOfProjectPaths = [
    ...readProseOfPage(page).matchAll(/`((?:assembly|bench|build|docs|host|tests|traces)\/[\w./-]*)`/g),
  ];
  expect(
    matchesOfProjectPaths.map(([, path]) => path).filter((path) => !existsSync(join(repositoryRoot, path))),
  ).toEqual([]);
});

/** Files in git or about to be added. A path in backticks must be the end of one of their paths. */
const trackedFiles = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: repositoryRoot,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .map((path) => `/${path}`);

/**
 * Source files mentioned in the text of a page, as `name.ts` or `folder/name.ts`. Excludes
 * `./name.ts` (a reader's own file) and `name.d.ts` (generated).
 */
const findSourceNamesOnPage = (page: string) =>
  [...readProseOfPage(page).matchAll(/`(\w[\w./-]*(?<!\.d)\.ts)`/g)].map(([, path]) => path);

test.each(pages.filter((page) => page !== 'CHANGELOG.md'))('%s: sources of the project', (page) => {
  const missingSourceNames = findSourceNamesOnPage(page).filter(
    (source) => !trackedFiles.some((path) => path.endsWith(`/${source}`)),
  );
  expect(missingSourceNames).toEqual([]);
});

test('pages name sources', () => {
  expect(findSourceNamesOnPage('docs/internals/architecture.md').length).toBeGreaterThan(30);
});

test('every page of docs can be reached from the README', () => {
  const readmeText = readProseOfPage('README.md');
  expect(pages.filter((page) => page.startsWith('docs/') && !readmeText.includes(`(${page})`))).toEqual([]);
});
