import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** `out/cli/engine.js` is `bin.engine` of package.json: a small file that chooses the Node and the compile cache. */
export function placeLauncher(): void {
  const target = join(ROOT, 'out/cli/engine.js');
  mkdirSync(join(ROOT, 'out/cli'), { recursive: true });
  copyFileSync(join(import.meta.dirname, 'engine-launcher.cjs'), target);
  // Node takes less time over a CommonJS program; `bin` and installed services know the file by this name.
  writeFileSync(join(ROOT, 'out/cli/package.json'), '{ "type": "commonjs" }\n');
  chmodSync(target, 0o755);
}
