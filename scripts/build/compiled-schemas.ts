import { join } from 'node:path';
import type { TSchema } from 'typebox';
import { Build } from 'typebox/schema';
import type { Plugin } from 'vite';
import { desktopCalls, desktopSections } from '../../core/contract/desktop-calls.ts';
import { closeInput, type Operation, type StreamOperation } from '../../core/contract/operation.ts';
import { operations, streams } from '../../core/contract/operations.ts';

const ROOT = join(import.meta.dirname, '../..').replaceAll('\\', '/');

/** Modules that compile schemas when they are loaded → their replacements. */
const MODULES: Readonly<Record<string, () => string>> = {
  [`${ROOT}/core/api/operation-rules.ts`]: formatOperationRules,
  [`${ROOT}/main/desktop-checks.ts`]: formatDesktopChecks,
};

/**
 * Replaces the modules that compile the schemas of operations and of the desktop app by the compiled schemas. Loading
 * the tables and their schema library takes longer than most commands.
 */
export const compileSchemas = (): Plugin => ({
  name: 'stepwright:compile-schemas',
  load(id) {
    const format = MODULES[id.replaceAll('\\', '/')];
    return this.meta.watchMode || format === undefined ? undefined : { code: format(), moduleType: 'js' };
  },
});

/** What the code of compiled schemas uses. */
const IMPORTS = "import { Guard } from 'typebox/guard';\nimport { Hashing } from 'typebox/system';\n";

/** Returns the source of a module with the same `operationRules` as `core/api/operation-rules.ts`. */
export function formatOperationRules(): string {
  const rules = formatMap({ ...operations, ...streams }, (entry: Operation | StreamOperation) => {
    const { role, label, audit, public: isPublic }: Partial<Operation> = entry;
    const properties = JSON.stringify({ role, label, audit, public: isPublic }).slice(1, -1);
    return `{${properties}, accepts: ${formatCheck(closeInput(entry.input))}}`;
  });
  return `${IMPORTS}export const operationRules = ${rules};\n`;
}

/** Returns the source of a module with the same exports as `main/desktop-checks.ts`. */
export function formatDesktopChecks(): string {
  const calls = formatMap(desktopCalls, ({ input }) => formatCheck(closeInput(input)));
  const settings = formatMap(desktopSections, ({ properties }) => formatMap(properties, formatCheck));
  return `${IMPORTS}export const callChecks = ${calls};\nexport const settingChecks = ${settings};\n`;
}

function formatMap<Value>(values: Readonly<Record<string, Value>>, format: (value: Value) => string): string {
  const entries = Object.entries(values).map(([name, value]) => `${JSON.stringify(name)}: ${format(value)}`);
  return `{\n${entries.join(',\n')}\n}`;
}

/** Returns the source of a function that checks a value. */
function formatCheck(schema: TSchema): string {
  const compiled = Build(schema);
  const { identifier, variables } = compiled.External();
  const patterns = variables.map((variable) => {
    if (variable instanceof RegExp) return String(variable);
    throw new Error(`a schema needs a value that cannot be written as source: ${String(variable)}`);
  });
  const body = [
    `const ${identifier} = [${patterns.join(', ')}]`,
    ...compiled.Functions(),
    `return (value) => ${compiled.Entry()}`,
  ];
  return `(() => {\n${body.join(';\n')};\n})()`;
}
