import { readFileSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';

/** One import, re-export or dynamic import in a source file. */
export interface SourceImport {
  readonly specifier: string;
  /** True for `import type` and `export type`, which do not exist at run time. */
  readonly typeOnly: boolean;
}

const STATIC_IMPORT =
  /^[ \t]*(?:import|export)\b(\s+type\b(?!\s+from\b))?(?:[^'"`;()]*?\bfrom)?\s*['"]([^'"]+)['"]/gm;
const DYNAMIC_IMPORT = /\bimport\(\s*['"]([^'"]+)['"]/g;
const WORKER_ADDRESS = /\bnew URL\(\s*['"](\.[^'"]+)['"],\s*import\.meta\.url/g;

/** Reads imports from the source text without a parser, so that the check does not share the linter's bugs. */
export function readImports(source: string): SourceImport[] {
  const text = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  const statics = [...text.matchAll(STATIC_IMPORT)].map(([, typeOnly, specifier = '']) => ({
    specifier,
    typeOnly: typeOnly !== undefined,
  }));
  const dynamics = [DYNAMIC_IMPORT, WORKER_ADDRESS]
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .map(([, specifier = '']) => ({ specifier, typeOnly: false }));
  return [...statics, ...dynamics];
}

/** Lists every TypeScript source file below `folders`, relative to `root`, with forward slashes. */
export function listSources(root: string, folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path.split(sep).join('/')}`)
      .filter((path) => /\.tsx?$/.test(path)),
  );
}

/** Returns the imports of each file, by path. */
export function readImportGraph(root: string, files: readonly string[]): Map<string, SourceImport[]> {
  return new Map(files.map((file) => [file, readImports(readFileSync(join(root, file), 'utf8'))]));
}
