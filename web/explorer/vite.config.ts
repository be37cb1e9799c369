import { defineConfig } from 'vite';

export default defineConfig({
  base: './',
  build: {
    outDir: '../../build/web',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    reportCompressedSize: false,
  },
  worker: { format: 'iife' },
});
