/** Finds overlapping or cut texts of drawings and overlapping buttons in a page. */

/**
 * Descriptions of overlapping pairs of texts in a drawing, and of buttons. Runs inside the page, so
 * it uses nothing from outside.
 */
export function findOverlappingElements(): string[] {
  const overlapMessages: string[] = [];
  const isVisible = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true }) &&
    getComputedStyle(element).clipPath === 'none' &&
    element.getBoundingClientRect().width > 0;
  const reportOverlaps = (elements: readonly Element[], slack: number) => {
    const elementsWithBoxes = elements
      .filter(isVisible)
      .map((element) => [element, element.getBoundingClientRect()] as const);
    for (const [i, [one, a]] of elementsWithBoxes.entries())
      for (const [other, b] of elementsWithBoxes.slice(0, i)) {
        if (one.contains(other) || other.contains(one)) continue;
        const overlapWidth = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const overlapHeight = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (overlapWidth > slack && overlapHeight > 0.3 * Math.min(a.height, b.height))
          overlapMessages.push(`'${one.textContent?.trim()}' lies over '${other.textContent?.trim()}'`);
      }
  };
  for (const svgDrawing of document.querySelectorAll('svg'))
    if (isVisible(svgDrawing)) reportOverlaps([...svgDrawing.querySelectorAll('text')], 0.5);
  // Elements that open over the page, or stay fixed while it scrolls, may cover others.
  const isOver = (button: Element) =>
    button.closest('.form, .found, .chart-head, .chart-title, .side') !== null;
  const controls = [...document.querySelectorAll('button, summary, select, input')];
  reportOverlaps(
    controls.filter((control) => !isOver(control) || control.matches('.fold-side')),
    1,
  );
  const scaleElement = document.querySelector('.scale');
  if (scaleElement !== null && scaleElement.scrollWidth > scaleElement.clientWidth)
    overlapMessages.push('the scale of colours is cut');
  return overlapMessages;
}
