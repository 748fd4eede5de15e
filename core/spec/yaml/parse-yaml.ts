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
import { MAX_DEPTH, MAX_DIAGNOSTICS, MAX_DOCUMENTS, MAX_STEPS, MAX_TOKENS } from '../limits.ts';
import { normalizeLineEnds } from '../source/line-map.ts';
import type { Report } from '../source/report.ts';
import type { SourceNode } from '../source/source-node.ts';
import { buildNodes } from './build-nodes.ts';
import { explainYamlError, isOpenQuote } from './explain-yaml-error.ts';

/** Mistakes of the token stream after which the rest of a file is not read. */
const MAX_STREAM_ERRORS = 20;

/** Mistakes of the documents after which further ones are not recorded, and no further document is read. */
const MAX_COMPOSE_ERRORS = 1000;

/**
 * Reads YAML 1.2 (with merge keys) into one node tree per document; documents without a value are left out.
 *
 * The text is read token by token, and reading stops at the first limit passed: the library's own calls
 * would compose a deep or endless file before anybody could look at it. Work is linear in the text.
 * @param parsed the documents of this text, when somebody has them; an empty list for a text that is no YAML
 * @returns undefined when the text is no YAML or passes a limit; `report` then says why
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
 * The documents as the library sees them, those without a value too, within the same limits.
 * @param options `keepSourceTokens`: whether each node keeps the tokens it was read from
 * @returns undefined when the text is no YAML or passes a limit; `report` then says why
 */
export function parseDocuments(
  text: string,
  report: Report,
  options: { readonly keepSourceTokens?: boolean },
): Document.Parsed[] | undefined {
  const source = normalizeLineEnds(text);
  const documents = readDocuments(source, report, options.keepSourceTokens ?? false);
  return documents === undefined || reportSyntax(documents, source, report) ? undefined : documents;
}

function readDocuments(
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

/** @param mistakes counts errors and warnings, those that are not recorded too */
function createComposer(keepSourceTokens: boolean, mistakes: { count: number }): Composer {
  const composer = new Composer({
    keepSourceTokens,
    prettyErrors: false,
    // The library compares each key with all others before it; build-nodes looks them up.
    uniqueKeys: false,
    stringKeys: true,
    resolveKnownTags: false,
    logLevel: 'silent',
  });
  // Each error carries a stack trace. A file of punctuation has millions of them, and one is shown.
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
  // The exact number is counted later: a list that is being read may have an item more than it will have.
  if (countItems(stack[2]) > MAX_STEPS + 100 && isSteps(stack[1])) {
    return `The file has more than ${MAX_STEPS.toLocaleString('en-US')} steps. Split it into sub-workflows.`;
  }
  // Below the lists and maps there is the document; a scalar that is being read is above them.
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

/** Reports the first mistake of each document; later ones are mostly its consequences. */
function reportSyntax(documents: readonly Document.Parsed[], text: string, report: Report): boolean {
  let failures = 0;
  for (const { errors, warnings, contents, range } of documents) {
    const source = { text, documentStart: range[0], lines: report.lines };
    const first = errors.toSorted((a, b) => a.pos[0] - b.pos[0])[0];
    if (first && failures > MAX_DIAGNOSTICS) break;
    if (first) {
      failures += 1;
      const at = offsetOf(first, contents);
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

/** Where a person finds the mistake: for an open quote its beginning, which the library does not tell. */
function offsetOf(error: YAMLParseError, contents: unknown): number {
  if (!isOpenQuote(error)) return error.pos[0];
  // What an open quote swallows reaches to the end, so the text it opens is the last value.
  let node = contents;
  for (;;) {
    if (isPair(node)) node = node.value ?? node.key;
    else if ((isMap(node) || isSeq(node)) && node.items.length > 0) node = node.items.at(-1);
    else return isNode(node) ? (node.range?.[0] ?? error.pos[0]) : error.pos[0];
  }
}
