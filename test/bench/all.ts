/**
 * `npm run bench`: runs every benchmark that has a budget, one after another, each in its own process, and
 * prints one table of results. `--quick` runs short rounds that only show whether the benchmarks work;
 * `--write` puts the table at the top of docs/benchmarks.md; arguments select benchmarks by name. Needs a
 * build and an idle machine.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { figureHeader, formatFigure, isWithinBudget, readFigures, type Figure } from './rig/figures.ts';

interface Benchmark {
  readonly name: string;
  readonly words?: readonly string[];
  readonly quick?: readonly string[];
}

const benchmarks: readonly Benchmark[] = [
  { name: 'start-one-step', words: ['30'], quick: ['3'] },
  { name: 'headless-server', words: ['10'], quick: ['2'] },
  { name: 'step-overhead', words: ['1000'], quick: ['100'] },
  { name: 'load-2000-steps' },
  { name: 'list-million-runs', words: ['1000000'], quick: ['20000'] },
  { name: 'copy-database', words: ['200000'], quick: ['5000'] },
  { name: 'scheduler-10k', words: ['10000', '20'], quick: ['500', '4'] },
  { name: 'queue', words: ['2000'], quick: ['200'] },
  { name: 'webhook-receive', words: ['20000'], quick: ['500'] },
  { name: 'gateway', words: ['2'], quick: ['1'] },
  { name: 'run-page', words: ['500', '50'], quick: ['60', '20', 'graph'] },
  { name: 'editor', words: ['500', '2000'], quick: ['100'] },
  { name: 'log-page', words: ['1000'], quick: ['20'] },
  { name: 'desktop-app', words: ['1000', '60'], quick: ['100', '5'] },
];

/** A benchmark takes a minute or two; one that hangs must not block the others. */
const maxMs = 300_000;
const page = path.join(import.meta.dirname, '../../docs/benchmarks.md');
const betweenMarks = /(?<=<!-- budgets -->\n).*?(?=<!-- end of budgets -->)/s;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

interface Outcome {
  readonly figures: readonly Figure[];
  /** Why results are missing. */
  readonly failure?: string;
}

async function run(name: string, words: readonly string[]): Promise<Outcome> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, `${name}.ts`), ...words], {
    env: { ...process.env, BENCH_FIGURES: 'true' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: maxMs,
  });
  let output = '';
  const read = (text: string): void => void (output += text);
  child.stdout.setEncoding('utf8').on('data', read);
  child.stderr.setEncoding('utf8').on('data', read);
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  const figures = readFigures(output);
  if (code === 0 && figures.length > 0) return { figures };
  const lines = output.trimEnd().split('\n').slice(-40).join('\n');
  return {
    figures,
    failure: `${name} ended with ${signal ?? code} and ${figures.length} figures:\n${lines}`,
  };
}

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const unknown = positionals.filter((word) => benchmarks.every(({ name }) => name !== word));
if (unknown.length > 0)
  throw new Error(
    `there is no benchmark ${unknown.join(', ')}; there are ${benchmarks.map(({ name }) => name).join(', ')}`,
  );
if (values.write && (values.quick || positionals.length > 0))
  throw new Error('--write is for whole rounds of all benchmarks: leave --quick and names out');

const started = performance.now();
const load = loadavg()[0]!;
const figures: Figure[] = [];
const failures: string[] = [];
for (const { name, words = [], quick = words } of benchmarks) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const from = performance.now();
  const outcome = await run(name, values.quick ? quick : words);
  figures.push(...outcome.figures);
  if (outcome.failure !== undefined) failures.push(outcome.failure);
  const seconds = ((performance.now() - from) / 1000).toFixed(0);
  process.stderr.write(`${name}: ${outcome.figures.length} figures in ${seconds} s\n`);
}

const withinBudget = figures.filter(isWithinBudget).length;
const minutes = ((performance.now() - started) / 60_000).toFixed(1);
const about = `Measured on ${new Date().toISOString().slice(0, 10)} in ${minutes} minutes with Node ${process.versions.node} on ${cpus().length} processors (${cpus()[0]!.model.trim()}) and a load average of ${load.toFixed(1)} at the start: ${withinBudget} of ${figures.length} budgets are met.`;
const table = `${about}\n\n${figureHeader}\n${figures.map(formatFigure).join('\n')}\n`;
print(table);
for (const failure of failures) print(`${failure}\n`);
if (failures.length > 0) process.exitCode = 1;
else if (values.write)
  writeFileSync(
    page,
    readFileSync(page, 'utf8').replace(betweenMarks, () => `\n${table}\n`),
  );
