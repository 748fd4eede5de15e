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
 * @throws when the module does not import names from there, or declares one of them again
 */
export function postpone(code: string, specifier: string): string {
  const { program } = parseSync('module.js', code);
  const declaration = program.body.find(
    (node) => node.type === 'ImportDeclaration' && node.source.value === specifier,
  );
  const names = declaration?.type === 'ImportDeclaration' && readNames(declaration);
  if (!declaration || !names) throw new Error(`there is no import of ${specifier} to postpone`);
  const load = `load_${specifier.replaceAll(/\W/g, '_')}`;
  const edits = [{ start: declaration.start, end: declaration.end, text: '' }];
  for (const { start, end, name, isShorthand } of findUses(program, names)) {
    const use = `(${load}().${names.get(name)})`;
    if (start > declaration.end) edits.push({ start, end, text: isShorthand ? `${name}: ${use}` : use });
  }
  const body = edits
    .toSorted((first, second) => second.start - first.start)
    .reduce((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end), code);
  return `let ${load}_loaded;\nconst ${load} = () => ${load}_loaded ??= ${MARK}(import(${JSON.stringify(specifier)}));\n${body}`;
}

/** The local names of an import → the imported ones; undefined if it also imports the whole module or its default. */
function readNames({ specifiers }: ESTree.ImportDeclaration): ReadonlyMap<string, string> | undefined {
  const names = new Map<string, string>();
  for (const each of specifiers) {
    if (each.type !== 'ImportSpecifier' || each.imported.type !== 'Identifier') return undefined;
    names.set(each.local.name, each.imported.name);
  }
  return names;
}

interface NameUse {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  /** Whether it is both the key and the value of a property. */
  readonly isShorthand: boolean;
}

/**
 * Returns where a module reads imported names.
 * @throws when it declares a variable or parameter of such a name, which could hide the import
 */
function findUses(program: ESTree.Program, names: ReadonlyMap<string, string>): readonly NameUse[] {
  const uses = new Map<number, NameUse>();
  const keys = new Set<number>();
  const shorthands = new Set<number>();
  const declare = (pattern: ESTree.Node | null): void => {
    for (const name of listTargets(pattern))
      if (names.has(name)) throw new Error(`the postponed import ${name} is declared again`);
  };
  const declareFunction = ({ id, params }: ESTree.Function): void => {
    declare(id);
    for (const param of params) declare(param);
  };
  const skipKey = ({ computed, key }: ESTree.MethodDefinition | ESTree.PropertyDefinition): void => {
    if (!computed) keys.add(key.start);
  };
  new Visitor({
    Identifier: ({ start, end, name }) => {
      if (names.has(name)) uses.set(start, { start, end, name, isShorthand: false });
    },
    MemberExpression: ({ computed, property }) => {
      if (!computed) keys.add(property.start);
    },
    Property: ({ shorthand, computed, key }) => {
      if (shorthand) shorthands.add(key.start);
      else if (!computed) keys.add(key.start);
    },
    MethodDefinition: skipKey,
    PropertyDefinition: skipKey,
    VariableDeclarator: ({ id }) => declare(id),
    FunctionDeclaration: declareFunction,
    FunctionExpression: declareFunction,
    ArrowFunctionExpression: ({ params }) => params.forEach(declare),
    ClassDeclaration: ({ id }) => declare(id),
    ClassExpression: ({ id }) => declare(id),
    CatchClause: ({ param }) => declare(param),
  }).visit(program);
  return [...uses.values()]
    .filter(({ start }) => !keys.has(start))
    .map((use) => ({ ...use, isShorthand: shorthands.has(use.start) }));
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
  const add = (target: ESTree.Node): void => {
    for (const name of listTargets(target)) names.add(name);
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

/** The variables to which a pattern assigns, or which it declares. */
function listTargets(target: ESTree.Node | null): readonly string[] {
  switch (target?.type) {
    case 'Identifier':
      return [target.name];
    case 'ArrayPattern':
      return target.elements.flatMap(listTargets);
    case 'ObjectPattern':
      return target.properties.flatMap(listTargets);
    case 'Property':
      return listTargets(target.value);
    case 'AssignmentPattern':
      return listTargets(target.left);
    case 'RestElement':
      return listTargets(target.argument);
    default:
      return [];
  }
}
