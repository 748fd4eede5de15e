// A file of its own: the build replaces it with precomputed lists.

/**
 * Re-exports the key lists. The build replaces this module with the precomputed lists, so that startup does not build
 * the schema only to read its keys.
 */
export { authoredKeys } from './authored.ts';
