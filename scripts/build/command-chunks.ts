import { join } from 'node:path';
import { normalizePath, type Plugin, type Rolldown } from 'vite';

const ROOT = join(import.meta.dirname, '../..');

/**
 * What the command line loads in one piece, the first to be loaded first: each file, with all that it imports
 * statically and no piece before has. Left to itself the bundler makes a file of each set of modules that any two
 * commands share, ninety for `engine start`, and each costs Node half a millisecond.
 */
const pieces: Readonly<Record<string, readonly string[]>> = {
  supervisor: ['core/process/supervisor/start-supervisor.ts'],
  command: ['core/cli/run-command-line.ts', 'core/cli/program/run-commands.ts', 'core/cli/commands/start.ts'],
  engine: ['core/engine.ts', 'core/cli/host/home-host.ts'],
};

type ModuleGraph = Pick<Rolldown.ChunkingContext, 'getModuleInfo'>;

/** Puts the modules of the command line into few files; all others are divided as ever. */
export function commandChunks(): Plugin {
  let pieceOf: ReadonlyMap<string, string> | undefined;
  return {
    name: 'stepwright:command-chunks',
    // A watching build has another graph each time.
    buildStart: () => void (pieceOf = undefined),
    outputOptions: (options) => ({
      ...options,
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [
          {
            debugName: 'command line',
            name: (id, graph) => (pieceOf ??= divide(graph)).get(id) ?? null,
          },
        ],
      },
    }),
  };
}

function divide(graph: ModuleGraph): Map<string, string> {
  const pieceOf = new Map<string, string>();
  for (const [piece, files] of Object.entries(pieces)) {
    const waiting = files.map((file) => normalizePath(join(ROOT, file)));
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (pieceOf.has(id)) continue;
      pieceOf.set(id, piece);
      waiting.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
    }
  }
  return pieceOf;
}
