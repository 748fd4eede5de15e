import { CLOCK_FILES, isWithin } from '../architecture.ts';
import { readRepositoryPath, type Rule, type RuleContext, type SyntaxNode } from './syntax.ts';

const TIMER_FUNCTIONS = new Set(['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval']);
const CLOCK_MEMBERS = new Set(['Date.now', 'process.hrtime', 'AbortSignal.timeout', 'performance.now']);
const GLOBAL_OBJECTS = new Set(['globalThis', 'window', 'self']);

/** Reports reads of the clock and timers outside the files that may use them (time is a parameter). */
export const noAmbientClock: Rule = {
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
