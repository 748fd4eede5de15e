/**
 * `npm run texts`: prints every string that users read, with its file and line, for proofreading. `npm run
 * texts -- renderer/features core/cli` prints those of some directories.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listSources } from './source-metrics.ts';
import { readTexts } from './read-texts.ts';
import { ROOT } from '../setup/run-command.mjs';

const prefixes = process.argv.slice(2).map((prefix) => prefix.replace(/^\.\//, ''));
const files = listSources(ROOT, ['core', 'main', 'preload', 'renderer'])
  .filter((file) => prefixes.length === 0 || prefixes.some((prefix) => file.startsWith(prefix)))
  .toSorted();
let count = 0;
for (const file of files)
  for (const { line, text } of readTexts(file, readFileSync(join(ROOT, file), 'utf8'))) {
    count += 1;
    console.log(`${file}:${line}\t${text}`);
  }
console.error(`${count} strings in ${files.length} files`);
