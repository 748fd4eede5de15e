import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The program's directory, relative to the built `out/main/`. */
const root = path.resolve(fileURLToPath(new URL('.', import.meta.url)), '../..');

/** Paths of the program's parts. */
export const appPaths = {
  renderer: path.join(root, 'out', 'renderer'),
  preload: path.join(root, 'out', 'preload', 'index.cjs'),
  /** The launcher of the command `engine`. */
  launcher: path.join(root, 'out', 'cli', 'engine.js'),
  samples: path.join(root, 'resources', 'samples'),
  icon: path.join(root, 'resources', 'icons', 'icon.png'),
  icons: path.join(root, 'resources', 'icons'),
} as const;
