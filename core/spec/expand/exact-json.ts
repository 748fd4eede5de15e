/** JavaScript's numbers cannot hold every number as written: those are kept as text. */
const rawJson = JSON as unknown as { rawJSON(text: string): unknown; isRawJSON(value: unknown): boolean };

const keepDigits = (_key: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
    ? rawJson.rawJSON(context.source)
    : value;

/**
 * Reads JSON; its numbers are written again as they were, not as the nearest possible ones. Throws for what is no
 * JSON, and for what is nested deeper than the stack.
 */
export const parseExactJson = (text: string): unknown => JSON.parse(text, keepDigits) as unknown;

/** Whether a part of what was read is an object, and not a list or a value. */
export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !rawJson.isRawJSON(value);
