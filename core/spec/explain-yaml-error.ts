import type { YAMLError } from 'yaml';
import {
  type Explanation,
  type YamlError,
  readValueAt,
  suggestQuotes,
  explainForeignText,
  explainLine,
  explainMissingColon,
  explainNestedMap,
} from './explain-lines.ts';

/** Explains text after a complete value that started with a quote, bracket or alias. */
function explainTextAfterValue({ text, offset }: YamlError): Explanation {
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
function explainStart({ text, offset }: YamlError): Explanation {
  return explainIndicator(text[offset] ?? '', readValueAt(text, offset));
}

/** Explains text after `|` or `>`, or an extra bracket. */
function explainUnexpected({ text, offset, message }: YamlError): Explanation | undefined {
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
function explainKey({ text, offset }: YamlError): Explanation | undefined {
  if (text[offset] !== '{' || text[offset - 1] !== '{') return undefined;
  return {
    offset: offset - 1,
    message: `"{{" starts a nested map in YAML. ${suggestQuotes(readValueAt(text, offset))}`,
  };
}

/** Explains a block collection inside brackets: usually caused by a missing comma. */
function explainBlockInFlow({ text, offset }: YamlError): Explanation {
  return {
    message: /^-\s/.test(text.slice(offset, offset + 2))
      ? 'A list with "-" is not allowed inside [ ] or { }. Separate the items with commas.'
      : 'Missing comma between two entries in { } or [ ], or text with ": " without quotes. Example: { name: a, command: "b" }.',
  };
}

type Code = YAMLError['code'];

/** Messages that do not depend on the source text. */
const remedies: Partial<Record<Code, string>> = {
  TAB_AS_INDENT: 'Tabs are not allowed for indentation in YAML. Replace them with spaces.',
  BAD_INDENT: 'Inconsistent indentation. Items of a list and keys of a map must start in the same column.',
  BLOCK_AS_IMPLICIT_KEY:
    'A nested map cannot start on the line of its key. Move it to the next line and indent it; put text that contains ": " in quotes.',
  MULTILINE_IMPLICIT_KEY:
    'A key must be on a single line and end with ":". Check for a missing ":" here or on the previous line.',
  BAD_DQ_ESCAPE: 'Unknown escape sequence in double quotes. Use "\\\\" for a backslash, or single quotes.',
  KEY_OVER_1024_CHARS: 'Keys are limited to 1024 characters. Check for a missing line break or quote.',
  NON_STRING_KEY: 'Lists, maps and aliases cannot be keys. Put quotes around the key.',
  ALIAS_PROPS: 'An alias (*name) cannot have an anchor or tag. Remove them.',
  MULTIPLE_ANCHORS: 'A value can only have one anchor (&name). Remove the others.',
  MULTIPLE_TAGS: 'A value can only have one tag (!name). Remove the others.',
  BAD_PROP_ORDER: 'Anchors and tags must be before the value, after "-", "?" or ":". Move it there.',
  BAD_DIRECTIVE: 'Unknown YAML directive. Remove the line, or quote the text that starts with "%".',
  RESOURCE_EXHAUSTION: 'The value is nested too deeply. Flatten it.',
};

/** Functions that derive a message from the source text around the error. */
const readers: Partial<Record<Code, (mistake: YamlError) => Explanation | undefined>> = {
  BAD_INDENT: explainBadIndent,
  BLOCK_AS_IMPLICIT_KEY: (mistake) =>
    mistake.message.startsWith('Nested mappings') ? explainNestedMap(mistake) : explainLine(mistake),
  MULTILINE_IMPLICIT_KEY: (mistake) => explainListAtKeys(mistake) ?? explainMissingColon(mistake),
  MISSING_CHAR: explainMissing,
  BAD_SCALAR_START: explainStart,
  BAD_ALIAS: explainStart,
  NON_STRING_KEY: explainKey,
  BLOCK_IN_FLOW: explainBlockInFlow,
  UNEXPECTED_TOKEN: (mistake) =>
    mistake.message.endsWith('at node end') ? explainTextAfterValue(mistake) : explainUnexpected(mistake),
  BAD_COLLECTION_TYPE: ({ message }) => ({ message: `${endSentence(message)} Remove the tag.` }),
  TAG_RESOLVE_FAILED: ({ message }) => ({
    message: `Unknown tag ${message.slice(message.lastIndexOf(' ') + 1).slice(0, 60)} has no effect. Remove it.`,
  }),
};

/** Returns our own message for a syntax error of the YAML library, with what to do. */
export function explainYamlError(code: Code, mistake: YamlError): Explanation {
  const explanation = explainForeignText(mistake) ?? readers[code]?.(mistake);
  if (explanation !== undefined) return explanation;
  return {
    message:
      remedies[code] ??
      `Invalid YAML: ${endSentence(mistake.message)} Check quotes, brackets and indentation.`,
  };
}

function explainBadIndent(mistake: YamlError): Explanation | undefined {
  const { message, text, offset } = mistake;
  const [, closing] = /end with a ([\]}])$/.exec(message) ?? [];
  if (closing !== undefined) {
    const opening = closing === '}' ? '{' : '[';
    return {
      message: `Missing "${closing}" for the "${opening}" before this position, or wrong indentation. Add the "${closing}", or indent the lines after the "${opening}".`,
    };
  }
  if (message.startsWith('Block scalar lines')) {
    const remedy = text[offset] === '\t' ? ' Replace the tab with spaces.' : '';
    return {
      message: `This line of the block after "|" is indented less than the first. Indent all lines at least as far.${remedy}`,
    };
  }
  return explainLine(mistake);
}

/** Explains `- ` where keys are expected; other lines without a key are missing one. */
function explainListAtKeys(mistake: YamlError): Explanation | undefined {
  return mistake.text[mistake.offset] === '-' ? explainLine(mistake) : undefined;
}

function explainMissing(mistake: YamlError): Explanation {
  const { message } = mistake;
  const quote = findOpenQuote(message);
  if (quote !== undefined) {
    return { message: `Unclosed quote. Add a closing ${quote}.` };
  }
  if (message.startsWith('Sequence item without') || message.includes('followed by map values')) {
    const explanation = explainInvalidLine(mistake);
    if (explanation !== undefined) return explanation;
  }
  if (message.includes('between flow')) {
    return {
      message:
        'Missing comma before this position. Separate the entries of [ ] and { } with commas, and put text that contains these characters in quotes.',
    };
  }
  if (message.includes('directives-end')) {
    return {
      message: 'Missing "---" after lines that start with "%". Add it, or remove these lines.',
    };
  }
  if (message.includes('white space')) return { message: `${endSentence(message)} Add a space.` };
  return {
    message: `${endSentence(message)} Check for a missing bracket, comma or line break before this position.`,
  };
}

function explainInvalidLine(mistake: YamlError): Explanation | undefined {
  return explainLine(mistake) ?? explainMissingColon(mistake);
}

/** Whether the error is an unclosed quote. */
export function isOpenQuote({ code, message }: Pick<YAMLError, 'code' | 'message'>): boolean {
  return code === 'MISSING_CHAR' && findOpenQuote(message) !== undefined;
}

function findOpenQuote(message: string): string | undefined {
  return /closing (["'])quote/.exec(message)?.[1];
}

function endSentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}
