import { parseSync, type Plugin, Visitor, type ESTree } from 'vite';

/** Modules of Node that are loaded before any program. */
const LOADED = new Set(['node:fs', 'node:path']);

/** `let node_net = require("node:net");`, sometimes with a line that adds a default export. */
const NODE_MODULE =
  /^let (node_\w+) = require\("(node:[a-z0-9_/]+)"\);\n(?:\1 = (\w+\.__toESM)\(\1(, 1)?\);\n)?/gm;

/**
 * Loads modules of Node when they are first used: `node:crypto` and `node:worker_threads` alone take a tenth of the
 * time of a short command.
 */
export const lazyNodeModules = (): Plugin => ({
  name: 'stepwright:lazy-node-modules',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle))
      if (chunk.type === 'chunk') chunk.code = loadOnUse(chunk.code, (message) => this.error(message));
  },
});

/**
 * Replaces the variables of Node's modules by functions.
 * @param fail is called if a variable is used in an unknown way
 */
export function loadOnUse(code: string, fail: (message: string) => never): string {
  const names: string[] = [];
  const declared = code.replace(NODE_MODULE, (lines, name: string, id: string, toEsm?: string, mode = '') => {
    if (LOADED.has(id)) return lines;
    names.push(name);
    const load = toEsm === undefined ? `require("${id}")` : `${toEsm}(require("${id}")${mode})`;
    return `let ${name}_loaded;\nconst load_${name} = () => ${name}_loaded ??= ${load};\n`;
  });
  if (names.length === 0) return code;
  const uses = new RegExp(`(?<![\\w$.])(${names.join('|')})(?![\\w$])(\\.?)`, 'g');
  return declared.replace(uses, (_use, name: string, dot: string) => {
    if (dot === '') fail(`${name} is not used like a module`);
    return `(load_${name}()).`; // Also after `new`.
  });
}

/** Modules that most commands do not need → the modules that import them. */
const POSTPONED: Readonly<Record<string, readonly string[]>> = {
  re2js: ['core/base/pattern.ts'],
  '../rules/action.ts': ['core/spec/normalize/step-draft.ts'],
  './explain-yaml-error.ts': ['core/spec/parse-yaml.ts'],
  './param-schema.ts': ['core/run/params/read-param-form.ts', 'core/run/params/run-params.ts'],
  './postgres/open-postgres.ts': ['core/store/open-store.ts'],
  './setting-edit.ts': ['core/home/config/installation-settings.ts'],
  '../config/setting-edit.ts': ['core/home/library/base-file.ts'],
  '../../edit/yaml/editable-text.ts': ['core/home/config/installation-settings.ts'],
};

/** Marks an import that is turned into a `require`. */
const MARK = '__postponed__';

