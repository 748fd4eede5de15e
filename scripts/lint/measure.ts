import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { SIZE_CAPS } from '../layers.ts';
import {
  countAreaImports,
  findRuntimeCycle,
  measureFunctions,
  listSources,
  readImportGraph,
  formatSizes,
  takeLargest,
  sumBy,
  type Measured,
} from './source-metrics.ts';
import { ROOT } from '../setup/run-command.mjs';

/**
 * `npm run measure`: code metrics, with the files and functions closest to a limit. It does not count
 * duplicates, because only a reader can judge whether two similar pieces share their logic.
 */
const folders = ['core', 'main', 'preload', 'renderer', 'scripts', 'test'];
/** Limits in lines for the median, the 90th percentile and the maximum. */
const budgets = {
  files: [110, 250, SIZE_CAPS.fileLines],
  functions: [10, 25, SIZE_CAPS.functionLines],
} as const;
const maxShown = 10;

function printSizes(what: keyof typeof budgets, all: readonly Measured[]): void {
  const [half, ninety, max] = budgets[what];
  console.log(`\nLines of ${what} (budget: median ${half}, 90 % ${ninety}, most ${max})`);
  const byFolder = Map.groupBy(all, ({ path }) => path.split('/', 1)[0]!);
  for (const [folder, part] of [...byFolder, ['all', all] as const])
    console.log(`  ${folder.padEnd(10)} ${formatSizes(part)}`);
  printLargest(all);
}

const printLargest = (sized: readonly Measured[]): void => {
  for (const { path, lines } of takeLargest(sized, maxShown))
    console.log(`  ${String(lines).padStart(6)}  ${path}`);
};

const sources = listSources(ROOT, folders);
const texts = new Map(sources.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));
printSizes(
  'files',
  Array.from(texts, ([path, text]) => ({ path, lines: text.split('\n').length - 1 })),
);
// A test suite is a function only in form: its tests are measured instead.
const product = Array.from(texts).filter(([file]) => !file.startsWith('test/'));
printSizes(
  'functions',
  product.flatMap(([file, text]) => measureFunctions(file, text)),
);

console.log('\nFolders with most files of their own');
printLargest(sumBy(sources, posix.dirname));

const imports = readImportGraph(ROOT, sources);
const arrows = countAreaImports(imports);
console.log(`\nCycles at run time: ${findRuntimeCycle(imports)?.join(' → ') ?? 'none'}`);
console.log(
  `Arrows between areas: ${arrows.length}; against the table: ${arrows.filter(({ isAllowed }) => !isAllowed).length}`,
);
printLargest(sumBy(arrows, ({ from }) => from));

console.log('\nDead files and exports, unused dependencies');
const knip = spawnSync(process.execPath, [join(ROOT, 'node_modules/knip/bin/knip.js'), '--no-progress'], {
  cwd: ROOT,
  encoding: 'utf8',
});
console.log(knip.status === 0 ? '  none' : knip.stdout + knip.stderr);
