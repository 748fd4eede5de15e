/** The parts of oxlint's rule API and syntax tree that the rules use. */

export interface SyntaxNode {
  readonly type: string;
  readonly name?: string;
  readonly value?: unknown;
  readonly source?: SyntaxNode | null;
  readonly callee?: SyntaxNode;
  readonly arguments?: readonly SyntaxNode[];
  readonly object?: SyntaxNode;
  readonly property?: SyntaxNode;
}

export interface RuleContext {
  /** Absolute path of the linted file. */
  readonly physicalFilename: string;
  /** The linter's working directory: the repository root. */
  readonly cwd: string;
  readonly sourceCode: { isGlobalReference(node: SyntaxNode): boolean };
  report(finding: { node: SyntaxNode; message: string }): void;
}

export interface Rule {
  create(context: RuleContext): Record<string, (node: SyntaxNode) => void>;
}

/** Returns the path of the linted file relative to the repository root, with forward slashes. */
export function readRepositoryPath(context: RuleContext): string {
  return context.physicalFilename.slice(context.cwd.length + 1).replaceAll('\\', '/');
}
