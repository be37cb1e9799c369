import { defineConfig } from 'vite';

const REMOVED_PLATFORM_GLOBALS = [
  'atob',
  'Blob',
  'btoa',
  'console',
  'postMessage',
  'TextDecoder',
  'TextEncoder',
  'URL',
  'WebAssembly',
];

export default defineConfig({
  base: './',
  build: {
    outDir: '../../build/web',
    emptyOutDir: true,
    target: 'es2022',
    // Browsers that support light-dark(), which then needs no rewriting.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: false,
    reportCompressedSize: false,
  },
  // Renames the platform functions that the worker's own code uses, because the worker then blocks the
  // originals for user-written functions.
  worker: {
    format: 'iife',
    rolldownOptions: {
      output: {
        intro: `'use strict'; const { ${REMOVED_PLATFORM_GLOBALS.join(', ')} } = globalThis;`,
      },
    },
  },
});
