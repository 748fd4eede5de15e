import { IsArray, IsBoolean, IsInteger, IsNumber, type TSchema } from 'typebox';
import { truncate } from '../../base/text/truncate.ts';
import { AppError } from '../../base/errors.ts';

/**
 * Converts the strings of a path or query field to the schema's type: an array from repeated or comma-separated
 * values, otherwise exactly one value. Throws `bad_request` with the field name if invalid.
 */
export function coerceText(field: string, schema: TSchema, texts: readonly string[]): unknown {
  if (IsArray(schema)) {
    const names = texts.flatMap((text) => text.split(',')).filter((part) => part !== '');
    return names.map((part) => coerceValue(field, schema.items, part));
  }
  const [text, ...more] = texts;
  if (text === undefined || more.length > 0)
    throw coercionError(field, `is set ${texts.length} times but allowed only once`);
  return coerceValue(field, schema, text);
}

function coerceValue(field: string, schema: TSchema, text: string): unknown {
  if (IsInteger(schema)) return coerceInteger(field, text);
  if (IsNumber(schema)) return coerceNumber(field, text);
  if (IsBoolean(schema)) return coerceBoolean(field, text);
  return text;
}

function coerceInteger(field: string, text: string): number {
  const value = Number(text);
  if (!/^[+-]?\d+$/.test(text) || !Number.isSafeInteger(value)) {
    throw coercionError(field, `must be a whole number, not ${quote(text)}`);
  }
  return value;
}

function coerceNumber(field: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value))
    throw coercionError(field, `must be a number, not ${quote(text)}`);
  return value;
}

function coerceBoolean(field: string, text: string): boolean {
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw coercionError(field, `must be \`true\` or \`false\`, not ${quote(text)}`);
}

const quote = (text: string): string => JSON.stringify(truncate(text, 80));

const coercionError = (field: string, problem: string): AppError =>
  new AppError('bad_request', `\`${field}\` ${problem}.`, { details: { field } });
