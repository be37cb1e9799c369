import { defineConfig } from 'vite';

export default defineConfig({
  base: './',
  build: {
    outDir: '../../build/web',
    emptyOutDir: true,
    target: 'es2022',
    // Those that know light-dark(), which needs no rewriting then.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: false,
    reportCompressedSize: false,
  },
  worker: { format: 'iife' },
});
