import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/**
 * Writes `out/cli/engine.js`, which is `bin.engine` in package.json: a small file that selects the Node binary
 * and the compile cache.
 */
export function writeLauncher(): void {
  const target = join(ROOT, 'out/cli/engine.js');
  mkdirSync(join(ROOT, 'out/cli'), { recursive: true });
  copyFileSync(join(import.meta.dirname, 'engine-launcher.cjs'), target);
  // Node loads a CommonJS program faster; `bin` and installed services refer to this file name.
  writeFileSync(join(ROOT, 'out/cli/package.json'), '{ "type": "commonjs" }\n');
  chmodSync(target, 0o755);
}
