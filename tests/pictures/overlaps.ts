/** Overlapping or cut-off parts of a page: texts of drawings, buttons. */

/** Pairs of texts of one drawing, and of buttons, that overlap, in words. Runs in the page, and so uses nothing from outside. */
export function overlaps(): string[] {
  const found: string[] = [];
  const isSeen = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true }) &&
    getComputedStyle(element).clipPath === 'none' &&
    element.getBoundingClientRect().width > 0;
  const tell = (elements: readonly Element[], slack: number) => {
    const boxes = elements.filter(isSeen).map((each) => [each, each.getBoundingClientRect()] as const);
    for (const [i, [one, a]] of boxes.entries())
      for (const [other, b] of boxes.slice(0, i)) {
        if (one.contains(other) || other.contains(one)) continue;
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (across > slack && down > 0.3 * Math.min(a.height, b.height))
          found.push(`'${one.textContent?.trim()}' lies over '${other.textContent?.trim()}'`);
      }
  };
  for (const drawing of document.querySelectorAll('svg'))
    if (isSeen(drawing)) tell([...drawing.querySelectorAll('text')], 0.5);
  // Elements opened over the page, or fixed while it scrolls, cover others.
  const isOver = (button: Element) =>
    button.closest('.form, .found, .chart-head, .chart-title, .side') !== null;
  const buttons = [...document.querySelectorAll('button, summary, select, input')];
  tell(
    buttons.filter((each) => !isOver(each) || each.matches('.fold-side')),
    1,
  );
  const scale = document.querySelector('.scale');
  if (scale !== null && scale.scrollWidth > scale.clientWidth) found.push('the scale of colours is cut');
  return found;
}
