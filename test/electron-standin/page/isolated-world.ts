import type { HostMessage, PageMessage } from '../ipc/messages.ts';
import { decodeFromWire, encodeForWire } from '../ipc/wire.ts';
import { ObjectBridge } from './object-bridge.ts';
import { PageEmitter } from './page-emitter.ts';

/** Settings of a preload world by the main process, written into the page as JSON. */
export interface IsolatedWorldOptions {
  /** The secret name shared by both worlds. */
  readonly token: string;
  /** The global function that this world calls in the main process. */
  readonly binding: string;
  /** The global function that the main process calls in this world. */
  readonly inbox: string;
  /** The global list of files whose paths were requested, and the placeholder for such a path. */
  readonly files: { readonly list: string; readonly mark: string };
  /** The members of the preload's `process`. */
  readonly process: Record<string, unknown>;
}

/** The CommonJS scope of the preload, in addition to the globals of a page. */
export interface PreloadScope {
  readonly require: (name: string) => unknown;
  readonly process: object;
  readonly global: object;
  readonly module: { exports: object };
  readonly exports: object;
  readonly setImmediate: (callback: () => void) => unknown;
  readonly clearImmediate: (handle: number) => void;
}

/** A preload script, wrapped to run in its scope. */
export type PreloadFunction = (scope: PreloadScope) => () => void;

type Post = (message: PageMessage) => void;

/**
 * The part that runs in the preload's isolated world: it provides `contextBridge` and `ipcRenderer` and runs
 * the preload. It is injected as text, together with every function that it calls.
 */
export function startIsolatedWorld(options: IsolatedWorldOptions, preload: PreloadFunction | null): void {
  if (window.top !== window) return;
  const bridge = new ObjectBridge(options.token, 'isolated', 'main');
  const toHost = Reflect.get(globalThis, options.binding) as (text: string) => void;
  const post: Post = (message) => toHost(JSON.stringify(message));
  bridge.handle('open', ({ url = '', frameName = '', features = '' }) =>
    post({ kind: 'open', url, frameName, features }),
  );
  const electron = {
    contextBridge: createContextBridge(bridge),
    ipcRenderer: createIpcRenderer(post, options.inbox),
    webUtils: createWebUtils(options),
    webFrame: createMissingModule('webFrame'),
    crashReporter: createMissingModule('crashReporter'),
    nativeImage: createMissingModule('nativeImage'),
  };
  document.addEventListener('DOMContentLoaded', () => watchTitle(post));
  if (preload) runPreload(preload, createRequire(electron), options.process, post);
}

/**
 * The path of a file is known when a message that contains it arrives in the main process; the preload sees a
 * placeholder.
 */
export function createWebUtils({ files }: Pick<IsolatedWorldOptions, 'files'>): object {
  const requestedFiles: File[] = [];
  Object.defineProperty(globalThis, files.list, { value: requestedFiles });
  return { getPathForFile: (file: File) => `${files.mark}${requestedFiles.push(file) - 1};` };
}

/** Reports the document's title and its changes; the DevTools protocol does not. */
export function watchTitle(post: Post): void {
  let reported = '';
  const report = (): void => {
    if (document.title === reported) return;
    reported = document.title;
    post({ kind: 'title', title: reported });
  };
  report();
  new MutationObserver(report).observe(document.head, {
    childList: true,
    subtree: true,
    characterData: true,
  });
}

/** The renderer's end of the IPC. @param inbox name of the function that receives responses */
export function createIpcRenderer(post: Post, inbox: string): PageEmitter {
  const calls = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let lastId = 0;
  const ipcRenderer = Object.assign(new PageEmitter(), {
    send(channel: string, ...args: unknown[]) {
      post({ kind: 'send', channel, args: encodeForWire(args) });
    },
    invoke(channel: string, ...args: unknown[]) {
      return new Promise((resolve, reject) => {
        const id = ++lastId;
        post({ kind: 'invoke', id, channel, args: encodeForWire(args) });
        calls.set(id, { resolve, reject });
      });
    },
    sendSync: refuse('ipcRenderer.sendSync'),
    postMessage: refuse('ipcRenderer.postMessage'),
    sendToHost: refuse('ipcRenderer.sendToHost'),
  });
  const receive = (text: string): void => {
    const message = JSON.parse(text) as HostMessage;
    if (message.kind === 'push') {
      const event = { sender: ipcRenderer, ports: [] };
      ipcRenderer.emit(message.channel, event, ...(decodeFromWire(message.args) as unknown[]));
      return;
    }
    const call = calls.get(message.id);
    calls.delete(message.id);
    if (message.kind === 'resolve') call?.resolve(decodeFromWire(message.value));
    else call?.reject(new Error(`Error invoking remote method '${message.channel}': ${message.error}`));
  };
  Object.defineProperty(globalThis, inbox, { value: receive });
  return ipcRenderer;
}

export function createContextBridge(bridge: ObjectBridge): object {
  return {
    exposeInMainWorld(key: string, api: unknown) {
      let failed = false;
      bridge.handle('expose-failed', () => {
        failed = true;
      });
      bridge.post({ kind: 'expose', key, value: bridge.pack(api) });
      if (failed) {
        throw new Error('Cannot bind an API on top of an existing property on the window object');
      }
    },
    exposeInIsolatedWorld: refuse('contextBridge.exposeInIsolatedWorld'),
    executeInMainWorld: refuse('contextBridge.executeInMainWorld'),
  };
}

/** The modules that a sandboxed preload may require. */
export function createRequire(electron: object): (name: string) => unknown {
  const modules: Record<string, unknown> = {
    electron,
    'electron/common': electron,
    'electron/renderer': electron,
    events: Object.assign(PageEmitter, { EventEmitter: PageEmitter }),
    timers: {
      setTimeout: setTimeout.bind(globalThis),
      clearTimeout: clearTimeout.bind(globalThis),
      setInterval: setInterval.bind(globalThis),
      clearInterval: clearInterval.bind(globalThis),
    },
    url: { URL, URLSearchParams },
  };
  return (name) => {
    const builtIn = modules[name.replace(/^node:/, '')];
    if (!builtIn) throw new Error(`module not found: ${name}`);
    return builtIn;
  };
}

export function runPreload(
  preload: PreloadFunction,
  require: (name: string) => unknown,
  processMembers: Record<string, unknown>,
  post: Post,
): void {
  const process = Object.assign(new PageEmitter(), processMembers);
  const module = { exports: {} };
  try {
    const run = preload({
      require,
      process,
      global: globalThis,
      module,
      exports: module.exports,
      setImmediate: (callback) => setTimeout(callback, 0),
      clearImmediate: (handle) => clearTimeout(handle),
    });
    run();
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    post({ kind: 'preload-error', message });
    throw error;
  }
}

export function createMissingModule(name: string): object {
  return new Proxy({}, { get: (_target, key) => refuse(`${name}.${String(key)}`) });
}

export function refuse(what: string): () => never {
  return () => {
    throw new Error(`electron stand-in: ${what} is not implemented`);
  };
}
