import { stringify } from 'yaml';

/** Words that YAML 1.1 parsers read as booleans or null. */
const ambiguous = /^(?:true|false|null|yes|no|on|off|y|n|~)$/i;
const plain = /^[A-Za-z_][\w.-]*(?: [\w.()-]+)*$/;

/**
 * Formats a single-line string as a YAML scalar, quoted only if necessary.
 * @param inFlow whether it is inside brackets
 */
export function valueText(text: string, inFlow = false): string {
  if (plain.test(text) && !ambiguous.test(text)) return text;
  if (inFlow || text.includes('\n')) return JSON.stringify(text);
  return stringify(text, { lineWidth: 0 }).trimEnd();
}

/** Formats a key in the same way. */
export const keyText = (text: string): string =>
  plain.test(text) && !ambiguous.test(text) ? text : JSON.stringify(text);
