import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository root. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Node 24 as installed with the dependencies; the machine's own Node only runs the scripts in this folder. */
export const NODE_24 = join(
  ROOT,
  'node_modules/node/bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
);

/** Notes of the set-up that must not survive a new `npm ci`. */
export const CACHE_FOLDER = join(ROOT, 'node_modules/.cache/stepwright');

/** Where the builds go. */
export const OUTPUT_FOLDER = join(ROOT, 'out');
