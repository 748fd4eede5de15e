import type { YAMLError } from 'yaml';

const cures: Partial<Record<YAMLError['code'], string>> = {
  TAB_AS_INDENT: 'A tab may not be used for indentation in YAML. Replace it by spaces.',
  BAD_INDENT:
    'The indentation does not fit. Items of one list, and keys of one map, begin in the same column.',
  BLOCK_AS_IMPLICIT_KEY:
    'A nested map may not begin on the line of its key. Put it on the next line, further in; quote a text that holds ": ".',
  MULTILINE_IMPLICIT_KEY:
    'A key must stand on one line and end in ":". Check for a missing ":" here or on the line before.',
  BAD_SCALAR_START: 'A text may not begin with this character in YAML. Put the text in quotes.',
  BAD_DQ_ESCAPE:
    'This escape does not exist in double quotes. Write "\\\\" for a backslash, or use single quotes.',
  KEY_OVER_1024_CHARS: 'A key may have at most 1024 characters. Check for a missing line break or quote.',
  NON_STRING_KEY: 'A key must be text: lists, maps and aliases may not be keys. Put quotes around it.',
  ALIAS_PROPS: 'An alias (*name) may have neither an anchor nor a tag.',
  MULTIPLE_ANCHORS: 'A value may have only one anchor (&name).',
  MULTIPLE_TAGS: 'A value may have only one tag (!name).',
  BAD_PROP_ORDER: 'Anchors and tags stand before the value, after "-", "?" or ":".',
  BLOCK_IN_FLOW: 'A list with "-" may not stand inside [ ] or { }. Separate the items by commas.',
  RESOURCE_EXHAUSTION: 'The value is nested too deep. Flatten it.',
};

/** A syntax error of the YAML library in our own words, with what to do about it. */
export function explainYamlError({ code, message }: Pick<YAMLError, 'code' | 'message'>): string {
  if (code === 'TAG_RESOLVE_FAILED') {
    return `The tag ${message.match(/\S*$/)?.[0] ?? ''} is not known and has no effect. Remove it.`;
  }
  if (code === 'BAD_COLLECTION_TYPE') return `${endSentence(message)} Remove the tag.`;
  if (code === 'MISSING_CHAR') return explainMissing(message);
  if (code === 'BAD_INDENT' && message.includes('end with a')) {
    return `A ${message.at(-1) === '}' ? '"{"' : '"["'} before this place is not closed with "${message.at(-1)}", or its value is not further in than its key.`;
  }
  if (message.endsWith('at node end')) {
    return `The value has ended here already, but text follows it. Put the whole value in quotes, such as '"one" two'.`;
  }
  return (
    cures[code] ?? `This is no valid YAML: ${endSentence(message)} Check quotes, brackets and indentation.`
  );
}

function explainMissing(message: string): string {
  const quote = findOpenQuote(message);
  if (quote) return `The ${quote} that opens here is not closed. Add the closing ${quote}.`;
  if (message.includes('white space')) return `${endSentence(message)} Add a space.`;
  if (message.includes('followed by map values')) {
    return 'This line is neither "key: value" nor an item of a list. Write ":" and a space after a key; put a text of several lines in quotes or after "|".';
  }
  return `${endSentence(message)} Check for a missing bracket, comma or line break before this place.`;
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
