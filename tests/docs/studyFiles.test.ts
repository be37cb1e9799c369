/**
 * Runs the study files shown in the documentation, checks the files they leave, and requires a page
 * for each study.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseMarkup } from '../draw/wellFormed.js';
import { runGridalloc, writeStudyFile } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { findCodeBlocksOfPage } from './examples.js';

const page = readFileSync(new URL('../../docs/study-files.md', import.meta.url), 'utf8');

test('the example', async () => {
  const folder = makeTemporaryFolder();
  const [, example] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
  const resultFolder = join(folder, 'out');
  const { exitCode, stdout } = await runGridalloc([
    'study',
    'run',
    writeStudyFile(folder, example),
    '--out',
    resultFolder,
  ]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain('Simulations: 45;');
  expect(stdout).toMatch(/^\? open +more load never shortens responses/m);

  const table = page.slice(page.indexOf('## The folder of a study'));
  const fileNamesInTable = [...table.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, cell]) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name.replace('ID', 'response')),
  );
  const writtenFiles = readdirSync(resultFolder, { recursive: true, encoding: 'utf8' });
  // This study uses no files of functions and no shards, so their folders are missing.
  const documentedFileNames = fileNamesInTable.filter(
    (name) =>
      !['code/', 'shards.json', 'shards/', 'slurm/', 'core/', 'studies.json', 'comparison.json'].includes(
        name,
      ),
  );
  expect(documentedFileNames.sort()).toEqual(
    writtenFiles.filter((writtenFile) => writtenFile.includes('.') && !writtenFile.startsWith('.')).sort(),
  );
});

test('report takes every study that the documentation shows', async () => {
  const docsFolder = new URL('../../docs/', import.meta.url);
  const pageTexts = readdirSync(docsFolder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => readFileSync(new URL(name, docsFolder), 'utf8'));
  const findCodeBlocksInLanguage = (language: string) =>
    pageTexts.flatMap((pageText) => findCodeBlocksOfPage(pageText, language));
  const studies = [...new Set(findCodeBlocksInLanguage('yaml'))].filter((block) => /^measures:/m.test(block));
  expect(studies.length).toBeGreaterThanOrEqual(3);
  const folder = makeTemporaryFolder();
  for (const code of findCodeBlocksInLanguage('js')) {
    const [, name] = /^\/\/ (\S+\.js)\n/.exec(code) ?? [];
    if (name !== undefined) writeFileSync(join(folder, name), code);
  }
  for (const [i, study] of studies.entries()) {
    const resultFolder = join(folder, `study-${i}`);
    const file = writeStudyFile(folder, study.replaceAll('./', `${folder}/`), `${i}.yaml`);
    const resultOfStudyRun = await runGridalloc([
      'study',
      'run',
      file,
      '--allow-code',
      '--out',
      resultFolder,
      '--quiet',
    ]);
    expect(resultOfStudyRun).toMatchObject({ exitCode: 0, stderr: '' });
    const { exitCode, stderr } = await runGridalloc(['report', resultFolder]);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    const figureFileNames = readdirSync(resultFolder).includes('figures')
      ? readdirSync(join(resultFolder, 'figures'))
      : [];
    const figures = figureFileNames.filter((figureFile) => figureFile.endsWith('.svg')).length;
    expect(stderr).toContain(figures === 1 ? '1 figure is in' : `${figures} figures are in`);
    const { ids } = parseMarkup(readFileSync(join(resultFolder, 'report.html'), 'utf8'));
    expect(ids.filter((id, index) => ids.indexOf(id) < index)).toEqual([]);
    const repeatedRunResult = await runGridalloc([
      'study',
      'run',
      resultFolder,
      '--only',
      'x',
      '--out',
      join(folder, 'other'),
    ]);
    expect(repeatedRunResult).toMatchObject({ exitCode: 2 });
    expect(repeatedRunResult.stderr).toContain(`give ${join(resultFolder, 'study.yaml')} instead`);
  }
});
