import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readFile } from 'node:fs/promises';
import { Ajv, type AnySchemaObject, type ValidateFunction } from 'ajv';
import { type Plugin, normalizePath, type Rolldown } from 'vite';
import { extractDefinitions } from '../../core/spec/share-definitions.ts';
import { homeFileSchemas } from '../../core/contract/home-files.ts';
import { operationLabels, routes, streamRoutes } from '../../core/contract/routes.ts';

const ROOT = join(import.meta.dirname, '../..');
const VALIDATOR_MODULE = join(ROOT, 'core/spec/authored-validator.ts');
const HOME_FILES_MODULE = join(ROOT, 'core/store/home-file-validator.ts');
const KEYS_MODULE = join(ROOT, 'core/spec/authored-keys.ts');
const SCHEMA_MODULE = join(ROOT, 'core/spec/authored.ts');

/** CommonJS whose default export each module resolution mode sees differently. */
const standalone = createRequire(import.meta.url)('ajv/dist/standalone') as {
  default(ajv: Ajv, validates: ValidateFunction | Readonly<Record<string, string>>): string;
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
      if (isSamePath(id, HOME_FILES_MODULE))
        return { code: generateHomeFileModule(homeFileSchemas), moduleType: 'js' };
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

const isSamePath = (a: string, b: string): boolean => a.replaceAll('\\', '/') === b.replaceAll('\\', '/');

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

/** Returns the source of a module with the same export as `core/store/home-file-validator.ts`. */
export function generateHomeFileModule(schemas: Readonly<Record<string, AnySchemaObject>>): string {
  const kinds = Object.keys(schemas);
  const ajv = new Ajv({ strict: false, schemas: { ...schemas }, code: { source: true, esm: true } });
  const exports = Object.fromEntries(kinds.map((kind) => [kind, kind]));
  return `${importRuntime(standalone.default(ajv, exports))}
const validators = { ${kinds.join(', ')} };
export function validateHomeFile(kind, content) {
  return validators[kind](content) ? undefined : validators[kind].errors[0];
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

/**
 * Escapes all non-ASCII characters: V8 parses plain ASCII several times faster and stores it in half the
 * memory. They only occur in strings, templates and regular expressions, where an escape is equivalent.
 */
export const escapeNonAscii = (): Plugin => ({
  name: 'stepwright:ascii-only',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle))
      if (chunk.type === 'chunk') chunk.code = escapeOthers(chunk.code);
  },
});

const escapeOthers = (code: string): string =>
  code.replaceAll(
    /[^\0-\x7f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Messages of one language in a package of React Aria, next to the English ones. */
const OTHER_LANGUAGE =
  /[\\/]node_modules[\\/]react-(?:aria|stately)[^\\/]*[\\/].*[\\/]intl[\\/](?:.*[\\/])?(?!en-US\.)[a-z]{2}-[A-Z]{2}\.mjs$/;

/**
 * Uses React Aria's English messages for every locale, like all other texts of the window: the thirty
 * translations would be a tenth of the initial load.
 */
export const englishMessagesOnly = (): Plugin => ({
  name: 'stepwright:english-only',
  apply: 'build',
  load: {
    filter: { id: OTHER_LANGUAGE },
    handler: () => `export { default } from './en-US.mjs';`,
  },
});

/** Files of ssh2 that read their directory; they only need it for a Pageant program on Windows. */
const ssh2Files = /[\\/]ssh2[\\/]lib[\\/](?:agent|protocol[\\/]crypto[\\/]poly1305)\.js$/;

/** ES modules have no `__dirname`; if a bundled module only reads it, any directory will do. */
export const replaceDirname = (): Plugin => ({
  name: 'replace-dirname',
  transform: {
    filter: { id: ssh2Files },
    handler: (code) => ({ code: code.replaceAll('__dirname', '"."'), map: null }),
  },
});

/** Modules that their importers use only in ways that the engine does not. */
const UNUSED: readonly (readonly [by: RegExp, name: string])[] = [
  // Compilers of Fastify's own schemas, which no route uses (core/http/json-bodies.ts).
  [/[\\/]fastify[\\/]lib[\\/]schema-controller\.js$/, '@fastify/ajv-compiler'],
  [/[\\/]fastify[\\/]lib[\\/]schema-controller\.js$/, '@fastify/fast-json-stringify-compiler'],
  // For file lists created in advance (core/http/server.ts does not use them).
  [/[\\/]@fastify[\\/]static[\\/]index\.js$/, 'glob'],
];

/** The same for executable subcommands; Node modules are not modules of the bundler. */
const COMMANDER = /[\\/]commander[\\/]lib[\\/]command\.js$/;
const STARTS_PROGRAMS = "import childProcess from 'node:child_process';";

/** Removes unused modules: saves half a megabyte of server code and a millisecond per command. */
export const excludeModules = (): Plugin => ({
  name: 'stepwright:leave-out',
  enforce: 'pre',
  resolveId: (id, importer = '') =>
    UNUSED.some(([by, name]) => name === id && by.test(importer)) ? `\0left-out:${id}` : undefined,
  load: {
    filter: { id: /^\0left-out:/ },
    handler: () => 'export default {};',
  },
  transform: {
    filter: { id: COMMANDER },
    handler(code) {
      if (!code.includes(STARTS_PROGRAMS)) this.error('commander does not start programs as it did');
      return { code: code.replace(STARTS_PROGRAMS, 'const childProcess = {};'), map: null };
    },
  },
});

interface Example {
  readonly action?: string;
}

interface EventExamples {
  readonly name: string;
  readonly examples: readonly Example[];
}

const FILE = 'webhooks-examples/api.github.com/index.json';

const SHARED_EXAMPLES = join(ROOT, 'out/webhook-examples.json');

/**
 * Keeps only the shortest example of each event and action, half of the published ones, in one file next to the
 * programs, which read it when they need it.
 */
export function shareExamples(): Plugin {
  return {
    name: 'stepwright:share-examples',
    async load(id) {
      if (!id.replaceAll('\\', '/').endsWith(FILE)) return undefined;
      const events = JSON.parse(await readFile(id, 'utf8')) as readonly EventExamples[];
      mkdirSync(dirname(SHARED_EXAMPLES), { recursive: true });
      writeFileSync(SHARED_EXAMPLES, JSON.stringify(events.map(shorten)));
      const code = [
        "import { readFileSync } from 'node:fs';",
        "import { dirname, join } from 'node:path';",
        "export default JSON.parse(readFileSync(join(import.meta.dirname, '../webhook-examples.json'), 'utf8'));",
      ];
      return { code: code.join('\n'), moduleType: 'js' };
    },
  };
}

function shorten({ name, examples }: EventExamples): EventExamples {
  const shortest = new Map<string, Example>();
  for (const example of examples) {
    const { action = '' } = example;
    const shortestExample = shortest.get(action);
    if (shortestExample === undefined || getLength(example) < getLength(shortestExample))
      shortest.set(action, example);
  }
  return { name, examples: [...shortest.values()] };
}

const getLength = (example: Example): number => JSON.stringify(example).length;

const ROUTES_MODULE = join(import.meta.dirname, '../../core/contract/routes.ts').replaceAll('\\', '/');

/**
 * Replaces the module that derives the routes from the table of operations by its result: the shapes and their
 * schema library would be nine tenths of a client. Not in a watching build, where the table may change.
 */
export const routeTable = (): Plugin => ({
  name: 'stepwright:route-table',
  apply: 'build',
  load(id) {
    if (this.meta.watchMode || id.replaceAll('\\', '/') !== ROUTES_MODULE) return undefined;
    return { code: formatRouteTable(), moduleType: 'js' };
  },
});

/** Returns the source of a module with the same exports as `core/contract/routes.ts`. */
export function formatRouteTable(): string {
  const operations = mapValues(routes, ({ method, version, path, role }) => ({
    method,
    version,
    path,
    role,
  }));
  const streams = mapValues(streamRoutes, ({ path }) => ({ path }));
  return `export const routes = ${JSON.stringify(operations)};\nexport const streamRoutes = ${JSON.stringify(streams)};\nexport const operationLabels = ${JSON.stringify(operationLabels)};`;
}

const mapValues = <Value, Kept>(
  table: Readonly<Record<string, Value>>,
  keep: (value: Value) => Kept,
): Record<string, Kept> =>
  Object.fromEntries(Object.entries(table).map(([name, value]) => [name, keep(value)]));

/**
 * Chunk name → its first modules, in load order: each module, with all of its static imports that are not in an
 * earlier chunk.
 */
type ChunkGroups = Readonly<Record<string, readonly string[]>>;

/**
 * By default the bundler creates ninety files for `engine start`, each of which costs Node half a millisecond.
 */
const cliChunkGroups: ChunkGroups = {
  supervisor: ['core/process/supervisor/supervisor-link.ts'],
  command: [
    'core/cli/program.ts',
    'core/cli/groups/run-commands.ts',
    'core/cli/commands/start.ts',
    // Shared by the engine and commands on a server: with these, a command does not load the engine.
    'core/cli/arguments.ts',
    'core/cli/host/engine-client.ts',
    'core/cli/host/server-requests.ts',
    'core/cli/command-context.ts',
    'core/cli/signals.ts',
    'core/contract/transport.ts',
    'core/contract/operation.ts',
    'core/model/executor-tables.ts',
    'core/model/executor-config.ts',
    'core/model/workflow-rules.ts',
    'core/model/queue.ts',
    'core/model/quote.ts',
    'core/model/fire-time.ts',
    'core/spec/params.ts',
    'core/base/wait.ts',
  ],
  remote: ['core/cli/host/connect-to-server.ts'],
  engine: ['core/engine.ts', 'core/cli/host/local-engine.ts'],
  api: ['core/api/dispatch.ts'],
  // Shared by a server and the commands for the users of a home directory.
  shapes: ['core/contract/accounts.ts', 'core/contract/webhook-views.ts'],
  auth: ['core/api/auth/auth.ts'],
};

/** By default there are seventy files for the first page of the window, each a request. */
const windowChunkGroups: ChunkGroups = {
  shell: ['renderer/main.tsx'],
  // Shared with pages that parse workflow files: with this, the editor loads the parser only in its worker.
  outline: ['core/edit/outline.ts', 'core/edit/steps/check-connection.ts'],
};

/** Groups the modules of the command line into few files. */
export const cliChunks = (): Plugin => groupIntoChunks(cliChunkGroups);

/** Groups the modules of the window's first page into few files. */
export const windowChunks = (): Plugin => groupIntoChunks(windowChunkGroups);

type ModuleGraph = Pick<Rolldown.ChunkingContext, 'getModuleInfo'>;

/**
 * Groups the modules of each chunk into one file; all others are chunked by default: one file per set of
 * modules that several entries share.
 */
function groupIntoChunks(pieces: ChunkGroups): Plugin {
  let chunkByModule: ReadonlyMap<string, string> | undefined;
  return {
    name: 'stepwright:pieces',
    // The module graph of a watching build changes.
    buildStart: () => void (chunkByModule = undefined),
    outputOptions: (options) => ({
      ...options,
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [
          {
            debugName: 'pieces',
            name: (id, graph) => (chunkByModule ??= divide(pieces, graph)).get(id) ?? null,
          },
        ],
      },
    }),
  };
}

function divide(pieces: ChunkGroups, graph: ModuleGraph): Map<string, string> {
  const chunkByModule = new Map<string, string>();
  for (const [piece, files] of Object.entries(pieces)) {
    const waiting = files.map((file) => normalizePath(join(ROOT, file)));
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (chunkByModule.has(id)) continue;
      chunkByModule.set(id, piece);
      waiting.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
    }
  }
  return chunkByModule;
}
