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

const folder = mkdtempSync(join(tmpdir(), 'gridalloc-format-'));
const files = readdirSync('assembly', { recursive: true }).filter((path) => path.endsWith('.ts'));
const read = (path) => readFileSync(path, 'utf8');
try {
  const { formatter, javascript } = JSON.parse(read('biome.json'));
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ formatter, javascript }));
  cpSync('assembly', join(folder, 'assembly'), { recursive: true });
  const copies = files.map((path) => join(folder, 'assembly', path));
  for (const path of copies) writeFileSync(path, read(path).replace(/^( *)@(\w+)$/gm, '$1//@$2'));
  const biome = resolve('node_modules/@biomejs/biome/bin/biome');
  execFileSync(process.execPath, [biome, 'format', '--write', 'assembly'], { cwd: folder, stdio: 'pipe' });
  const unformatted = [];
  files.forEach((path, i) => {
    const formatted = read(copies[i]).replace(/^( *)\/\/@(\w+)$/gm, '$1@$2');
    if (formatted === read(join('assembly', path))) return;
    unformatted.push(path);
    if (!process.argv.includes('--check')) writeFileSync(join('assembly', path), formatted);
  });
  for (const path of unformatted) console.log(`assembly/${path}`);
  if (process.argv.includes('--check') && unformatted.length > 0) {
    console.log('not formatted: npm run format does it');
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true });
}
