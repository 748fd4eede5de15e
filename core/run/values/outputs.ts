import { closeSync, createReadStream, fstatSync, openSync, readSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { JsonValue } from '../../base/json.ts';
import type { Step } from '../../model/step.ts';
import type { Clock } from '../../base/clock.ts';
import { compilePattern } from '../../base/pattern.ts';
import { matchLines } from '../../process/threads/match-lines.ts';
import { parseExactJson } from '../../spec/expand.ts';
import type { Outputs } from './run-scope.ts';

/** A captured output, or why it could not be captured. */
export type CapturedOutput = { readonly value: string } | { readonly error: string };

/** Returns the message for an output that is too large. */
export const formatOversize = (size: number, limit: number): string =>
  `output exceeded maximum size limit: ${size} bytes, ${limit} allowed (maxOutputSize)`;

/** Returns the trimmed stdout of a step, for its `output` variable. */
export function captureOutput(stdoutFile: string, limit: number): CapturedOutput {
  const handle = openSync(stdoutFile, 'r');
  try {
    const { size } = fstatSync(handle);
    if (size > limit) return { error: formatOversize(size, limit) };
    const buffer = Buffer.alloc(size);
    let length = 0;
    while (length < size) {
      const count = readSync(handle, buffer, length, size - length, length);
      if (count === 0) break;
      length += count;
    }
    return { value: buffer.subarray(0, length).toString('utf8').trim() };
  } finally {
    closeSync(handle);
  }
}

/** Characters of a log that are matched at once. */
const batchCharacters = 64 * 1024;

/**
 * Whether a line of stdout matches the step's `continueOn.output`: contains one of its strings, or matches a pattern
 * after `re:`.
 * @throws `bad_request` for a pattern that is invalid or takes too long
 */
export async function matchesStdout(step: Step, stdoutFile: string, clock: Clock): Promise<boolean> {
  const matches = compileOutputTest(step, clock);
  const lines = createInterface({ input: createReadStream(stdoutFile), crlfDelay: Infinity });
  try {
    let batch: string[] = [];
    let characters = 0;
    for await (const line of lines) {
      batch.push(line);
      characters += line.length + 1;
      if (characters < batchCharacters) continue;
      if (await matches(batch)) return true;
      [batch, characters] = [[], 0];
    }
    return await matches(batch);
  } finally {
    lines.close();
  }
}

function compileOutputTest(
  { continueOn: { output } }: Step,
  clock: Clock,
): (lines: readonly string[]) => Promise<boolean> {
  const texts = output.filter((item) => !item.startsWith('re:'));
  const patterns = output
    .filter((item) => item.startsWith('re:'))
    .map((item) => compilePattern(item.slice(3)));
  return async (lines) => {
    if (lines.some((line) => texts.some((text) => line.includes(text)))) return true;
    for (const pattern of patterns)
      if ((await matchLines(pattern, { lines, limit: 1 }, clock)).length > 0) return true;
    return false;
  };
}

/** Visible outputs, and the step that each of them comes from. */
interface VisibleOutputs {
  readonly values: Outputs;
  readonly producers: ReadonlyMap<string, string>;
}

const noOutputs: VisibleOutputs = { values: new Map(), producers: new Map() };

/**
 * Determines which outputs each step can see: those of its direct and transitive dependencies; the nearest wins. Maps
 * are shared where nothing is added, so that a long chain does not copy at every link.
 */
export class OutputVisibility {
  readonly #after = new Map<string, VisibleOutputs>();
  readonly #all = new Map<string, JsonValue>();
  readonly #depends = new Map<string, readonly string[]>();

  /** Returns the outputs that the step can see. */
  before(step: Step): Outputs {
    return this.#visibleTo(step).values;
  }

  /** Records the end of a step, for its dependents. */
  finish(step: Step, output: { readonly name: string; readonly value: JsonValue } | undefined): void {
    this.#depends.set(step.name, step.depends);
    const visible = this.#visibleTo(step);
    if (output === undefined) {
      if (visible.values.size > 0) this.#after.set(step.name, visible);
      return;
    }
    this.#all.set(output.name, output.value);
    this.#after.set(step.name, {
      values: new Map([...visible.values, [output.name, output.value]]),
      producers: new Map([...visible.producers, [output.name, step.name]]),
    });
  }

  /** All outputs of the run so far: what handlers see, and the run's own result. */
  get all(): Outputs {
    return this.#all;
  }

  #visibleTo(step: Step): VisibleOutputs {
    const upstream = new Set(step.depends.map((name) => this.#after.get(name) ?? noOutputs));
    upstream.delete(noOutputs);
    const [first = noOutputs, ...others] = upstream;
    return others.length === 0 ? first : this.#merge(step, [first, ...others]);
  }

  /**
   * Merges the visible outputs of the dependencies. Of two steps at the same distance, the one that is later in
   * `depends` wins.
   */
  #merge(step: Step, upstream: readonly VisibleOutputs[]): VisibleOutputs {
    const values = new Map<string, JsonValue>();
    const producers = new Map<string, string>();
    let distances: ReadonlyMap<string, number> | undefined;
    for (const source of upstream) {
      for (const [name, producer] of source.producers) {
        const existing = producers.get(name);
        if (existing !== undefined && existing !== producer) {
          distances ??= this.#measure(step);
          if (distances.get(existing)! < distances.get(producer)!) continue;
        }
        producers.set(name, producer);
        values.set(name, source.values.get(name)!);
      }
    }
    return { values, producers };
  }

  /** Returns the number of links between the step and each of its dependencies. */
  #measure(step: Step): Map<string, number> {
    const distances = new Map<string, number>();
    let names = step.depends;
    for (let distance = 1; names.length > 0; distance += 1) {
      const newNames = [...new Set(names)].filter((name) => !distances.has(name));
      for (const name of newNames) distances.set(name, distance);
      names = newNames.flatMap((name) => this.#depends.get(name) ?? []);
    }
    return distances;
  }
}

/** A list or an object read from JSON whose numbers stay as written, instead of the nearest possible ones. */
export type JsonContainer = readonly unknown[] | Readonly<Record<string, unknown>>;

/** Reads a JSON list or object; returns undefined for anything else, and for a value that is nested too deep. */
export function parseJsonContainer(text: string): JsonContainer | undefined {
  const start = /\S/.exec(text)?.[0];
  if (start !== '[' && start !== '{') return undefined;
  try {
    return parseExactJson(text) as JsonContainer;
  } catch {
    // Not JSON, or deeper than the stack allows.
    return undefined;
  }
}

/**
 * Returns a part of a container as a string: null is empty, strings and numbers are as written, anything else is
 * compact JSON.
 */
export function stringifyJson(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  return JSON.stringify(value);
}
