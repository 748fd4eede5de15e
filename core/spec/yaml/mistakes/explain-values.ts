import type { Explanation, YamlError } from './explain-lines.ts';
import { readValueAt, suggestQuotes } from './suggest-quotes.ts';

/** Explains text after a complete value that started with a quote, bracket or alias. */
export function explainTextAfterValue({ text, offset }: YamlError): Explanation {
  const before = text[offset - 1] ?? '';
  if (text[offset] === '{' && before === '$') {
    return {
      offset: offset - 1,
      message:
        'Text inside { } and [ ] cannot contain { } [ ] or "," without quotes. Put it in quotes, such as "${NAME}".',
    };
  }
  const value = readValueAt(text, offset);
  if (value.startsWith('*')) return explainIndicator('*', value);
  if (/^,[ \t]*\r?(?:\n|$)/.test(text.slice(offset, offset + 9))) {
    return { message: 'Unexpected comma after the value. Remove it.' };
  }
  const [quote = ''] = /^["']/.exec(value) ?? [];
  if (quote !== '' && value.length > 1 && value.endsWith(quote) && /\S/.test(before)) {
    return {
      message: `Unexpected text after the closing ${quote}: the value contains a ${quote}. ${suggestQuotes(value.slice(1, -1))}`,
    };
  }
  return { message: `Unexpected text after the value. ${suggestQuotes(value)}` };
}

/** Explains a value that starts with a YAML indicator character. */
export function explainIndicator(sign: string, value: string): Explanation {
  const meaning: Readonly<Record<string, string>> = {
    '*': 'an alias',
    '&': 'an anchor',
    '%': 'a directive',
  };
  const what = meaning[sign] === undefined ? 'cannot start a text' : `starts ${meaning[sign]}`;
  return { message: `"${sign}" ${what} in YAML. ${suggestQuotes(value)}` };
}

/** Explains a character that no plain scalar can start with. */
export function explainStart({ text, offset }: YamlError): Explanation {
  return explainIndicator(text[offset] ?? '', readValueAt(text, offset));
}

/** Explains text after `|` or `>`, or an extra bracket. */
export function explainUnexpected({ text, offset, message }: YamlError): Explanation | undefined {
  const before = text.slice(Math.max(0, offset - 80), offset);
  const [, mark] = /[:-][ \t]+([|>])[-+0-9]{0,2}[ \t]+$/.exec(before) ?? [];
  if (mark !== undefined) {
    return {
      message: `Text after "${mark}" must start on the next line, indented. Move it there, or remove the "${mark}".`,
    };
  }
  const [closing] = /[\]}](?="$)/.exec(message) ?? [];
  if (closing === undefined) return undefined;
  return { message: `Unmatched "${closing}". Remove it, or put the text in quotes.` };
}

/** Explains a list or map as a key: usually `{{ }}` of a template. */
export function explainKey({ text, offset }: YamlError): Explanation | undefined {
  if (text[offset] !== '{' || text[offset - 1] !== '{') return undefined;
  return {
    offset: offset - 1,
    message: `"{{" starts a nested map in YAML. ${suggestQuotes(readValueAt(text, offset))}`,
  };
}

/** Explains a block collection inside brackets: usually caused by a missing comma. */
export function explainBlockInFlow({ text, offset }: YamlError): Explanation {
  return {
    message: /^-\s/.test(text.slice(offset, offset + 2))
      ? 'A list with "-" is not allowed inside [ ] or { }. Separate the items with commas.'
      : 'Missing comma between two entries in { } or [ ], or text with ": " without quotes. Example: { name: a, command: "b" }.',
  };
}
