import { stringify } from 'yaml';

/** Words and numbers that other readers of YAML take for something else. */
const ambiguous = /^(?:true|false|null|yes|no|on|off|y|n|~)$/i;
const plain = /^[A-Za-z_][\w.-]*(?: [\w.()-]+)*$/;

/**
 * A one-line text as a YAML scalar, in quotes only where they are needed.
 * @param inFlow it stands in brackets
 */
export function valueText(text: string, inFlow = false): string {
  if (plain.test(text) && !ambiguous.test(text)) return text;
  if (inFlow || text.includes('\n')) return JSON.stringify(text);
  return stringify(text, { lineWidth: 0 }).trimEnd();
}

/** The same as a key. */
export const keyText = (text: string): string =>
  plain.test(text) && !ambiguous.test(text) ? text : JSON.stringify(text);
