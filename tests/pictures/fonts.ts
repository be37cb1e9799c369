/**
 * Makes browsers use the package's font for all families, so that pages look alike on every
 * machine.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the font's files, with a final slash. */
export const FONT_PACKAGE_FOLDER = fileURLToPath(
  new URL('../../node_modules/@expo-google-fonts/arimo/', import.meta.url),
);
/** Font faces that pages use: regular and bold. */
const FONT_FACES = ['400Regular', '700Bold'];

/**
 * Environment variables that make browsers use only this font; their configuration is written into
 * a folder.
 */
export function writeFontConfiguration(folder: string): NodeJS.ProcessEnv {
  const configurationFile = join(folder, 'fonts.conf');
  const fontSettings = [
    ['hinting', '<bool>false</bool>'],
    ['hintstyle', '<const>hintnone</const>'],
    ['antialias', '<bool>true</bool>'],
    ['rgba', '<const>none</const>'],
  ].map(([name, value]) => `<edit name="${name}" mode="assign">${value}</edit>`);
  writeFileSync(
    configurationFile,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
${FONT_FACES.map((fontFace) => `<dir>${join(FONT_PACKAGE_FOLDER, fontFace)}</dir>`).join('\n')}
<cachedir>${join(folder, 'fonts')}</cachedir>
<match target="pattern">${fontSettings.join('')}</match>
<match target="font">${fontSettings.join('')}</match>
</fontconfig>
`,
  );
  return { ...process.env, FONTCONFIG_FILE: configurationFile };
}
