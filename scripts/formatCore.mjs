/**
 * Formats assembly/ with Biome; with --check lists unformatted files. Biome does not know decorators of
 * functions, which AssemblyScript has, so they are turned into comments meanwhile.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const temporaryFolder = mkdtempSync(join(tmpdir(), 'gridalloc-format-'));
const sourcePaths = readdirSync('assembly', { recursive: true }).filter((path) => path.endsWith('.ts'));
const readTextFile = (path) => readFileSync(path, 'utf8');
try {
  const { formatter, javascript } = JSON.parse(readTextFile('biome.json'));
  writeFileSync(join(temporaryFolder, 'biome.json'), JSON.stringify({ formatter, javascript }));
  cpSync('assembly', join(temporaryFolder, 'assembly'), { recursive: true });
  const copiedPaths = sourcePaths.map((path) => join(temporaryFolder, 'assembly', path));
  for (const path of copiedPaths)
    writeFileSync(path, readTextFile(path).replace(/^( *)@(\w+)$/gm, '$1//@$2'));
  const biomeScriptPath = resolve('node_modules/@biomejs/biome/bin/biome');
  execFileSync(process.execPath, [biomeScriptPath, 'format', '--write', 'assembly'], {
    cwd: temporaryFolder,
    stdio: 'pipe',
  });
  const unformattedPaths = [];
  sourcePaths.forEach((path, i) => {
    const formattedText = readTextFile(copiedPaths[i]).replace(/^( *)\/\/@(\w+)$/gm, '$1@$2');
    if (formattedText === readTextFile(join('assembly', path))) return;
    unformattedPaths.push(path);
    if (!process.argv.includes('--check')) writeFileSync(join('assembly', path), formattedText);
  });
  for (const path of unformattedPaths) console.log(`assembly/${path}`);
  if (process.argv.includes('--check') && unformattedPaths.length > 0) {
    console.log('not formatted: npm run format does it');
    process.exitCode = 1;
  }
} finally {
  rmSync(temporaryFolder, { recursive: true });
}
