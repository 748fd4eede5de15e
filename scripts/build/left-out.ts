import type { Plugin } from 'vite';

/** Who loads what, but uses it only in ways that the engine does not. */
const UNUSED: readonly (readonly [by: RegExp, name: string])[] = [
  // Compilers of Fastify's own schemas, which no route has (core/http/without-schemas.ts).
  [/[\\/]fastify[\\/]lib[\\/]schema-controller\.js$/, '@fastify/ajv-compiler'],
  [/[\\/]fastify[\\/]lib[\\/]schema-controller\.js$/, '@fastify/fast-json-stringify-compiler'],
  // For lists of files that are made beforehand (core/http/web-ui.ts wants none).
  [/[\\/]@fastify[\\/]static[\\/]index\.js$/, 'glob'],
];

/** The same for commands that are programs of their own; what belongs to Node is no module of the bundler's. */
const COMMANDER = /[\\/]commander[\\/]lib[\\/]command\.js$/;
const STARTS_PROGRAMS = "import childProcess from 'node:child_process';";

/** Leaves unused modules out: half a megabyte less for a server to load, and a millisecond for each command. */
export const leaveOut = (): Plugin => ({
  name: 'stepwright:leave-out',
  enforce: 'pre',
  resolveId: (id, importer = '') =>
    UNUSED.some(([by, name]) => name === id && by.test(importer)) ? `\0left-out:${id}` : undefined,
  load: {
    filter: { id: /^\0left-out:/ },
    handler: () => 'export default {};',
  },
  transform: {
    filter: { id: COMMANDER },
    handler(code) {
      if (!code.includes(STARTS_PROGRAMS)) this.error('commander does not start programs as it did');
      return { code: code.replace(STARTS_PROGRAMS, 'const childProcess = {};'), map: null };
    },
  },
});
