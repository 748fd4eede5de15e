import { join } from 'node:path';
import { Build } from 'typebox/schema';
import type { Plugin } from 'vite';
import { closeInput, type Operation, type StreamOperation } from '../../core/contract/operation.ts';
import { operations, streams } from '../../core/contract/operations.ts';

const MODULE = join(import.meta.dirname, '../../core/api/operation-rules.ts').replaceAll('\\', '/');

/**
 * Replaces the module that derives the rules of operations from their table by its result, with compiled schemas.
 * Loading the table and its schema library takes longer than most commands.
 */
export const compileOperationRules = (): Plugin => ({
  name: 'stepwright:operation-rules',
  load(id) {
    if (this.meta.watchMode || id.replaceAll('\\', '/') !== MODULE) return undefined;
    return { code: formatOperationRules(), moduleType: 'js' };
  },
});

/** Returns the source of a module with the same `operationRules` as `core/api/operation-rules.ts`. */
export function formatOperationRules(): string {
  const rules = Object.entries({ ...operations, ...streams }).map(([name, entry]) => formatRule(name, entry));
  return [
    "import { Guard } from 'typebox/guard';",
    "import { Hashing } from 'typebox/system';",
    `export const operationRules = {\n${rules.join(',\n')}\n};\n`,
  ].join('\n');
}

function formatRule(name: string, entry: Operation | StreamOperation): string {
  const { role, label, audit, public: isPublic }: Partial<Operation> = entry;
  const compiled = Build(closeInput(entry.input));
  const { identifier, variables } = compiled.External();
  const patterns = variables.map((variable) => {
    if (variable instanceof RegExp) return String(variable);
    throw new Error(
      `${name}: the schema needs a value that cannot be written as source: ${String(variable)}`,
    );
  });
  const body = [
    `const ${identifier} = [${patterns.join(', ')}]`,
    ...compiled.Functions(),
    `return (value) => ${compiled.Entry()}`,
  ];
  const properties = JSON.stringify({ role, label, audit, public: isPublic }).slice(1, -1);
  return `${JSON.stringify(name)}: {${properties}, accepts: (() => {\n${body.join(';\n')};\n})()}`;
}
