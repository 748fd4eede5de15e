import { join } from 'node:path';
import { normalizePath, type Plugin, type Rolldown } from 'vite';

const ROOT = join(import.meta.dirname, '../..');

/**
 * Chunk name → its first modules, in load order: each module, with all of its static imports that are not in an
 * earlier chunk.
 */
type ChunkGroups = Readonly<Record<string, readonly string[]>>;

/**
 * By default the bundler creates ninety files for `engine start`, each of which costs Node half a millisecond.
 */
const cliChunkGroups: ChunkGroups = {
  supervisor: ['core/process/supervisor/start-supervisor.ts'],
  command: [
    'core/cli/run-command-line.ts',
    'core/cli/program/groups/run-commands.ts',
    'core/cli/commands/runs/start.ts',
    // Shared by the engine and commands on a server: with these, a command does not load the engine.
    'core/cli/arguments/look-at.ts',
    'core/cli/arguments/workflow-argument.ts',
    'core/cli/host/list-dags.ts',
    'core/cli/host/server-requests.ts',
    'core/cli/read-pages.ts',
    'core/cli/until-signal.ts',
    'core/contract/transport/http-wire.ts',
    'core/contract/operation.ts',
    'core/contract/transport/read-artifact.ts',
    'core/model/workflow/calendar.ts',
    'core/model/executors/container.ts',
    'core/model/executors/executor-type.ts',
    'core/model/workflow/handler-name.ts',
    'core/model/workflow/log-charset.ts',
    'core/model/queue.ts',
    'core/model/quote.ts',
    'core/model/run/fire-time.ts',
    'core/spec/params.ts',
    'core/webhooks/subscriptions/describe-webhook.ts',
  ],
  remote: ['core/cli/host/connect-to-server.ts'],
  engine: ['core/engine.ts', 'core/cli/host/home-host.ts'],
  // Shared by a server and the commands for the users of a home directory.
  shapes: ['core/contract/accounts/users.ts', 'core/contract/webhooks/events.ts'],
  auth: ['core/auth/auth.ts'],
};

/** By default there are seventy files for the first page of the window, each a request. */
const windowChunkGroups: ChunkGroups = {
  shell: ['renderer/main.tsx'],
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
  let pieceOf: ReadonlyMap<string, string> | undefined;
  return {
    name: 'stepwright:pieces',
    // The module graph of a watching build changes.
    buildStart: () => void (pieceOf = undefined),
    outputOptions: (options) => ({
      ...options,
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [
          {
            debugName: 'pieces',
            name: (id, graph) => (pieceOf ??= divide(pieces, graph)).get(id) ?? null,
          },
        ],
      },
    }),
  };
}

function divide(pieces: ChunkGroups, graph: ModuleGraph): Map<string, string> {
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
