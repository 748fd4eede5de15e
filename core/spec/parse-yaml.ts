import {
  Composer,
  isMap,
  isNode,
  isPair,
  isSeq,
  Lexer,
  Parser,
  type Document,
  type YAMLParseError,
} from 'yaml';
import { MAX_DEPTH, MAX_DIAGNOSTICS, MAX_DOCUMENTS, MAX_STEPS, MAX_TOKENS } from './limits.ts';
import { normalizeLineEnds, type Report, type SourceNode } from './source.ts';
import { buildNodes } from './build-nodes.ts';
import { explainYamlError, isOpenQuote } from './explain-yaml-error.ts';

/** Number of token errors after which the rest of a file is not read. */
const MAX_STREAM_ERRORS = 20;

/** Number of document errors after which further errors are not recorded and no further document is read. */
const MAX_COMPOSE_ERRORS = 1000;

/**
 * Parses YAML 1.2 (with merge keys) into one node tree per document; documents without a value are omitted.
 * The text is read token by token, and reading stops when a limit is exceeded: the library's own functions would
 * compose a deep or endless file before it could be checked. The work is linear in the size of the text.
 * @param parsed the documents of this text, if they are already parsed, including those with errors
 * @returns undefined if the text is not valid YAML or exceeds a limit; `report` then has the reason
 */
export function parseYaml(
  text: string,
  report: Report,
  parsed: readonly Document.Parsed[] = [],
): SourceNode[] | undefined {
  if (parsed.length === 0) {
    const documents = parseDocuments(text, report, {});
    return documents && buildNodes(documents, report);
  }
  return reportSyntax(parsed, text, report) ? undefined : buildNodes(parsed, report);
}

/**
 * Parses the documents of the library, including those without a value, within the same limits.
 * @param options `keepSourceTokens`: whether each node keeps the tokens it was parsed from
 * @returns undefined if the text is not valid YAML or exceeds a limit; `report` then has the reason
 */
export function parseDocuments(
  text: string,
  report: Report,
  options: { readonly keepSourceTokens?: boolean },
): Document.Parsed[] | undefined {
  const source = normalizeLineEnds(text);
  const documents = composeDocuments(source, report, options.keepSourceTokens ?? false);
  return documents === undefined || reportSyntax(documents, source, report) ? undefined : documents;
}

/** Parses the documents with their errors; undefined if the text exceeds a limit. */
export function composeDocuments(
  text: string,
  report: Report,
  keepSourceTokens: boolean,
): Document.Parsed[] | undefined {
  const mistakes = { count: 0 };
  const composer = createComposer(keepSourceTokens, mistakes);
  const parser = new Parser();
  const documents: Document.Parsed[] = [];
  let tokens = 0;
  let streamErrors = 0;
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) {
      if (token.type === 'error') streamErrors += 1;
      documents.push(...composer.next(token));
    }
    const limit = findLimit(parser, ++tokens, documents.length);
    if (limit !== undefined) {
      report.errorAt(parser.offset, '', limit);
      return undefined;
    }
    if (streamErrors > MAX_STREAM_ERRORS || mistakes.count > MAX_COMPOSE_ERRORS) break;
  }
  for (const token of parser.end()) documents.push(...composer.next(token));
  documents.push(...composer.end());
  return documents;
}

/** @param mistakes counts errors and warnings, including those that are not recorded */
function createComposer(keepSourceTokens: boolean, mistakes: { count: number }): Composer {
  const composer = new Composer({
    keepSourceTokens,
    prettyErrors: false,
    // The library compares each key with all previous ones, which is quadratic; build-nodes uses a lookup instead.
    uniqueKeys: false,
    stringKeys: true,
    resolveKnownTags: false,
    logLevel: 'silent',
  });
  // Each error has a stack trace. A file of punctuation has millions of errors, and only one is shown.
  const onError: (...args: unknown[]) => void = composer['onError'];
  composer['onError'] = (...args: unknown[]) => {
    mistakes.count += 1;
    if (mistakes.count <= MAX_COMPOSE_ERRORS) onError(...args);
  };
  return composer;
}

function findLimit({ stack }: Parser, tokens: number, documents: number): string | undefined {
  if (documents > MAX_DOCUMENTS) {
    return `The file has more than ${MAX_DOCUMENTS.toLocaleString('en-US')} documents. Split it into several files.`;
  }
  // The exact number is checked later: the list that is being read may still have one extra item.
  if (countItems(stack[2]) > MAX_STEPS + 100 && isSteps(stack[1])) {
    return `The file has more than ${MAX_STEPS.toLocaleString('en-US')} steps. Split it into sub-workflows.`;
  }
  // The document is at the bottom of the stack; a scalar that is being read is at the top.
  if (stack.length > MAX_DEPTH + 1 && (stack.length > MAX_DEPTH + 2 || 'items' in stack.at(-1)!)) {
    return `Lists and maps are nested more than ${MAX_DEPTH} levels deep. Flatten the value, or move it to a file that a step reads.`;
  }
  if (tokens > MAX_TOKENS) {
    return `The file has more than ${MAX_TOKENS.toLocaleString('en-US')} YAML tokens. Split it into sub-workflows.`;
  }
  return undefined;
}

type Token = Parser['stack'][number];

const countItems = (token: Token | undefined): number =>
  token !== undefined && 'items' in token ? token.items.length : 0;

/** Whether the last key of a map is `steps`. */
function isSteps(map: Token | undefined): boolean {
  const entry = map !== undefined && 'items' in map ? map.items.at(-1) : undefined;
  const key = entry?.key;
  return key?.type === 'scalar' && key.source === 'steps';
}

/** Reports the first error of each document; later errors are usually consequences of it. */
export function reportSyntax(documents: readonly Document.Parsed[], text: string, report: Report): boolean {
  let failures = 0;
  for (const { errors, warnings, contents, range } of documents) {
    const source = { text, documentStart: range[0], lines: report.lines };
    const first = errors.toSorted((a, b) => a.pos[0] - b.pos[0])[0];
    if (first && failures > MAX_DIAGNOSTICS) break;
    if (first) {
      failures += 1;
      const at = getOffset(first, contents);
      const { offset = at, message } = explainYamlError(first.code, {
        ...source,
        message: first.message,
        offset: at,
      });
      report.errorAt(offset, '', message);
    }
    for (const { code, message, pos } of warnings) {
      if (report.full) break;
      const explanation = explainYamlError(code, { ...source, message, offset: pos[0] });
      report.warningAt(pos[0], '', explanation.message);
    }
  }
  return failures > 0;
}

/** Returns the offset that helps most: for an unclosed quote its start, which the library does not report. */
function getOffset(error: YAMLParseError, contents: unknown): number {
  if (!isOpenQuote(error)) return error.pos[0];
  // An unclosed quote extends to the end, so the string it opens is the last value.
  let node = contents;
  for (;;) {
    if (isPair(node)) node = node.value ?? node.key;
    else if ((isMap(node) || isSeq(node)) && node.items.length > 0) node = node.items.at(-1);
    else return isNode(node) ? (node.range?.[0] ?? error.pos[0]) : error.pos[0];
  }
}
