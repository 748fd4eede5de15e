import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Ajv, type AnySchemaObject, type Options, type ValidateFunction } from 'ajv';
import type { Plugin } from 'vite';

const ROOT = join(import.meta.dirname, '..');
const VALIDATOR_MODULE = join(ROOT, 'core/spec/authored-validator.ts');
const SCHEMA_MODULE = join(ROOT, 'core/spec/authored.ts');

/** CommonJS whose default export every module resolution mode sees differently. */
const standalone = createRequire(import.meta.url)('ajv/dist/standalone') as {
  default(ajv: Ajv, validate: ValidateFunction): string;
};

/** What the plugin needs of `core/spec/authored.ts`. */
interface SchemaModule {
  readonly authoredSchema: AnySchemaObject;
  /** The options that `core/spec/authored-validator.ts` compiles with at development time. */
  readonly authoredAjvOptions?: Options;
}

/**
 * Replaces the module that compiles the authored-shape schema at run time by the code Ajv makes of it now:
 * compiling the schema costs more than the rest of a short `engine start`, and the bundle loses Ajv.
 */
export function precompileValidators(): Plugin {
  return {
    name: 'stepwright:precompile-validators',
    async load(id) {
      if (id.replaceAll('\\', '/') !== VALIDATOR_MODULE.replaceAll('\\', '/')) return undefined;
      if (!existsSync(SCHEMA_MODULE)) return undefined;
      this.addWatchFile(SCHEMA_MODULE);
      const module = (await import(pathToFileURL(SCHEMA_MODULE).href)) as SchemaModule;
      const code = generateValidatorModule(module.authoredSchema, module.authoredAjvOptions);
      return { code, moduleType: 'js' };
    },
  };
}

/** The source of a module with the same export as `core/spec/authored-validator.ts`: `validateAuthored(value)`. */
export function generateValidatorModule(
  schema: AnySchemaObject,
  options: Options = { allErrors: true },
): string {
  const ajv = new Ajv({ ...options, code: { source: true, esm: true, lines: false } });
  const code = standalone.default(ajv, ajv.compile(schema));
  return `${importRuntime(code)}
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
