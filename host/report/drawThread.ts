/** A thread that draws figures. */
export { figureToSvg as default } from '../draw/figure.js';
