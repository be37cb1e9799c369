/** Saves the visible part of a drawing as files. */

import { formatTableAsCsv } from '../../host/view/files.js';
import type { Table } from '../../host/view/table.js';
import { createButton, createElement } from './page.js';

/** Image pixels per drawing pixel. */
const PNG_PIXEL_RATIO = 2;

/** Downloads a file. */
export function saveAsFile(fileName: string, type: string, content: string | Blob): void {
  const objectUrl = URL.createObjectURL(new Blob([content], { type }));
  createElement('a', { href: objectUrl, download: fileName }).click();
  setTimeout(() => URL.revokeObjectURL(objectUrl), 10_000);
}

/** Renders a drawing on white as PNG. */
export async function renderSvgAsPng(svg: string): Promise<Blob> {
  const svgImage = new Image();
  svgImage.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await svgImage.decode();
  const canvas = createElement('canvas', {
    width: PNG_PIXEL_RATIO * svgImage.naturalWidth,
    height: PNG_PIXEL_RATIO * svgImage.naturalHeight,
  });
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('this browser draws no pictures');
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(svgImage, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((pngBlob) => (pngBlob === null ? reject(new Error('no picture')) : resolve(pngBlob))),
  );
}

/** Creates buttons that save the visible part under the drawing's name. */
export function createSaveButtons(
  id: string,
  drawStandaloneSvg: () => string,
  makeValuesTable: () => Table,
): HTMLElement {
  const saveButtons = [
    createButton('CSV', 'save the values that are shown', () =>
      saveAsFile(`${id}.csv`, 'text/csv', formatTableAsCsv(makeValuesTable())),
    ),
    createButton('SVG', 'save what is shown as a drawing', () =>
      saveAsFile(`${id}.svg`, 'image/svg+xml', drawStandaloneSvg()),
    ),
    createButton('PNG', 'save what is shown as a picture', () => {
      renderSvgAsPng(drawStandaloneSvg()).then((pngBlob) => saveAsFile(`${id}.png`, 'image/png', pngBlob));
    }),
  ];
  return createElement('span', { className: 'save' }, 'as shown: ', ...saveButtons);
}
