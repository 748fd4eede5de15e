import { join } from 'node:path';
import { normalizePath, type Plugin, type Rolldown } from 'vite';

const ROOT = join(import.meta.dirname, '../..');

/**
 * Name of a piece → its first modules. What is loaded in one piece, the first to be loaded first: each module, with all
 * that it imports statically and no piece before has.
 */
type Pieces = Readonly<Record<string, readonly string[]>>;

/** Left to itself the bundler makes ninety files for `engine start`, and each costs Node half a millisecond. */
const commandPieces: Pieces = {
  supervisor: ['core/process/supervisor/start-supervisor.ts'],
  command: [
    'core/cli/run-command-line.ts',
    'core/cli/program/groups/run-commands.ts',
    'core/cli/commands/runs/start.ts',
    // What a command on a server has in common with the engine: with these here it does without the engine.
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
    'core/model/run/slot.ts',
    'core/spec/params.ts',
    'core/webhooks/subscriptions/describe-hook.ts',
  ],
  remote: ['core/cli/host/connect-to-server.ts'],
  engine: ['core/engine.ts', 'core/cli/host/home-host.ts'],
  // What a server has in common with the commands that open the users of a home.
  shapes: ['core/contract/accounts/users.ts', 'core/contract/webhooks/events.ts'],
  auth: ['core/auth/auth.ts'],
};

/** And seventy for the first page of the window, each a request. */
const windowPieces: Pieces = {
  shell: ['renderer/main.tsx'],
};

/** The modules of the command line in few files. */
export const commandInPieces = (): Plugin => inPieces(commandPieces);

/** The modules of the window's first page in few files. */
export const windowInPieces = (): Plugin => inPieces(windowPieces);

type ModuleGraph = Pick<Rolldown.ChunkingContext, 'getModuleInfo'>;

/**
 * Puts the modules of these pieces into a file each; all others are divided as ever: a file of each set of modules that
 * several parts share.
 */
function inPieces(pieces: Pieces): Plugin {
  let pieceOf: ReadonlyMap<string, string> | undefined;
  return {
    name: 'stepwright:pieces',
    // A watching build has another graph each time.
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

function divide(pieces: Pieces, graph: ModuleGraph): Map<string, string> {
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
