/** JavaScript numbers cannot represent every JSON number exactly, so the original digits are preserved. */
const rawJson = JSON as unknown as { rawJSON(text: string): unknown; isRawJSON(value: unknown): boolean };

const keepDigits = (_key: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
    ? rawJson.rawJSON(context.source)
    : value;

/**
 * Parses JSON. Numbers are serialized again with their original digits instead of the nearest representable value.
 * @throws for invalid JSON and for nesting deeper than the stack
 */
export const parseExactJson = (text: string): unknown => JSON.parse(text, keepDigits) as unknown;

/** Whether a parsed value is an object and not an array or a scalar. */
export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !rawJson.isRawJSON(value);
