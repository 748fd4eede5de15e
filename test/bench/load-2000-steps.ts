/**
 * Loads a file of 2,000 steps and sets the time against that of the YAML library alone, which is the floor.
 * Run: `node test/bench/load-2000-steps.ts [steps]`. Budget: 400 ms for the first load.
 */
import { parseAllDocuments } from 'yaml';
import { loadSpec } from '../../core/spec/load.ts';

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

/** Steps with the fields that real ones have. */
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
