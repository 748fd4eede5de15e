/**
 * Loads a file of 2,000 steps and compares the time with that of the YAML library alone, which is the floor.
 * Run: `node test/bench/load-2000-steps.ts [steps]`. Budget: 400 ms for the first load; 10,000 steps in less
 * than 2 s and 300 MB, measured in the built `engine validate`, in its own process.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { loadSpec } from '../../core/spec/load.ts';
import { reportMetric } from './rig/figures.ts';

const ROUNDS = 7;
const steps = Number(process.argv[2] ?? 2000);
const text = writeWorkflow(steps);

const firstLoad = measure(() => loadSpec({ text, file: 'bench.yaml' }));
const floors: number[] = [];
const loads: number[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  floors.push(measure(() => parseAllDocuments(text)));
  loads.push(measure(() => loadSpec({ text, file: 'bench.yaml' })));
}
const { workflows, diagnostics } = loadSpec({ text, file: 'bench.yaml' });

console.log(
  `${steps} steps, ${(text.length / 1024).toFixed(0)} KiB, ${workflows[0]?.steps.length} loaded, ${diagnostics.length} diagnostics`,
);
console.log(`first load, compiling the schema too   ${firstLoad.toFixed(0).padStart(6)} ms`);
console.log(`yaml alone (parseAllDocuments), median ${median(floors).toFixed(0).padStart(6)} ms`);
console.log(`whole load, median                     ${median(loads).toFixed(0).padStart(6)} ms`);
console.log(
  `ratio                                  ${(median(loads) / median(floors)).toFixed(2).padStart(6)}`,
);
console.log(
  `heap after                             ${(process.memoryUsage().heapUsed / 2 ** 20).toFixed(0).padStart(6)} MiB`,
);

reportMetric({
  what: `load and validate a file of ${steps} steps`,
  floor: median(floors),
  figure: median(loads),
  unit: 'ms',
  budget: 400,
});
measureCommand();

/** Time and memory of the whole command; the memory is reported by the process itself. */
function measureCommand(): void {
  const engine = path.resolve(import.meta.dirname, '../../out/cli/engine.js');
  if (!existsSync(engine)) return console.log('engine validate: not built, run "npm run build" first');
  const folder = mkdtempSync(path.join(tmpdir(), 'stepwright-bench-'));
  const account = path.join(folder, 'account.mjs');
  writeFileSync(path.join(folder, 'bench.yaml'), text);
  writeFileSync(
    account,
    "process.on('exit', () => console.error(`MAXRSS ${process.resourceUsage().maxRSS}`));\n",
  );
  let output = '';
  const took = measure(() => {
    const args = ['--import', account, engine, 'validate', path.join(folder, 'bench.yaml')];
    output = spawnSync(process.execPath, args, { encoding: 'utf8' }).stderr;
  });
  rmSync(folder, { recursive: true });
  const megabytes = Number(/MAXRSS ([0-9]+)/.exec(output)?.[1]) / 1024;
  console.log(`engine validate, whole process          ${took.toFixed(0).padStart(6)} ms`);
  console.log(`  at most                              ${megabytes.toFixed(0).padStart(6)} MiB`);
}

/** Steps with realistic fields. */
function writeWorkflow(count: number): string {
  const lines = ['name: bench', 'type: graph', 'steps:'];
  for (let index = 0; index < count; index += 1) {
    lines.push(
      `  - name: step-${index}`,
      `    description: "Step number ${index}"`,
      `    command: echo "hello ${index}"`,
      `    depends: [${index === 0 ? '' : `step-${index - 1}`}]`,
      '    env:',
      `      INDEX: ${index}`,
      '      KIND: bench',
      '    retryPolicy:',
      '      limit: 2',
      '      intervalSec: 1',
    );
  }
  return `${lines.join('\n')}\n`;
}

function measure(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function median(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;
}
