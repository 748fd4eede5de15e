/**
 * Archive steps compared with system programs (`tar`, `zip`, `unzip`): a few large files, and many small
 * ones. Prints milliseconds and the ratio to the program, medians of several interleaved runs. Run: `node
 * test/bench/archive.ts [megabytes] [small files]`. Needs about five times that space in the temporary
 * folder.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '../../core/base/json.ts';
import { executor as archiveExecutor } from '../../core/executors/archive-executor.ts';
import type { StepContext, StepTask } from '../../core/executors/executor.ts';

const [megabytes = 100, smallFiles = 3000] = process.argv.slice(2).map(Number);
const rounds = 5;
const folder = mkdtempSync(join(tmpdir(), 'stepwright-bench-'));

try {
  writeLargeFiles();
  writeSmallFiles();
  console.log(`${'what'.padEnd(34)} ${'program'.padStart(9)} ${'step'.padStart(9)} ratio`);
  for (const source of ['large', 'small']) {
    await compareTar(source, 'tar', []);
    await compareTar(source, 'tar.gz', ['-z']);
    if (has('zstd')) await compareTar(source, 'tar.zst', ['--zstd']);
    if (has('zip') && has('unzip')) await compareZip(source);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function has(program: string): boolean {
  return spawnSync(program, ['--help']).error === undefined;
}

function writeLargeFiles(): void {
  mkdirSync(join(folder, 'large'));
  for (let file = 0; file < 4; file += 1) {
    const lines: string[] = [];
    const bytes = (megabytes * 1e6) / 4;
    for (let length = 0, line = 0; length < bytes; line += 1) {
      const text = `2026-11-20T10:00:00Z INFO row ${(line * 2_654_435_761) % 4_294_967_296} of region ${line % 50}\n`;
      lines.push(text);
      length += text.length;
    }
    writeFileSync(join(folder, 'large', `${file}.log`), lines.join(''));
  }
}

function writeSmallFiles(): void {
  for (let file = 0; file < smallFiles; file += 1) {
    const parent = join(folder, 'small', String(file % 50));
    mkdirSync(parent, { recursive: true });
    writeFileSync(join(parent, `${file}.txt`), `line ${file}\n`.repeat(100 + (file % 300)));
  }
}

async function compareTar(source: string, ending: string, options: string[]): Promise<void> {
  const archive = `${source}.${ending}`;
  await compare(`create ${archive}`, ['tar', ...options, '-cf', archive, source], {
    command: 'create',
    config: { source: [source], destination: archive, overwrite: true },
  });
  await compare(`extract ${archive}`, ['tar', ...options, '-xf', archive, '-C', 'out'], {
    command: 'extract',
    config: { source: [archive], destination: 'out' },
  });
}

async function compareZip(source: string): Promise<void> {
  const archive = `${source}.zip`;
  await compare(`create ${archive}`, ['zip', '-qr', archive, source], {
    command: 'create',
    config: { source: [source], destination: archive, overwrite: true },
    fresh: archive,
  });
  await compare(`extract ${archive}`, ['unzip', '-q', archive, '-d', 'out'], {
    command: 'extract',
    config: { source: [archive], destination: 'out' },
  });
}

interface Ours {
  readonly command: string;
  readonly config: JsonObject;
  /** An existing archive would be extended by the program. */
  readonly fresh?: string;
}

async function compare(label: string, [program, ...args]: string[], ours: Ours): Promise<void> {
  const theirs: number[] = [];
  const own: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    clear(ours);
    theirs.push(await time(() => void spawnSync(program!, args, { cwd: folder })));
    clear({ ...ours, fresh: undefined });
    own.push(await time(() => runStep(ours)));
  }
  const [floor, step] = [median(theirs), median(own)];
  const figures = [floor, step].map((value) => `${value.toFixed(0)} ms`.padStart(9)).join(' ');
  console.log(`${label.padEnd(34)} ${figures} ${(step / floor).toFixed(2)}`);
}

function clear({ fresh }: { readonly fresh?: string | undefined }): void {
  rmSync(join(folder, 'out'), { recursive: true, force: true });
  mkdirSync(join(folder, 'out'));
  if (fresh !== undefined) rmSync(join(folder, fresh), { force: true });
}

async function runStep({ command, config }: Ours): Promise<void> {
  const context = { workingDir: folder, expand: (text: string) => Promise.resolve(text) };
  const { signal } = new AbortController();
  const output = {
    stdout() {},
    stderr() {},
    close: () => Promise.resolve(undefined),
  } as unknown as StepTask['output'];
  // The executor requests no more than this.
  const { exitCode, error } = await archiveExecutor.run(
    context as unknown as StepContext,
    { kind: 'executor', type: 'archive', command, config },
    { signal, killing: signal, output },
  );
  if (exitCode !== 0) throw new Error(error);
}

async function time(operation: () => void | Promise<void>): Promise<number> {
  const began = performance.now();
  await operation();
  return performance.now() - began;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!;
}
