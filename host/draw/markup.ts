/** Text inside HTML and SVG. */

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it may stand in an element or a quoted attribute; characters that XML does not know are dropped. */
export function escapeMarkup(text: string): string {
  return text
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character])
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '');
}
