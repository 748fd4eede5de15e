import type { Plugin } from 'vite';

/** Parts of ssh2 that look for their folder; all they could use there is a program for Pageant on Windows. */
const files = /[\\/]ssh2[\\/]lib[\\/](?:agent|protocol[\\/]crypto[\\/]poly1305)\.js$/;

/** Modules of ECMAScript have no `__dirname`; where a bundled one only asks for it, any folder will do. */
export const replaceDirname = (): Plugin => ({
  name: 'replace-dirname',
  transform: {
    filter: { id: files },
    handler: (code) => ({ code: code.replaceAll('__dirname', '"."'), map: null }),
  },
});
