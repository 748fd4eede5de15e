import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Ajv, type AnySchemaObject, type ValidateFunction } from 'ajv';
import type { Plugin } from 'vite';
import { extractDefinitions } from '../core/spec/share-definitions.ts';

const ROOT = join(import.meta.dirname, '..');
const VALIDATOR_MODULE = join(ROOT, 'core/spec/authored-validator.ts');
const KEYS_MODULE = join(ROOT, 'core/spec/authored-keys.ts');
const SCHEMA_MODULE = join(ROOT, 'core/spec/authored.ts');

/** CommonJS whose default export each module resolution mode sees differently. */
const standalone = createRequire(import.meta.url)('ajv/dist/standalone') as {
  default(ajv: Ajv, validate: ValidateFunction): string;
};

interface AuthoredModule {
  readonly authoredSchema: AnySchemaObject;
  readonly authoredKeys: Readonly<Record<string, readonly string[]>>;
}

/**
 * Replaces the modules that use the authored-shape schema at run time by their results: the code that Ajv
 * generates from the schema, and the lists of its keys. Compiling the schema costs more than the rest of a
 * short `engine start`, and the bundle needs neither Ajv nor the schema.
 */
export function precompileValidators(): Plugin {
  return {
    name: 'stepwright:precompile-validators',
    async load(id) {
      const isValidator = isSamePath(id, VALIDATOR_MODULE);
      if (!isValidator && !isSamePath(id, KEYS_MODULE)) return undefined;
      this.addWatchFile(SCHEMA_MODULE);
      // The timestamp in the URL bypasses the module cache when the development server rebuilds.
      const address = `${pathToFileURL(SCHEMA_MODULE).href}?${statSync(SCHEMA_MODULE).mtimeMs}`;
      const { authoredSchema, authoredKeys } = (await import(address)) as AuthoredModule;
      const code = isValidator
        ? generateValidatorModule(authoredSchema)
        : `export const authoredKeys = ${JSON.stringify(authoredKeys)};`;
      return { code, moduleType: 'js' };
    },
  };
}

const isSamePath = (left: string, right: string): boolean =>
  left.replaceAll('\\', '/') === right.replaceAll('\\', '/');

/**
 * Returns the source of a module with the same export as `core/spec/authored-validator.ts`:
 * `validateAuthored(value)`.
 */
export function generateValidatorModule(schema: AnySchemaObject): string {
  const code = { source: true, esm: true, lines: false };
  const ajv = new Ajv({ allErrors: true, strict: false, inlineRefs: false, code });
  return `${importRuntime(standalone.default(ajv, ajv.compile(extractDefinitions(schema))))}
export function validateAuthored(value) {
  return validate(value) ? [] : validate.errors;
}
`;
}

/** Ajv's ESM output still calls `require` for its runtime functions; a bundle has only imports. */
function importRuntime(code: string): string {
  const imports: string[] = [];
  const body = code.replace(/require\("([^"]+)"\)\.default/g, (_, path: string) => {
    const name = `runtime${imports.length}`;
    imports.push(`import ${name} from ${JSON.stringify(path.endsWith('.js') ? path : `${path}.js`)};`);
    return `(${name}.default ?? ${name})`;
  });
  if (body.includes('require('))
    throw new Error('the validator needs a module that precompile-validators cannot import');
  return `${imports.join('\n')}\n${body}`;
}
