import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { stripBom } from '../../base/text/strip-bom.ts';
import { sqlTable, type RowFormat } from '../../model/executors/sql.ts';
import type { ExecutorAction } from '../../model/workflow/step.ts';
import { evaluateConfig } from '../evaluate-config.ts';
import type { StepContext } from '../executor.ts';

/** The configuration of an `sql` step. */
export interface SqlJob {
  /** Undefined for the gateway's database. */
  readonly url: string | undefined;
  readonly sql: string;
  /** Undefined for a script, which may have several statements. */
  readonly values: readonly (string | null)[] | undefined;
  readonly format: RowFormat;
  /** Absolute path. */
  readonly outputFile: string | undefined;
  readonly maxRows: number;
  /** 0 for no timeout. */
  readonly timeoutMs: number;
  readonly isTransaction: boolean;
  readonly isReadOnly: boolean;
}

const usualRows = 100_000;
const usualSeconds = 300;

/** Reads the configuration of a step. Rejects with a message if a value is invalid or a file cannot be read. */
export async function readJob(context: StepContext, action: ExecutorAction): Promise<SqlJob> {
  const config = await evaluateConfig(sqlTable, action.config as JsonObject, context.expand);
  const { connection = 'gateway', queryFile, outputFile } = config;
  const resolvePath = (file: string): string => resolve(context.workingDir, file);
  return {
    url: connection.trim() === 'gateway' ? undefined : connection.trim(),
    sql:
      queryFile === undefined
        ? (action.script ?? action.command ?? '')
        : await readQuery(resolvePath(queryFile)),
    values: action.script === undefined ? readValues(config.parameters) : undefined,
    format: config.format ?? 'jsonl',
    outputFile: outputFile === undefined ? undefined : resolvePath(outputFile),
    maxRows: config.maxRows ?? usualRows,
    timeoutMs: Math.max(0, config.timeout ?? usualSeconds) * 1000,
    isTransaction: config.transaction ?? true,
    isReadOnly: config.readOnly ?? false,
  };
}

async function readQuery(file: string): Promise<string> {
  try {
    return stripBom(await readFile(file, 'utf8'));
  } catch (error) {
    throw new Error(`Cannot read config.queryFile, ${file}: ${messageOf(error)}`, { cause: error });
  }
}

/** Reads a list, or a string from a reference that contains one. */
function readValues(parameters: JsonValue | undefined): (string | null)[] {
  const list = typeof parameters === 'string' ? parseList(parameters) : (parameters ?? []);
  if (!Array.isArray(list))
    throw new Error(
      'config.parameters must be a list of values, such as ["${DAY}", 10]: one value for each $1, $2, …',
    );
  return list.map((value) => {
    if (value === null) return null;
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}

function parseList(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
