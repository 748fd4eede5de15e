/**
 * The key lists by themselves. The build puts the finished lists in the place of this module, so that
 * a start does not put the schema together only to read its keys.
 */
export { authoredKeys } from './authored.ts';
