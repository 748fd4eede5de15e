import createJq from 'jq-wasm/dist/build/jq.js';
import { getErrorMessage } from '../../base/errors.ts';
import { JqAbort, JqFiles, type JqImports } from './jq-files.ts';
import type { JqResult, JqJob, JqOutputSink } from './jq-job.ts';
import { raiseMemoryLimit, wasm, type WasmInstance, type WasmModule } from './memory-limit.ts';

const queryPath = '/query.jq';

/** Runs a job to its end and blocks this thread. Never rejects. */
export async function runJob(job: JqJob, sink: JqOutputSink): Promise<JqResult> {
  const output = new JqOutput(sink, job.raw);
  const files = new JqFiles(listFiles(job), job, (stream, bytes) => output.write(stream, bytes));
  try {
    return { exitCode: await runJqProgram(listArguments(job), files) };
  } catch (error) {
    return { fault: formatJobError(error, job) };
  } finally {
    output.flush();
  }
}

const variablePath = (name: string): string => `/variables/${name}`;

function listFiles({ query, inputName, input, texts, values }: JqJob): Map<string, Uint8Array> {
  const variables = Object.entries({ ...texts, ...values });
  return new Map<string, Uint8Array>([
    ...variables.map(([name, text]) => [variablePath(name), Buffer.from(text)] as const),
    [queryPath, Buffer.from(query)],
    [inputName, input],
  ]);
}

function listArguments({ raw, compact, nullInput, slurp, texts, values, inputName }: JqJob): string[] {
  return [
    '--monochrome-output',
    ...(raw || compact ? ['--compact-output'] : ['--indent', '4']),
    ...(nullInput ? ['--null-input'] : []),
    ...(slurp ? ['--slurp'] : []),
    ...Object.keys(texts).flatMap((name) => ['--rawfile', name, variablePath(name)]),
    ...Object.keys(values).flatMap((name) => ['--slurpfile', name, variablePath(name)]),
    '--from-file',
    queryPath,
    inputName,
  ];
}

function formatJobError(error: unknown, { memoryBytes }: JqJob): string {
  if (error instanceof OutputLimitError)
    return `${error.message}. Reduce the output, or split the query into several steps`;
  const limit = Math.round(memoryBytes / 1024 ** 2);
  if (error instanceof JqAbort)
    return `jq exceeded its memory limit of ${limit} MiB. Reduce the input, or set config.maxMemoryMiB`;
  // The form of a stack overflow depends on which stack overflows.
  return `jq crashed, probably because a value is nested too deeply: ${getErrorMessage(error)}`;
}

/** Maximum size of the output, in bytes. */
export const outputLimitBytes = 64 * 1024 * 1024;

/** Output is passed on in chunks of this size. */
const chunkBytes = 64 * 1024;

/** The output exceeds the limit. */
class OutputLimitError extends Error {
  override readonly name = 'OutputLimitError';
}

/** Collects the small writes of jq and passes them on in larger chunks. */
class JqOutput {
  readonly #sink: JqOutputSink;
  readonly #raw: boolean;
  readonly #streams = { stdout: new PendingText(), stderr: new PendingText() };
  #total = 0;

  /** @param raw stdout has one compact JSON value per line, which is converted to raw output */
  constructor(sink: JqOutputSink, raw: boolean) {
    this.#sink = sink;
    this.#raw = raw;
  }

  /**
   * Appends output. The output before the limit is passed on by `flush`.
   * @throws OutputLimitError
   */
  write(stream: 'stdout' | 'stderr', bytes: Uint8Array): void {
    this.#total += bytes.length;
    if (this.#total > outputLimitBytes)
      throw new OutputLimitError(`the output exceeds ${outputLimitBytes / 1024 / 1024} MiB`);
    const pending = this.#streams[stream];
    pending.add(bytes);
    if (pending.shouldFlush) this.#hand(stream, pending.drainLines());
  }

  /** Passes on the remaining output, except an incomplete value. */
  flush(): void {
    this.#hand('stdout', this.#raw ? this.#streams.stdout.drainLines() : this.#streams.stdout.drainAll());
    this.#hand('stderr', this.#streams.stderr.drainAll());
  }

  #hand(stream: 'stdout' | 'stderr', text: string): void {
    if (text === '') return;
    this.#sink[stream](stream === 'stdout' && this.#raw ? writeRaw(text) : text);
  }
}

class PendingText {
  #pieces: Uint8Array[] = [];
  #size = 0;
  #flushAt = chunkBytes;

  get shouldFlush(): boolean {
    return this.#size >= this.#flushAt;
  }

  add(bytes: Uint8Array): void {
    this.#pieces.push(bytes);
    this.#size += bytes.length;
  }

  /** Takes whole lines only, so that no UTF-8 sequence is split. */
  drainLines(): string {
    const bytes = Buffer.concat(this.#pieces);
    const end = bytes.lastIndexOf('\n') + 1;
    this.#pieces = [bytes.subarray(end)];
    this.#size = bytes.length - end;
    // A long line is joined again only when its size has doubled, not for each chunk.
    this.#flushAt = Math.max(chunkBytes, 2 * this.#size);
    return bytes.toString('utf8', 0, end);
  }

  drainAll(): string {
    const text = Buffer.concat(this.#pieces).toString();
    this.#pieces = [];
    this.#size = 0;
    return text;
  }
}

/** Writes strings without quotes, null as an empty line, and other values as JSON. */
const writeRaw = (lines: string): string => lines.split('\n').map(writeRawLine).join('\n');

function writeRawLine(line: string): string {
  if (line === 'null') return '';
  return line.startsWith('"') ? String(JSON.parse(line)) : line;
}

/** The `jq` program of the package, with its own memory. */
interface JqProgram {
  callMain(args: string[]): number;
}

interface JqOptions {
  readonly thisProgram: string;
  /** Instantiates the program. `receive` passes the instance to the package's code. */
  instantiateWasm(info: { a: JqImports }, receive: (instance: WasmInstance) => void): object;
}

const create = createJq as (options: Partial<JqOptions>) => Promise<JqProgram>;

let compiled: Promise<WasmModule> | undefined;

/**
 * Compiles jq's code once per thread. The package does not export its binary and only passes it to
 * `WebAssembly.instantiate`, so that function is intercepted once.
 */
export function compileJq(): Promise<WasmModule> {
  compiled ??= new Promise<WasmModule>((resolve, reject) => {
    const original = wasm.instantiate;
    wasm.instantiate = (binary) => {
      wasm.instantiate = original;
      wasm.compile(raiseMemoryLimit(binary)).then(resolve, reject);
      return new Promise(() => {});
    };
    create({}).catch(reject);
  });
  return compiled;
}

/**
 * Runs `jq` once in a new instance: it is written for one run per process, so it does not free all of its memory and
 * reads its input only once. Rejects if it crashes, for example out of memory or with too deep nesting.
 * @returns its exit code
 */
async function runJqProgram(args: readonly string[], files: JqFiles): Promise<number> {
  const code = await compileJq();
  const program = await create({
    thisProgram: 'jq',
    instantiateWasm({ a: imports }, receive) {
      const instance = new wasm.Instance(code, { a: files.serve(imports) });
      const memory = Object.values(instance.exports).find((value) => value instanceof wasm.Memory);
      if (memory === undefined) throw new Error('the package jq-wasm shows no memory');
      // Receiving the instance again after each growth makes the package's code refresh its view of the memory.
      files.attach(memory, () => receive(instance));
      receive(instance);
      return {};
    },
  });
  return program.callMain([...args]);
}
