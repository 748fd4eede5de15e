import { truncate } from '../base/text.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import type { ConfigField, ConfigOf, ConfigTable } from '../model/executor-config.ts';
import { filterEnvironment } from '../process/environment.ts';
import type { StepContext } from './executor.ts';

/** A configuration value whose expression evaluates to an invalid value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Expands the configuration of a step when the step starts. Rejects with what `expand` rejects with.
 * @throws ConfigError naming the field and its value
 */
export async function evaluateConfig<Table extends ConfigTable>(
  table: Table,
  config: JsonObject,
  expand: (text: string) => Promise<string>,
): Promise<ConfigOf<Table>> {
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(table)) {
    const written = config[name];
    if (written !== undefined) values[name] = toField(name, field, await expandDeep(written, expand));
  }
  return values as ConfigOf<Table>;
}

async function expandDeep(value: JsonValue, expand: (text: string) => Promise<string>): Promise<JsonValue> {
  if (typeof value === 'string') return expand(value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    const items: JsonValue[] = [];
    for (const item of value) items.push(await expandDeep(item, expand));
    return items;
  }
  const entries: [string, JsonValue][] = [];
  for (const [key, item] of Object.entries(value)) entries.push([key, await expandDeep(item, expand)]);
  return Object.fromEntries(entries);
}

function toField(name: string, { kind, values = [] }: ConfigField, value: JsonValue): JsonValue {
  if (kind === 'choice' && !(typeof value === 'string' && values.includes(value)))
    throw new ConfigError(`config.${name} must be one of ${values.join(', ')} (got ${show(value)})`);
  if (typeof value !== 'string') return value;
  if (kind === 'number') {
    const number = Number(value.trim());
    if (value.trim() === '' || !Number.isFinite(number))
      throw new ConfigError(`config.${name} must be a number (got ${show(value)})`);
    return number;
  }
  if (kind !== 'flag') return value;
  const text = value.trim().toLowerCase();
  if (text !== 'true' && text !== 'false')
    throw new ConfigError(`config.${name} must be true or false (got ${show(value)})`);
  return text === 'true';
}

const show = (value: JsonValue): string => truncate(JSON.stringify(value), 80);

/** Variables that are only valid on this machine. */
const localNames: ReadonlySet<string> = new Set(['PWD', 'OLDPWD']);

/** Trace context of the attempt, for programs that support it (W3C Trace Context). */
const traceNames: ReadonlySet<string> = new Set(['TRACEPARENT', 'TRACESTATE']);

/**
 * Returns the variables for a command on another host: the step's own `env`, its trace context, and the variables that
 * the command refers to, in whatever language it is written. Other secrets and values are not sent. System variables
 * such as PATH and HOME are not sent, because the other host has its own.
 */
export function chooseVariables(
  { env, step }: Pick<StepContext, 'env' | 'step'>,
  texts: readonly string[],
): Record<string, string> {
  const system = filterEnvironment(process.env);
  const stepEnvNames = new Set(step.env.map(({ name }) => name));
  const mentioned = new Set(texts.flatMap((text) => text.match(/[A-Za-z_][A-Za-z0-9_]*/g) ?? []));
  const isPassed = (name: string): boolean =>
    stepEnvNames.has(name) ||
    traceNames.has(name) ||
    (mentioned.has(name) && !localNames.has(name) && env[name] !== system[name]);
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && isPassed(name)),
  );
}
