/**
 * Reads HTML or SVG for tests: checks that elements are closed in order, and collects ids and
 * references.
 */

/** HTML elements without an end tag. */
const VOID_ELEMENTS = new Set(['meta', 'link', 'br', 'img', 'hr']);

const MARKUP_TOKEN_PATTERN =
  /<!doctype[^>]*>|<!--.*?-->|<(\/?)([a-zA-Z][\w:-]*)((?:\s+[\w:-]+(?:="[^"<]*")?)*)\s*(\/?)>/gis;

export interface ParsedMarkup {
  readonly ids: string[];
  /** Names of all elements, in document order. */
  readonly elements: string[];
  /** Text between tags, with entities undecoded. */
  readonly text: string;
  readonly attributes: { readonly element: string; readonly name: string; readonly value: string }[];
}

/** Reads markup; scripts and styles count as text. Throws if it is not well-formed. */
export function parseMarkup(markupText: string): ParsedMarkup {
  const openElements: string[] = [];
  const parsedMarkup: ParsedMarkup = { ids: [], elements: [], text: '', attributes: [] };
  let textBetweenTags = '';
  let lastIndex = 0;
  const sourceWithoutStyles = markupText.replaceAll(/(<(style|script)>)[\s\S]*?(<\/\2>)/g, '$1$3');
  for (const patternMatch of sourceWithoutStyles.matchAll(MARKUP_TOKEN_PATTERN)) {
    textBetweenTags += checkTextBetweenTags(sourceWithoutStyles.slice(lastIndex, patternMatch.index));
    lastIndex = patternMatch.index + patternMatch[0].length;
    const [, endSlash, elementName, attributesText, emptySlash] = patternMatch;
    if (elementName === undefined) continue;
    if (endSlash) {
      const expectedElement = openElements.pop();
      if (expectedElement !== elementName) throw new Error(`</${elementName}> closes <${expectedElement}>`);
      continue;
    }
    parsedMarkup.elements.push(elementName);
    for (const [, attribute, value = ''] of attributesText.matchAll(/([\w:-]+)(?:="([^"]*)")?/g)) {
      parsedMarkup.attributes.push({ element: elementName, name: attribute, value });
      if (attribute === 'id') parsedMarkup.ids.push(value);
    }
    if (!emptySlash && !VOID_ELEMENTS.has(elementName)) openElements.push(elementName);
  }
  textBetweenTags += checkTextBetweenTags(sourceWithoutStyles.slice(lastIndex));
  if (openElements.length > 0) throw new Error(`<${openElements.join('><')}> stay open`);
  return { ...parsedMarkup, text: textBetweenTags };
}

function checkTextBetweenTags(markupText: string): string {
  const matchOfStrayCharacter = /[<>]|&(?!(?:amp|lt|gt|quot|#39);)/.exec(markupText);
  if (matchOfStrayCharacter)
    throw new Error(
      `'${matchOfStrayCharacter[0]}' stands in the text ...${markupText.slice(matchOfStrayCharacter.index - 20, matchOfStrayCharacter.index + 20)}`,
    );
  return markupText;
}

/** External addresses that a page would load. */
export function findExternalAddresses({ attributes }: ParsedMarkup): string[] {
  return attributes
    .filter(
      ({ element, name: attributeName, value: attributeValue }) =>
        element !== 'a' || attributeName !== 'href' || !/^[a-z]+\/?[\w.-]+$/i.test(attributeValue),
    )
    .filter(({ name: attributeName }) =>
      ['src', 'href', 'xlink:href', 'data', 'srcset', 'action'].includes(attributeName),
    )
    .map(({ value: attributeValue }) => attributeValue)
    .filter((value) => !value.startsWith('#') && value !== 'data:,');
}
