import { defineConfig } from 'vite';

const PLATFORM = [
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
    // Browsers that know light-dark(), which then needs no rewriting.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: false,
    reportCompressedSize: false,
  },
  // What the worker takes of the platform, which it then closes off, since functions of the user's run in it.
  worker: {
    format: 'iife',
    rolldownOptions: {
      output: {
        intro: `'use strict'; const { ${PLATFORM.join(', ')} } = globalThis;`,
      },
    },
  },
});
