import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import type { ConfigOf } from '../../model/executors/config-table.ts';
import type { jqTable } from '../../model/executors/jq.ts';
import type { ExecutorAction } from '../../model/workflow/step.ts';
import type { StepContext } from '../executor.ts';
import { fillJson } from './fill-texts.ts';

const inputLimitBytes = 64 * 1024 * 1024;

/** Maximum length of a query in bytes; its references are searched outside the worker thread. */
const queryLimitBytes = 1024 * 1024;

/** The input of jq and its name. */
export interface JqInput {
  readonly name: string;
  /** UTF-8. */
  readonly bytes: Uint8Array;
}

/**
 * Reads the input from its source; empty if there is none. Rejects with a message if it cannot be read or is too
 * large.
 */
export async function readInput(
  context: StepContext,
  { script }: ExecutorAction,
  { input, inputFile }: Pick<ConfigOf<typeof jqTable>, 'input' | 'inputFile'>,
): Promise<JqInput> {
  if (inputFile !== undefined) {
    const path = resolve(context.workingDir, inputFile);
    return { name: path, bytes: await readFileWithLimit(path, 'inputFile') };
  }
  const [name, text] =
    input === undefined ? ['<script>', await fillJson(context, script ?? '')] : ['<input>', input];
  const bytes = new TextEncoder().encode(text);
  checkSize(bytes.length, 'the input');
  return { name, bytes };
}

/** Reads a query from a file. */
export async function readQueryFile(context: StepContext, file: string): Promise<string> {
  return new TextDecoder().decode(
    await readFileWithLimit(resolve(context.workingDir, file), 'queryFile', queryLimitBytes),
  );
}

async function readFileWithLimit(path: string, field: string, limit = inputLimitBytes): Promise<Uint8Array> {
  try {
    const stats = await stat(path);
    if (!stats.isFile()) throw new Error('not a file');
    checkSize(stats.size, 'it', limit);
    return await readFile(path);
  } catch (error) {
    throw new Error(`Cannot read config.${field}, ${path}: ${messageOf(error)}`, { cause: error });
  }
}

function checkSize(bytes: number, what: string, limit = inputLimitBytes): void {
  if (bytes <= limit) return;
  const mib = (size: number): string => `${Math.ceil(size / 1024 / 1024)} MiB`;
  throw new Error(
    `${what} has ${mib(bytes)} (the limit is ${mib(limit)}): split it, or run the jq command of this machine`,
  );
}
