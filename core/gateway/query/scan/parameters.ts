import { GatewayError } from '../../gateway-error.ts';
import { queryLimits } from './limits.ts';

export interface Parameter {
  readonly name: string;
  readonly value: string;
}

/**
 * Decodes the parameters of a query string or form, in order. A plus is a space; a percent sign without two hex digits
 * stays unchanged. Parameters without `=` are skipped.
 * @throws GatewayError with the specified code for invalid UTF-8, NUL, or too many parameters
 */
export function decodeParameters(text: string, code: 'PGRST100' | 'PGRST102'): Parameter[] {
  const parameters: Parameter[] = [];
  for (const part of text.split('&', queryLimits.parameters + 2)) {
    const middle = part.indexOf('=');
    if (middle < 0) continue;
    const name = decode(part.slice(0, middle), code);
    parameters.push({ name, value: decode(part.slice(middle + 1), code) });
  }
  if (parameters.length > queryLimits.parameters)
    throw new GatewayError(400, code, `More than ${queryLimits.parameters} query parameters`);
  return parameters;
}

function decode(text: string, code: string): string {
  const decoded = decodePercent(text.replaceAll('+', ' '));
  if (decoded === undefined || !decoded.isWellFormed())
    throw new GatewayError(400, code, 'A parameter is not valid UTF-8', { details: text.slice(0, 200) });
  if (decoded.includes('\0'))
    throw new GatewayError(
      400,
      code,
      'A parameter contains a NUL character, which strings in the database cannot contain',
      {
        details: text.slice(0, 200),
      },
    );
  return decoded;
}

function decodePercent(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text.replaceAll(/%(?![0-9A-Fa-f]{2})/g, '%25'));
  } catch {
    return undefined;
  }
}
