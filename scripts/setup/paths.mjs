import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository root. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Node 24 as installed with the dependencies; the system's Node only runs the scripts in this directory. */
export const NODE_24 = join(
  ROOT,
  'node_modules/node/bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
);

/** State of the setup that must not survive a new `npm ci`. */
export const CACHE_FOLDER = join(ROOT, 'node_modules/.cache/stepwright');

/** Output directory of the builds. */
export const OUTPUT_FOLDER = join(ROOT, 'out');
