/// <reference path="../../node_modules/node-pty/node-pty.d.ts" />

/** The package is installed under an alias; its types name only its own name. */
declare module 'node-pty' {
  export * from '@lydell/node-pty';
}