/** What the bundler writes for a marked import of a chunk. */
const MARKED =
  /__postponed__\(Promise\.resolve\(\)\.then\(\(\) => (require\("[^"]+"\))\)(?:\.then\(\(n\) => n(\.\w+)\))?\)/g;

/**
 * Loads large modules that few commands need when they are first used. They become chunks, like those of `import()`,
 * but their importers use them synchronously.
 */
export const postponeImports = (): Plugin => ({
  name: 'stepwright:postpone-imports',
  enforce: 'post',
  transform(code, id) {
    const file = id.replaceAll('\\', '/');
    const specifiers = Object.keys(POSTPONED).filter((specifier) =>
      POSTPONED[specifier]!.some((importer) => file.endsWith(`/${importer}`)),
    );
    const postponed = specifiers.reduce((text, specifier) => postpone(text, specifier), code);
    return specifiers.length === 0 ? undefined : { code: postponed, map: null };
  },
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue;
      chunk.code = chunk.code.replace(MARKED, (_import, load: string, names = '') => `${load}${names}`);
      if (chunk.code.includes(MARK))
        this.error(`${chunk.fileName} contains a postponed import of its own modules`);
    }
  },
});

/**
 * Replaces an import declaration, and each use of its names.
 * @throws when the module does not import names from there
 */
export function postpone(code: string, specifier: string): string {
  const declaration = new RegExp(`^import \\{([^}]+)\\} from (["'])${RegExp.escape(specifier)}\\2;?$`, 'm');
  const found = declaration.exec(code);
  if (found === null) throw new Error(`there is no import of ${specifier} to postpone`);
  const load = `load_${specifier.replaceAll(/\W/g, '_')}`;
  const names = new Map(
    found[1]!.split(',').map((part) => {
      const [imported = '', local = imported] = part.trim().split(' as ');
      return [local, imported];
    }),
  );
  const uses = new RegExp(`(?<![\\w$.])(${[...names.keys()].join('|')})(?![\\w$])`, 'g');
  const body = code
    .replace(declaration, '')
    .replace(uses, (_use, name: string) => `(${load}().${names.get(name)})`);
  return `let ${load}_loaded;\nconst ${load} = () => ${load}_loaded ??= ${MARK}(import(${JSON.stringify(specifier)}));\n${body}`;
}

/** The file of better-sqlite3 that loads its native module, relative to which it looks for that. */
const LOADS_BINDING = "require('./binding').getBinding";

/**
 * Bundles better-sqlite3 except for what loads its native module: its fifteen files are small, and each takes half a
 * millisecond to find and compile.
 */
export const bundleSqlite = (): Plugin => ({
  name: 'stepwright:bundle-sqlite',
  transform: {
    filter: { id: /[\\/]better-sqlite3[\\/]lib[\\/]index\.js$/ },
    handler(code) {
      if (!code.includes(LOADS_BINDING))
        this.error('better-sqlite3 does not load its native module as it did');
      return { code: code.replace(LOADS_BINDING, 'getBinding') + GET_BINDING, map: null };
    },
  },
});

/** Node's own search for the package would also read its package.json, and look for its main file. */
const GET_BINDING = `
function getBinding(nativeBinding) {
  const nodeRequire = require('node:module').createRequire(__filename);
  const { existsSync } = require('node:fs');
  const places = nodeRequire.resolve.paths('better-sqlite3').map((folder) => folder + '/better-sqlite3/lib/binding.js');
  return nodeRequire(places.find((place) => existsSync(place))).getBinding(nativeBinding);
}
`;

/** `Object.defineProperty(exports, "name", …)` with a function that returns a variable. */
const LIVE_EXPORT =
  /^Object\.defineProperty\(exports, ("[^"]+"), \{\n\tenumerable: true,\n\tget: function\(\) \{\n\t\treturn (\w+);\n\t\}\n\}\);$/gm;

/**
 * Exports variables that are assigned once as values: a chunk has hundreds of exports, and a function for each of
 * them is a twentieth of its compiled code.
 */
export const plainExports = (): Plugin => ({
  name: 'stepwright:plain-exports',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle))
      if (chunk.type === 'chunk') chunk.code = exportValues(chunk.code);
  },
});

/** Replaces functions that return exported variables by the values, unless the variables change. */
export function exportValues(code: string): string {
  const changed = findAssigned(code);
  return code.replace(LIVE_EXPORT, (lines, name: string, variable: string) =>
    changed.has(variable) ? lines : `exports[${name}] = ${variable};`,
  );
}

/** The names that are assigned outside of declarations, in any scope. */
function findAssigned(code: string): ReadonlySet<string> {
  const names = new Set<string>();
  const add = (target: ESTree.Node | null): void => {
    if (target === null) return;
    if (target.type === 'Identifier') names.add(target.name);
    else if (target.type === 'ArrayPattern') for (const element of target.elements) add(element);
    else if (target.type === 'ObjectPattern')
      for (const property of target.properties)
        add(property.type === 'Property' ? property.value : property.argument);
    else if (target.type === 'AssignmentPattern') add(target.left);
    else if (target.type === 'RestElement') add(target.argument);
  };
  const visitor = new Visitor({
    AssignmentExpression: ({ left }) => add(left),
    UpdateExpression: ({ argument }) => add(argument),
    ForInStatement: ({ left }) => add(left),
    ForOfStatement: ({ left }) => add(left),
  });
  visitor.visit(parseSync('chunk.js', code).program);
  return names;
}
