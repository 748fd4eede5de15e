import { fail, succeed, type Result } from '../../../../core/base/result.ts';

/** Parses a typed payload. */
export function readPayload(text: string): Result<Record<string, unknown>, string> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return succeed(value as Record<string, unknown>);
    return fail('The payload must be a JSON object.');
  } catch (error) {
    return fail(`Invalid JSON: ${(error as Error).message}`);
  }
}
