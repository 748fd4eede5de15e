import type { Explanation, YamlMistake } from './explain-lines.ts';
import { readValueAt, suggestQuotes } from './suggest-quotes.ts';

/** A text after a value that had its end: a quote, a bracket or an alias began it. */
export function explainTextAfterValue({ text, offset }: YamlMistake): Explanation {
  const before = text[offset - 1] ?? '';
  if (text[offset] === '{' && before === '$') {
    return {
      offset: offset - 1,
      message:
        'Within { } and [ ] a text may hold none of the characters { } [ ] and ",", unless it is in quotes. Put it in quotes, such as "${NAME}".',
    };
  }
  const value = readValueAt(text, offset);
  if (value.startsWith('*')) return explainIndicator('*', value);
  if (/^,[ \t]*\r?(?:\n|$)/.test(text.slice(offset, offset + 9))) {
    return { message: 'The value has ended here already, but a comma follows it. Remove the comma.' };
  }
  const [quote = ''] = /^["']/.exec(value) ?? [];
  if (quote !== '' && value.length > 1 && value.endsWith(quote) && /\S/.test(before)) {
    return {
      message: `The value has ended here already: a ${quote} within ${quote} ends it. ${suggestQuotes(value.slice(1, -1))}`,
    };
  }
  return { message: `The value has ended here already, but text follows it. ${suggestQuotes(value)}` };
}

/** A value that begins with a sign that means something else in YAML. */
export function explainIndicator(sign: string, value: string): Explanation {
  const meaning: Readonly<Record<string, string>> = {
    '*': 'an alias',
    '&': 'an anchor',
    '%': 'a directive',
  };
  const what = meaning[sign] === undefined ? 'may not begin a text' : `begins ${meaning[sign]}`;
  return { message: `"${sign}" ${what} in YAML. ${suggestQuotes(value)}` };
}

/** A character that no text may begin with. */
export function explainStart({ text, offset }: YamlMistake): Explanation {
  return explainIndicator(text[offset] ?? '', readValueAt(text, offset));
}

/** A text beside `|` or `>`, or a bracket too much. */
export function explainUnexpected({ text, offset, message }: YamlMistake): Explanation | undefined {
  const before = text.slice(Math.max(0, offset - 80), offset);
  const [, mark] = /[:-][ \t]+([|>])[-+0-9]{0,2}[ \t]+$/.exec(before) ?? [];
  if (mark !== undefined) {
    return {
      message: `After "${mark}" the text begins on the next line, further in than its key. Move it there, or remove the "${mark}".`,
    };
  }
  const [closing] = /[\]}](?="$)/.exec(message) ?? [];
  if (closing === undefined) return undefined;
  return { message: `This "${closing}" closes nothing. Remove it, or put the text it belongs to in quotes.` };
}

/** A list or map as a key: mostly `{{ }}` of a template. */
export function explainKey({ text, offset }: YamlMistake): Explanation | undefined {
  if (text[offset] !== '{' || text[offset - 1] !== '{') return undefined;
  return {
    offset: offset - 1,
    message: `"{{" begins a map within a map in YAML. ${suggestQuotes(readValueAt(text, offset))}`,
  };
}

/** Something that belongs to a map or list of several lines, between brackets: mostly for want of a comma. */
export function explainBlockInFlow({ text, offset }: YamlMistake): Explanation {
  return {
    message: /^-\s/.test(text.slice(offset, offset + 2))
      ? 'A list with "-" may not stand inside [ ] or { }. Separate the items by commas.'
      : 'Within { } and [ ] a comma stands between two entries, and here one is missing, or a text holds ": " without quotes. Write { name: a, command: "b" }.',
  };
}
