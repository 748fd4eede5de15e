import { findImportViolation, CLOCK_FILES, isWithin } from '../layers.ts';

/** The parts of oxlint's rule API and syntax tree that the rules use. */

interface SyntaxNode {
  readonly type: string;
  readonly name?: string;
  readonly value?: unknown;
  readonly source?: SyntaxNode | null;
  readonly callee?: SyntaxNode;
  readonly arguments?: readonly SyntaxNode[];
  readonly object?: SyntaxNode;
  readonly property?: SyntaxNode;
}

interface RuleContext {
  /** Absolute path of the linted file. */
  readonly physicalFilename: string;
  /** The linter's working directory: the repository root. */
  readonly cwd: string;
  readonly sourceCode: { isGlobalReference(node: SyntaxNode): boolean };
  report(finding: { node: SyntaxNode; message: string }): void;
}

interface Rule {
  create(context: RuleContext): Record<string, (node: SyntaxNode) => void>;
}

/** Returns the path of the linted file relative to the repository root, with forward slashes. */
function readRepositoryPath(context: RuleContext): string {
  return context.physicalFilename.slice(context.cwd.length + 1).replaceAll('\\', '/');
}

/** Reports imports that the table in `scripts/layers.ts` forbids, including type-only imports. */
const importDirection: Rule = {
  create(context) {
    const file = readRepositoryPath(context);
    const check = (node: SyntaxNode): void => {
      const specifier = node.source?.value;
      if (typeof specifier !== 'string') return;
      const message = findImportViolation(file, specifier);
      if (message) context.report({ node: node.source ?? node, message });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    };
  },
};

const TIMER_FUNCTIONS = new Set(['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval']);
const CLOCK_MEMBERS = new Set(['Date.now', 'process.hrtime', 'AbortSignal.timeout', 'performance.now']);
const GLOBAL_OBJECTS = new Set(['globalThis', 'window', 'self']);

/** Reports reads of the clock and timers outside the files that may use them (time is a parameter). */
const noAmbientClock: Rule = {
  create(context): ReturnType<Rule['create']> {
    const file = readRepositoryPath(context);
    if (CLOCK_FILES.some((path) => isWithin(file, path))) return {};
    const report = (node: SyntaxNode, what: string): void =>
      context.report({
        node,
        message: `${what} is out of reach here: take a Clock (core/base/clock.ts) as an argument`,
      });
    return {
      Identifier(node) {
        if (TIMER_FUNCTIONS.has(node.name ?? '') && isGlobal(context, node)) report(node, `${node.name}()`);
      },
      MemberExpression(node) {
        const what = findClockMember(context, node);
        if (what) report(node, what);
      },
      NewExpression(node) {
        if (isDate(context, node) && node.arguments?.length === 0) report(node, 'new Date()');
      },
      CallExpression(node) {
        if (isDate(context, node)) report(node, 'Date()');
      },
    };
  },
};

function isGlobal(context: RuleContext, node: SyntaxNode): boolean {
  return context.sourceCode.isGlobalReference(node);
}

function isDate(context: RuleContext, { callee }: SyntaxNode): boolean {
  return callee?.type === 'Identifier' && callee.name === 'Date' && isGlobal(context, callee);
}

function findClockMember(context: RuleContext, node: SyntaxNode): string | undefined {
  const { object, property } = node;
  if (object?.type !== 'Identifier' || !property?.name || !isGlobal(context, object)) return undefined;
  const isTimer = GLOBAL_OBJECTS.has(object.name ?? '') && TIMER_FUNCTIONS.has(property.name);
  const path = `${object.name}.${property.name}`;
  return isTimer || CLOCK_MEMBERS.has(path) ? path : undefined;
}

/** The project's own lint rules, loaded by `oxlint.config.ts`. */
const plugin = {
  meta: { name: 'stepwright' },
  rules: { 'import-direction': importDirection, 'no-ambient-clock': noAmbientClock },
};

export default plugin;
