import type { Plugin } from 'vite';

/** The words of one language in a package of React Aria, where English lies beside it. */
const OTHER_LANGUAGE =
  /[\\/]node_modules[\\/]react-(?:aria|stately)[^\\/]*[\\/].*[\\/]intl[\\/](?:.*[\\/])?(?!en-US\.)[a-z]{2}-[A-Z]{2}\.mjs$/;

/**
 * Gives people of every language the English words of React Aria, as all others of the window are: the thirty translations
 * would be a tenth of what its first page loads.
 */
export const englishOnly = (): Plugin => ({
  name: 'stepwright:english-only',
  apply: 'build',
  load: {
    filter: { id: OTHER_LANGUAGE },
    handler: () => `export { default } from './en-US.mjs';`,
  },
});
