/** Functions that format the Markdown text of generated pages. */

const MAX_LINE_LENGTH = 100;

/** Breaks a paragraph, or an item of a list, into lines of at most 100 characters, never within code. */
export function wrapMarkdown(text: string): string {
  const indent = text.startsWith('- ') ? '  ' : '';
  const lines = [''];
  for (const word of text.match(/(?:`[^`]*`|\[[^\]]*\]\([^)]*\)|[^\s`])+/g) ?? []) {
    const line = lines.at(-1)!;
    if (line !== '' && line.length + 1 + word.length > MAX_LINE_LENGTH) lines.push(indent + word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
}
