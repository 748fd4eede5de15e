import type { YAMLError } from 'yaml';
import {
  explainForeignText,
  explainLine,
  explainMissingColon,
  explainNestedMap,
  type Explanation,
  type YamlMistake,
} from './mistakes/explain-lines.ts';
import {
  explainBlockInFlow,
  explainKey,
  explainStart,
  explainTextAfterValue,
  explainUnexpected,
} from './mistakes/explain-values.ts';

type Code = YAMLError['code'];

/** What to say where the place has nothing more to tell. */
const cures: Partial<Record<Code, string>> = {
  TAB_AS_INDENT: 'A tab may not be used for indentation in YAML. Replace it by spaces.',
  BAD_INDENT:
    'The indentation does not fit. Items of one list, and keys of one map, begin in the same column.',
  BLOCK_AS_IMPLICIT_KEY:
    'A nested map may not begin on the line of its key. Put it on the next line, further in; quote a text that holds ": ".',
  MULTILINE_IMPLICIT_KEY:
    'A key must stand on one line and end in ":". Check for a missing ":" here or on the line before.',
  BAD_DQ_ESCAPE:
    'This escape does not exist in double quotes. Write "\\\\" for a backslash, or use single quotes.',
  KEY_OVER_1024_CHARS: 'A key may have at most 1024 characters. Check for a missing line break or quote.',
  NON_STRING_KEY: 'A key must be text: lists, maps and aliases may not be keys. Put quotes around it.',
  ALIAS_PROPS: 'An alias (*name) may have neither an anchor nor a tag. Remove them.',
  MULTIPLE_ANCHORS: 'A value may have only one anchor (&name). Remove the others.',
  MULTIPLE_TAGS: 'A value may have only one tag (!name). Remove the others.',
  BAD_PROP_ORDER: 'Anchors and tags stand before the value, after "-", "?" or ":". Move it there.',
  BAD_DIRECTIVE:
    'A line that begins with "%" is an instruction for YAML readers, and this is none. Remove it, or quote the text.',
  RESOURCE_EXHAUSTION: 'The value is nested too deep. Flatten it.',
};

/** What the text around the place tells. */
const readers: Partial<Record<Code, (mistake: YamlMistake) => Explanation | undefined>> = {
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
    message: `The tag ${message.slice(message.lastIndexOf(' ') + 1).slice(0, 60)} is not known and has no effect. Remove it.`,
  }),
};

/** A syntax error of the YAML library in our own words, with what to do about it. */
export function explainYamlError(code: Code, mistake: YamlMistake): Explanation {
  const explanation = explainForeignText(mistake) ?? readers[code]?.(mistake);
  if (explanation !== undefined) return explanation;
  return {
    message:
      cures[code] ??
      `This is no valid YAML: ${endSentence(mistake.message)} Check quotes, brackets and indentation.`,
  };
}

function explainBadIndent(mistake: YamlMistake): Explanation | undefined {
  const { message, text, offset } = mistake;
  const [, closing] = /end with a ([\]}])$/.exec(message) ?? [];
  if (closing !== undefined) {
    const opening = closing === '}' ? '{' : '[';
    return {
      message: `A "${opening}" before this place is not closed with "${closing}", or its value is not further in than its key. Add the "${closing}", or indent the lines after the "${opening}".`,
    };
  }
  if (message.startsWith('Block scalar lines')) {
    const cure = text[offset] === '\t' ? ' Replace the tab by spaces.' : '';
    return {
      message: `This line of the text after "|" begins further out than the first one. Indent all of its lines at least as far.${cure}`,
    };
  }
  return explainLine(mistake);
}

/** `- ` where keys stand; every other line without a key wants one. */
function explainListAtKeys(mistake: YamlMistake): Explanation | undefined {
  return mistake.text[mistake.offset] === '-' ? explainLine(mistake) : undefined;
}

function explainMissing(mistake: YamlMistake): Explanation {
  const { message } = mistake;
  const quote = findOpenQuote(message);
  if (quote !== undefined) {
    return { message: `Unclosed quote. Add a closing ${quote}.` };
  }
  if (message.startsWith('Sequence item without') || message.includes('followed by map values')) {
    const explanation = explainOddLine(mistake);
    if (explanation !== undefined) return explanation;
  }
  if (message.includes('between flow')) {
    return {
      message:
        'A comma is missing before this place. Separate the entries of [ ] and { } by commas, and put a text that holds one of these characters in quotes.',
    };
  }
  if (message.includes('directives-end')) {
    return {
      message: 'After lines that begin with "%" a line "---" is missing. Add it, or remove these lines.',
    };
  }
  if (message.includes('white space')) return { message: `${endSentence(message)} Add a space.` };
  return {
    message: `${endSentence(message)} Check for a missing bracket, comma or line break before this place.`,
  };
}

function explainOddLine(mistake: YamlMistake): Explanation | undefined {
  return explainLine(mistake) ?? explainMissingColon(mistake);
}

/** Whether the error is a quote without an end. */
export function isOpenQuote({ code, message }: Pick<YAMLError, 'code' | 'message'>): boolean {
  return code === 'MISSING_CHAR' && findOpenQuote(message) !== undefined;
}

function findOpenQuote(message: string): string | undefined {
  return /closing (["'])quote/.exec(message)?.[1];
}

function endSentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}
