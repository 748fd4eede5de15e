import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { WebhookTrigger } from '../../model/workflow/webhook-trigger.ts';
import type { Parameter } from '../../model/workflow/workflow.ts';

/** Maximum size of a value in bytes: it becomes an environment variable, which platforms limit. */
const maxValueLength = 65_536;

/**
 * Returns the parameters from a payload. Strings are used unchanged, other values as compact JSON. The values are not
 * expanded.
 * @returns an error message if a value is not available
 */
export function readTriggerParams(
  definition: Pick<WebhookTrigger, 'params'>,
  payload: JsonObject,
): readonly Parameter[] | string {
  const params: Parameter[] = [];
  for (const { name, path, default: fallback } of definition.params) {
    const value = valueAt(payload, path);
    const text = value === undefined || value === null ? fallback : textOf(value);
    if (text === undefined) continue;
    const problem = findProblem(text);
    if (problem !== undefined) return `The value of parameter ${name} ${problem}.`;
    params.push({ name, value: text });
  }
  return params;
}

function findProblem(text: string): string | undefined {
  if (text.includes('\0')) return 'contains a NUL character, which environment variables do not allow';
  const length = Buffer.byteLength(text);
  return length > maxValueLength
    ? `is ${length} bytes (the limit is ${maxValueLength}). Steps can read the whole payload from WEBHOOK_PAYLOAD_FILE`
    : undefined;
}

const textOf = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value));

function valueAt(value: JsonValue | undefined, path: readonly (string | number)[]): JsonValue | undefined {
  for (const key of path) {
    if (Array.isArray(value)) value = typeof key === 'number' ? value.at(key) : undefined;
    else if (typeof value === 'object' && value !== null && Object.hasOwn(value, key)) value = value[key];
    else return undefined;
  }
  return value;
}
