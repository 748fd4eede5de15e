import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { getErrorMessage } from '../base/errors.ts';
import { type ConfigOf, jqTable, jqMemory } from '../model/executor-config.ts';
import type { ExecutorAction } from '../model/step.ts';
import { truncate } from '../base/text.ts';
import type { JsonObject } from '../base/json.ts';
import type { StepContext, ActionExecutor, ExecutorResult } from './executor.ts';
import { evaluateConfig } from './evaluate-config.ts';
import { expandJson, bindQueryVariables } from './jq/expand-query.ts';
import { JqPool } from './jq/jq-pool.ts';
import { maxMemoryBytes } from './jq/memory-limit.ts';

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
async function readInput(
  context: StepContext,
  { script }: ExecutorAction,
  { input, inputFile }: Pick<ConfigOf<typeof jqTable>, 'input' | 'inputFile'>,
): Promise<JqInput> {
  if (inputFile !== undefined) {
    const path = resolve(context.workingDir, inputFile);
    return { name: path, bytes: await readFileWithLimit(path, 'inputFile') };
  }
  const [name, text] =
    input === undefined ? ['<script>', await expandJson(context, script ?? '')] : ['<input>', input];
  const bytes = new TextEncoder().encode(text);
  checkSize(bytes.length, 'the input');
  return { name, bytes };
}

/** Reads a query from a file. */
async function readQueryFile(context: StepContext, file: string): Promise<string> {
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
    throw new Error(`Cannot read config.${field}, ${path}: ${getErrorMessage(error)}`, { cause: error });
  }
}

function checkSize(bytes: number, what: string, limit = inputLimitBytes): void {
  if (bytes <= limit) return;
  const mib = (size: number): string => `${Math.ceil(size / 1024 / 1024)} MiB`;
  throw new Error(
    `${what} has ${mib(bytes)} (the limit is ${mib(limit)}): split it, or run the jq command of this machine`,
  );
}

/** Shared by all runs, because threads are slow to start. */
const pool = new JqPool();

/** Maximum length of jq's message in the attempt's error; the log has the whole message. */
const errorLimit = 2000;

const errorPattern = /^jq: error \(at /m;
const runtimeErrorCode = 5;

/** Runs a query on JSON with jq. */
export const executor: ActionExecutor = {
  async run(context, action, task) {
    const config = await evaluateConfig(jqTable, action.config as JsonObject, context.expand);
    const text =
      config.queryFile === undefined ? action.command! : await readQueryFile(context, config.queryFile);
    const lifted = await bindQueryVariables(context, text);
    const input = await readInput(context, action, config);
    let message = '';
    let failed = false;
    const end = await pool.run({
      job: {
        query: lifted.query,
        inputName: input.name,
        input: input.bytes,
        texts: { ...config.args, ...lifted.texts },
        values: lifted.values,
        env: context.env,
        raw: config.raw ?? false,
        compact: config.compact ?? false,
        nullInput: config.nullInput ?? false,
        slurp: config.slurp ?? false,
        memoryBytes: readMemory(config.maxMemoryMiB),
      },
      sink: {
        stdout: (printed) => task.output.stdout(printed),
        stderr: (printed) => {
          failed ||= errorPattern.test(printed);
          if (message.length < errorLimit) message += printed;
          task.output.stderr(printed);
        },
      },
      signal: task.signal,
      clock: context.clock,
    });
    // jq's exit code is that of the last value only, so an error for an earlier value must not count as success.
    const exitCode = failed && end.exitCode === 0 ? runtimeErrorCode : end.exitCode;
    const hint = (jqMessage: string): string =>
      `${suggestReference(jqMessage, context.env)}${explainInputEnd(jqMessage, lifted.query)}`;
    return toExecutorResult({ ...end, exitCode }, message.trim(), hint);
  },
};

function readMemory(mib: number = jqMemory.default): number {
  if (Number.isInteger(mib) && mib >= jqMemory.min && mib <= jqMemory.max)
    return Math.min(maxMemoryBytes, mib * 1024 * 1024);
  throw new Error(
    `config.maxMemoryMiB must be a whole number from ${jqMemory.min} to ${jqMemory.max} (got ${mib})`,
  );
}

function toExecutorResult(
  { exitCode = 0, fault }: { exitCode?: number | undefined; fault?: string },
  message: string,
  hint: (message: string) => string,
): ExecutorResult {
  if (fault !== undefined)
    return { error: message === '' ? fault : `${fault}; jq message: ${truncate(message, errorLimit)}` };
  if (exitCode === 0) return { exitCode };
  const jqMessage = message === '' ? `jq ended with exit code ${exitCode}` : truncate(message, errorLimit);
  return { exitCode, error: `${jqMessage}${hint(message)}` };
}

/**
 * Suggests `${NAME}` for an undefined variable: `$NAME` is a jq variable, while in most other strings of a workflow it
 * is a variable of the run.
 */
function suggestReference(message: string, env: StepContext['env']): string {
  const name = /\$(\w+) is not defined/.exec(message)?.[1];
  if (name === undefined || !Object.hasOwn(env, name)) return '';
  return `\nIn a query, use \${${name}} or $ENV.${name} for the variable ${name}.`;
}

/** Explains jq's only message for `input` when there are no more values. */
function explainInputEnd(message: string, query: string): string {
  if (!/\): break$/m.test(message) || !/\binput\b/.test(query)) return '';
  return '\nNo input left for "input". Add more JSON in script, config.input or config.inputFile, or use "inputs".';
}
