import type { Plugin } from 'vite';

/** Files of ssh2 that read their directory; they only need it for a Pageant program on Windows. */
const files = /[\\/]ssh2[\\/]lib[\\/](?:agent|protocol[\\/]crypto[\\/]poly1305)\.js$/;

/** ES modules have no `__dirname`; if a bundled module only reads it, any directory will do. */
export const replaceDirname = (): Plugin => ({
  name: 'replace-dirname',
  transform: {
    filter: { id: files },
    handler: (code) => ({ code: code.replaceAll('__dirname', '"."'), map: null }),
  },
});
