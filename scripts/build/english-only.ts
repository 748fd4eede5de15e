import type { Plugin } from 'vite';

/** Messages of one language in a package of React Aria, next to the English ones. */
const OTHER_LANGUAGE =
  /[\\/]node_modules[\\/]react-(?:aria|stately)[^\\/]*[\\/].*[\\/]intl[\\/](?:.*[\\/])?(?!en-US\.)[a-z]{2}-[A-Z]{2}\.mjs$/;

/**
 * Uses React Aria's English messages for every locale, like all other texts of the window: the thirty
 * translations would be a tenth of the initial load.
 */
export const englishMessagesOnly = (): Plugin => ({
  name: 'stepwright:english-only',
  apply: 'build',
  load: {
    filter: { id: OTHER_LANGUAGE },
    handler: () => `export { default } from './en-US.mjs';`,
  },
});
