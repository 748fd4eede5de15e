import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import type { Plugin } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { configureNodeBuild, NODE_PROGRAMS } from '../../../scripts/build/node-programs.ts';

const ROOT = join(import.meta.dirname, '../../..');
const FOLDER = join(ROOT, 'node_modules/.cache/stepwright-programs');

/** Files that start a program next to them: `new URL('./NAME.ts', import.meta.url)`. */
const STARTERS: readonly string[] = [
  'core/process/supervisor/supervisor-link.ts',
  'core/executors/jq/jq-pool.ts',
  'core/run/logs/log-searches.ts',
  'core/process/threads/match-lines.ts',
  'core/run/params/param-schema.ts',
  'core/api/quotes/quotes.ts',
  'core/gateway/database/engine-worker.ts',
  'core/gateway/query/body-reader.ts',
  'core/process/watchdog/watchdog.ts',
].map((file) => join(ROOT, file));

/**
 * Vite plugin of the tests: child programs of engines are started as built instead of from sources, which
 * takes Node five times as long, and nearly every test of a run starts one. Each is bundled when first
 * needed.
 */
export function bundledPrograms(): Plugin {
  const bundles = new Map<string, Promise<string>>();
  const bundleOnce = (source: string): Promise<string> => {
    const bundle = bundles.get(source) ?? bundleProgram(source);
    bundles.set(source, bundle);
    return bundle;
  };
  return {
    name: 'stepwright:bundled-programs',
    enforce: 'pre',
    configureVitest({ defineCacheKeyGenerator }) {
      // The result depends on other files, which vitest's module cache does not track.
      defineCacheKeyGenerator(({ id }) => (STARTERS.includes(id) ? false : undefined));
    },
    async transform(code, id) {
      if (!STARTERS.includes(id)) return undefined;
      const [text, name = ''] = /new URL\('\.\/([\w-]+\.ts)', import\.meta\.url\)/.exec(code) ?? [];
      if (text === undefined) throw new Error(`${id} starts no program beside it`);
      const file = await bundleOnce(join(id, '..', name));
      return { code: code.replace(text, `new URL(${JSON.stringify(pathToFileURL(file).href)})`), map: null };
    },
  };
}

/**
 * @returns path of the bundle, in a folder named by its content: concurrent test runs do not disturb each
 * other
 */
async function bundleProgram(source: string): Promise<string> {
  const program = NODE_PROGRAMS.find(({ entries }) =>
    Object.values(entries).some((entry) => join(ROOT, entry) === source),
  );
  if (program === undefined) throw new Error(`${source} is no program of scripts/build/node-programs.ts`);
  const config = configureNodeBuild(program);
  const made = await build({ ...config, build: { ...config.build, write: false } });
  const files = ('output' in made ? made.output : []).map((file) => ({
    name: file.fileName,
    content: file.type === 'chunk' ? file.code : file.source,
  }));
  const [first] = files;
  if (first === undefined) throw new Error(`${source} came to nothing`);
  const hash = createHash('sha256');
  for (const { content } of files) hash.update(content);
  const folder = join(FOLDER, hash.digest('hex').slice(0, 16));
  if (!existsSync(folder)) placeFiles(folder, files);
  return join(folder, first.name);
}

function placeFiles(
  folder: string,
  files: readonly { readonly name: string; readonly content: string | Uint8Array }[],
): void {
  mkdirSync(FOLDER, { recursive: true });
  const draft = mkdtempSync(`${folder}-`);
  for (const { name, content } of files) writeFileSync(join(draft, name), content);
  try {
    renameSync(draft, folder);
  } catch (error) {
    // Another test run was first.
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

/**
 * Vite plugin of the tests: starts these files before the others of their project. Until Vitest knows their
 * durations, as on a clean clone, it starts with large files; but files that wait for leases are slow however
 * short they are, and would still run when all others have finished.
 * @param endings suffixes of the paths of the files
 */
export function slowestFirst(endings: readonly string[]): Plugin {
  const isLong = ({ moduleId }: TestSpecification): boolean =>
    endings.some((ending) => moduleId.endsWith(ending));
  class SlowestFirst extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const projects = Map.groupBy(await super.sort(files), ({ project }) => project);
      return [...projects.values()].flatMap((projectSpecs) => [
        ...projectSpecs.filter(isLong),
        ...projectSpecs.filter((file) => !isLong(file)),
      ]);
    }
  }
  return {
    name: 'stepwright:longest-first',
    configureVitest({ vitest: { config } }) {
      // `--sequence.shuffle` has selected another one.
      if (config.sequence.sequencer === BaseSequencer) config.sequence.sequencer = SlowestFirst;
    },
  };
}
