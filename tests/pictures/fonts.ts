/** One font for all families, that of the package, so that pages look the same on every machine. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of its files, with a slash behind it. */
export const FONTS = fileURLToPath(new URL('../../node_modules/@expo-google-fonts/arimo/', import.meta.url));
/** Faces that the page requests: plain and bold. */
const FACES = ['400Regular', '700Bold'];

/** Variables of the environment by which browsers know that font alone; their settings are kept in a folder. */
export function fontsIn(folder: string): NodeJS.ProcessEnv {
  const file = join(folder, 'fonts.conf');
  const settings = [
    ['hinting', '<bool>false</bool>'],
    ['hintstyle', '<const>hintnone</const>'],
    ['antialias', '<bool>true</bool>'],
    ['rgba', '<const>none</const>'],
  ].map(([name, value]) => `<edit name="${name}" mode="assign">${value}</edit>`);
  writeFileSync(
    file,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
${FACES.map((face) => `<dir>${join(FONTS, face)}</dir>`).join('\n')}
<cachedir>${join(folder, 'fonts')}</cachedir>
<match target="pattern">${settings.join('')}</match>
<match target="font">${settings.join('')}</match>
</fontconfig>
`,
  );
  return { ...process.env, FONTCONFIG_FILE: file };
}
