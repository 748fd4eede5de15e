import {
  decodeBuiltIn,
  decodeBytes,
  decodeError,
  decodeFromWire,
  encodeBuiltIn,
  encodeBytes,
  encodeForWire,
} from '../ipc/wire.ts';
import {
  createContextBridge,
  createIpcRenderer,
  createMissingModule,
  createRequire,
  createWebUtils,
  refuse,
  runPreload,
  startIsolatedWorld,
  watchTitle,
  type IsolatedWorldOptions,
} from './isolated-world.ts';
import { routeWindowOpen, startMainWorld } from './main-world.ts';
import { ObjectBridge } from './object-bridge.ts';
import { PageEmitter } from './page-emitter.ts';

/*
 * Page code is written as ordinary modules and injected as text: Node only strips the types, so the source of
 * a function is JavaScript. Every function called by page code must be listed here.
 */
const MAIN_WORLD_PARTS = [ObjectBridge, routeWindowOpen];
const ISOLATED_WORLD_PARTS = [
  encodeForWire,
  encodeBuiltIn,
  encodeBytes,
  decodeFromWire,
  decodeBuiltIn,
  decodeBytes,
  decodeError,
  ObjectBridge,
  PageEmitter,
  createIpcRenderer,
  createContextBridge,
  createRequire,
  createMissingModule,
  createWebUtils,
  refuse,
  runPreload,
  watchTitle,
];

/** Names in the CommonJS scope of a preload: the members of PreloadScope. */
const PRELOAD_SCOPE = 'require, process, global, module, exports, setImmediate, clearImmediate';

/** The script for the page's main world. */
export function buildMainWorldScript(token: string): string {
  return wrap(MAIN_WORLD_PARTS, `(${startMainWorld.toString()})(${JSON.stringify(token)});`);
}

/**
 * The script for the isolated world.
 * @param preload the preload's source, empty for none. It becomes part of the script instead of being
 * evaluated, so that the page's content security policy does not apply to it
 */
export function buildIsolatedWorldScript(options: IsolatedWorldOptions, preload: string): string {
  const wrapped = preload === '' ? 'null' : `({ ${PRELOAD_SCOPE} }) => function () {${preload}\n}`;
  return wrap(
    ISOLATED_WORLD_PARTS,
    `(${startIsolatedWorld.toString()})(${JSON.stringify(options)}, ${wrapped});`,
  );
}

function wrap(parts: readonly { toString(): string }[], start: string): string {
  return `(() => {\n${parts.map((part) => part.toString()).join('\n')}\n${start}\n})();`;
}
