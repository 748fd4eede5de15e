import { closeSync, createReadStream, fstatSync, openSync, readSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { JsonValue } from '../base/json.ts';
import type { Step } from '../model/step.ts';
import { matchesAnyLine } from '../plan/continue-on.ts';
import type { Outputs } from './run-scope.ts';

/** A captured output, or why it could not be captured. */
export type CapturedOutput = { readonly value: string } | { readonly error: string };

/** The trimmed text of a step's stdout, for its `output` variable. */
export function captureOutput(stdoutFile: string, limit: number): CapturedOutput {
  const handle = openSync(stdoutFile, 'r');
  try {
    const { size } = fstatSync(handle);
    if (size > limit)
      return { error: `output exceeded maximum size limit: ${size} bytes, ${limit} allowed (maxOutputSize)` };
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

/** Whether a line of stdout matches the step's `continueOn.output`. */
export async function stdoutMatches(step: Step, stdoutFile: string): Promise<boolean> {
  const lines = createInterface({ input: createReadStream(stdoutFile), crlfDelay: Infinity });
  try {
    return await matchesAnyLine(step.continueOn, lines);
  } finally {
    lines.close();
  }
}

const none: Outputs = new Map();

/**
 * Which outputs each step may see: those of the steps it depends on, directly or not, the nearest
 * winning. Maps are shared where nothing is added, so that a long chain does not copy at every link.
 */
export class OutputVisibility {
  readonly #after = new Map<string, Outputs>();
  readonly #all = new Map<string, JsonValue>();

  /** What the step may see. */
  before(step: Step): Outputs {
    const upstream = [...new Set(step.depends.map((name) => this.#after.get(name) ?? none))].filter(
      (outputs) => outputs.size > 0,
    );
    if (upstream.length <= 1) return upstream[0] ?? none;
    return new Map(upstream.flatMap((outputs) => [...outputs]));
  }

  /** Records the end of a step: what those that depend on it will see. */
  settle(step: Step, output: { readonly name: string; readonly value: JsonValue } | undefined): void {
    const seen = this.before(step);
    if (output === undefined) {
      if (seen.size > 0) this.#after.set(step.name, seen);
      return;
    }
    this.#all.set(output.name, output.value);
    this.#after.set(step.name, new Map([...seen, [output.name, output.value]]));
  }

  /** Every output of the run so far: what handlers see, and the run's own result. */
  get all(): Outputs {
    return this.#all;
  }
}
