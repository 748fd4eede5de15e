import { type ESTree, parseSync, Visitor } from 'vite';

/** A string that users read. */
export interface UserText {
  /** From 1. */
  readonly line: number;
  /** On one line; `…` represents each interpolated value. */
  readonly text: string;
}

/** Attributes and properties whose strings are code, regardless of their contents. */
const CODE_NAMES =
  /^(className|class|id|key|d|viewBox|transform|points|style|type|sql|href|src|pattern|query|selector|test|rel|as|role|accept|autoComplete|content-security-policy|font|mask|mode|name|htmlFor|data-.*)$/i;

/** Calls whose string arguments are code. */
const CODE_CALLS =
  /(^|\.)(RegExp|require|import|querySelector(All)?|closest|matches|execute|prepare|failPoint|getContext)$/;

/** SQL, CSS classes, paths, header values, media types and similar. */
const CODE =
  /^\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|PRAGMA|WITH|SET|FROM|WHERE|AND|OR|ORDER BY|LIMIT|JOIN|LEFT JOIN|VALUES|RETURNING|ON CONFLICT|LISTEN|NOTIFY|GRANT|REVOKE|DECLARE|FETCH|COPY|PREPARE|EXECUTE|ANALYZE|VACUUM|LOCK)\b[\s\S]*|^[\w.-]+\/[\w.+-]+(;.*)?$|^[-a-z0-9:[\]()/.%]+( [-a-z0-9:[\]()/.%]+)+$/;

/** A word of at least two letters next to another word or a punctuation mark. */
const SENTENCE = /[A-Za-z]{2,}[^A-Za-z]*\s+[^\s]|^[A-Z][a-z]+( [a-z]+)*[.!?…]?$/;

/** Finds the strings of a source file that users read: JSX texts, and strings with natural language. */
export function readTexts(file: string, source: string): UserText[] {
  const found: { readonly start: number; readonly text: string }[] = [];
  const skipped = new Set<number>();
  const skip = (node: { readonly start: number } | null | undefined): void => {
    if (node) skipped.add(node.start);
  };
  const add = (start: number, raw: string): void => {
    const text = raw.replaceAll(/\s+/g, ' ').trim();
    if (!skipped.has(start) && SENTENCE.test(text) && !CODE.test(text)) found.push({ start, text });
  };
  new Visitor({
    ImportDeclaration: ({ source: from }) => skip(from),
    ImportExpression: ({ source: from }) => skip(from),
    TSLiteralType: ({ literal }) => skip(literal),
    Property: ({ key, value }) => {
      skip(key);
      if (CODE_NAMES.test(getName(key))) skip(value);
    },
    JSXAttribute: ({ name, value }) => {
      if (name.type === 'JSXIdentifier' && CODE_NAMES.test(name.name)) skip(value);
    },
    BinaryExpression: ({ left, right, operator }) => {
      if (operator !== '===' && operator !== '!==') return;
      skip(left);
      skip(right);
    },
    SwitchCase: ({ test }) => skip(test),
    TaggedTemplateExpression: ({ quasi }) => skip(quasi),
    CallExpression: ({ callee, arguments: values }) => {
      if (CODE_CALLS.test(source.slice(callee.start, callee.end))) for (const value of values) skip(value);
    },
    NewExpression: ({ callee, arguments: values }) => {
      if (CODE_CALLS.test(source.slice(callee.start, callee.end))) for (const value of values) skip(value);
    },
    JSXText: ({ start, value }) => {
      if (/[A-Za-z]{2}/.test(value))
        found.push({ start: start + value.search(/\S/), text: value.replaceAll(/\s+/g, ' ').trim() });
    },
    Literal: (node) => {
      if (typeof node.value === 'string') add(node.start, node.value);
    },
    TemplateLiteral: ({ start, quasis }) =>
      add(start, quasis.map(({ value }) => value.cooked ?? value.raw).join('…')),
  }).visit(parseSync(file, source).program);
  return found
    .toSorted((left, right) => left.start - right.start)
    .map(({ start, text }) => ({ line: source.slice(0, start).split('\n').length, text }));
}

const getName = (key: ESTree.PropertyKey): string =>
  key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : '';
