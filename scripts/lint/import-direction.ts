import { findImportViolation } from '../architecture.ts';
import { readRepositoryPath, type Rule, type SyntaxNode } from './syntax.ts';

/** Reports imports that the table in `scripts/architecture.ts` forbids, including type-only imports. */
export const importDirection: Rule = {
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
