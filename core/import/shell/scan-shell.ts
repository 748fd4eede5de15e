/** Words that open a compound command, and the words that close it. */
const closers = new Map([
  ['if', 'fi'],
  ['for', 'done'],
  ['while', 'done'],
  ['until', 'done'],
  ['select', 'done'],
  ['case', 'esac'],
  ['{', '}'],
  ['(', ')'],
]);
/** Words after which a command follows. */
const commandFollows = new Set([
  'then',
  'do',
  'else',
  'elif',
  'if',
  'while',
  'until',
  '!',
  '{',
  '(',
  ')',
  ';',
  '&',
  '|',
]);

/**
 * Returns for each line of a script whether it starts at the top level: outside every compound command, quote,
 * here-document and continued line. If the words do not match, no further line is at the top level.
 */
export function findTopLines(script: string): boolean[] {
  const scan: Scan = { open: [], quote: undefined, heredocs: [], continued: false, isCommand: true };
  return script.split('\n').map((line) => {
    const isTop =
      scan.open.length === 0 && scan.quote === undefined && scan.heredocs.length === 0 && !scan.continued;
    scanLine(line, scan);
    return isTop;
  });
}

interface Scan {
  /** Closing words of the open compound commands, innermost last. */
  open: string[];
  quote: '"' | "'" | undefined;
  /** Delimiters of here-documents that follow. */
  heredocs: { end: string; indented: boolean }[];
  continued: boolean;
  /** Whether the next word is a command, so that `done` as an argument closes nothing. */
  isCommand: boolean;
}

// A comment, a here-document operator, an escaped character, a variable, a quote, an operator, or a word.
const token =
  /(?<comment>(?<=^|[\s;&|()])#.*)|<<(?<dash>-?)\s*(?<mark>'[^']*'|"[^"]*"|\\?[\w.-]+)|(?<escape>\\.)|(?<value>\$\{(?:[^{}]|\{[^{}]*\})*\})|(?<quote>["'])|(?<operator>;;|[;&|(){}!])|(?<word>[^\s;&|(){}"'\\<]+|<)/g;

function scanLine(line: string, scan: Scan): void {
  const [heredoc] = scan.heredocs;
  if (heredoc !== undefined) {
    if ((heredoc.indented ? line.replace(/^\t+/, '') : line) === heredoc.end) scan.heredocs.shift();
    return;
  }
  let rest = line;
  if (!scan.continued) scan.isCommand = true;
  while (rest !== '') rest = scan.quote === undefined ? scanPlain(rest, scan) : scanQuoted(rest, scan);
  scan.continued = scan.quote === undefined && /(?:^|[^\\])(?:\\\\)*\\$/.test(line);
}

/** Scans to the end of the line or to the start of a quote. Returns the rest of the line. */
function scanPlain(text: string, scan: Scan): string {
  token.lastIndex = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const { quote, mark, dash, operator, word, value } = match.groups!;
    if (quote !== undefined) {
      scan.quote = quote as '"' | "'";
      scan.isCommand = false;
      return text.slice(token.lastIndex);
    }
    if (mark !== undefined)
      scan.heredocs.push({ end: mark.replaceAll(/['"\\]/g, ''), indented: dash === '-' });
    else if (operator !== undefined) takeWord(operator, scan);
    else if (word !== undefined) takeWord(word, scan);
    else if (value !== undefined) scan.isCommand = false;
  }
  return '';
}

function takeWord(word: string, scan: Scan): void {
  const closer = closers.get(word);
  if (closer !== undefined && (scan.isCommand || word === '(')) scan.open.push(closer);
  // The closing parenthesis of a `case` pattern finds `esac` here, and closes nothing.
  else if (word === scan.open.at(-1)) scan.open.pop();
  scan.isCommand = commandFollows.has(word) || word === ';;';
}

/** Scans to the end of the quote. Returns the rest of the line. */
function scanQuoted(text: string, scan: Scan): string {
  const end = scan.quote === "'" ? text.indexOf("'") : (/^(?:\\.|[^"\\])*"/.exec(text)?.[0].length ?? 0) - 1;
  if (end < 0) return '';
  scan.quote = undefined;
  return text.slice(end + 1);
}
