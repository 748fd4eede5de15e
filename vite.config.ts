import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import {
  englishMessagesOnly,
  windowChunks,
  routeTable,
  precompileValidators,
} from './scripts/build/bundle-plugins.ts';

/** The window's bundle. The programs that run under Node are built by `scripts/build.ts`. */
export default defineConfig(({ command }) => {
  // A build started from a test run inherits `test`, and would carry React's development half.
  if (command === 'build') process.env.NODE_ENV = 'production';
  return {
    root: 'renderer',
    // The same files are served from app://, from the loopback server and by the test's file server.
    base: './',
    // The policy forbids to compile a validator at run time, in workers too; those of a build have plugins of their own.
    plugins: [
      react(),
      precompileValidators(),
      routeTable(),
      englishMessagesOnly(),
      ...(command === 'build' ? [windowChunks()] : []),
    ],
    // Imported by what the plugin makes, which nobody sees who looks for dependencies beforehand; found late, the page of the
    // development server would be loaded again.
    optimizeDeps: { include: ['ajv/dist/runtime/equal.js', 'ajv/dist/runtime/ucs2length.js'] },
    build: {
      outDir: '../out/renderer',
      emptyOutDir: true,
      target: 'chrome140',
      // The polyfill is an inline script, which the content security policy refuses.
      modulePreload: { polyfill: false },
      // Fonts and icons as data: addresses would need a wider policy as well.
      assetsInlineLimit: 0,
      // The graph layout engine is one large module in a worker of its own.
      chunkSizeWarningLimit: 1800,
    },
    worker: { format: 'es', plugins: () => [precompileValidators()] },
  };
});
