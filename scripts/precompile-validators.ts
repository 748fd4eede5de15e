import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Ajv, type AnySchemaObject, type ValidateFunction } from 'ajv';
import type { Plugin } from 'vite';
import { shareDefinitions } from '../core/spec/share-definitions.ts';

const ROOT = join(import.meta.dirname, '..');
const VALIDATOR_MODULE = join(ROOT, 'core/spec/authored-validator.ts');
const SCHEMA_MODULE = join(ROOT, 'core/spec/authored.ts');

/** CommonJS whose default export every module resolution mode sees differently. */
const standalone = createRequire(import.meta.url)('ajv/dist/standalone') as {
  default(ajv: Ajv, validate: ValidateFunction): string;
};

/**
 * Replaces the module that compiles the authored-shape schema at run time by the code Ajv makes of it now:
 * compiling the schema costs more than the rest of a short `engine start`, and the bundle loses Ajv.
 */
export function precompileValidators(): Plugin {
  return {
    name: 'stepwright:precompile-validators',
    async load(id) {
      if (id.replaceAll('\\', '/') !== VALIDATOR_MODULE.replaceAll('\\', '/')) return undefined;
      this.addWatchFile(SCHEMA_MODULE);
      // The time in the address gets past the module cache when the development server builds again.
      const address = `${pathToFileURL(SCHEMA_MODULE).href}?${statSync(SCHEMA_MODULE).mtimeMs}`;
      const { authoredSchema } = (await import(address)) as { authoredSchema: AnySchemaObject };
      return { code: generateValidatorModule(authoredSchema), moduleType: 'js' };
    },
  };
}

/** The source of a module with the same export as `core/spec/authored-validator.ts`: `validateAuthored(value)`. */
export function generateValidatorModule(schema: AnySchemaObject): string {
  const code = { source: true, esm: true, lines: false };
  const ajv = new Ajv({ allErrors: true, strict: false, inlineRefs: false, code });
  return `${importRuntime(standalone.default(ajv, ajv.compile(shareDefinitions(schema))))}
export function validateAuthored(value) {
  return validate(value) ? [] : validate.errors;
}
`;
}

/** Ajv's ESM output still calls `require` for its small runtime functions; a bundle has imports only. */
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
