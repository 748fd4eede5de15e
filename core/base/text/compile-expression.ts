/** Flags that an expression may begin with, as RE2 and others write them: `(?i)error`. */
const leadingFlags = /^\(\?(?<flags>[ims]+)\)/;

/**
 * Compiles the text after `re:`. It is read with the properties of Unicode (`\p{L}`); what is an expression only without
 * them, such as `a\-b`, is read without. Throws a SyntaxError for what is none in either way.
 */
export function compileExpression(source: string): RegExp {
  const { 0: lead = '', groups = {} } = leadingFlags.exec(source) ?? {};
  const body = source.slice(lead.length);
  const flags = [...new Set(groups['flags'] ?? '')].join('');
  try {
    return new RegExp(body, `u${flags}`);
  } catch {
    return new RegExp(body, flags);
  }
}
