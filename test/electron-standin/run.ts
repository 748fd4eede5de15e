/**
 * Acts as the electron executable: the same command line, the two lines on stderr that Playwright's
 * `_electron.launch()` waits for, then the application's own main file.
 */
import inspector from 'node:inspector';
import path from 'node:path';
import { createRequire, enableCompileCache } from 'node:module';
import { pathToFileURL } from 'node:url';
import { ELECTRON_VERSION, presentAsElectron, redirectElectronImports } from './launch/electron-process.ts';
import { parseLaunchArguments } from './launch/launch-arguments.ts';
import { findPackagedApplication, resolveApplication, setLaunchContext } from './launch/launch-context.ts';

/** How long the main file may take to evaluate before the likely mistake is reported; tests shorten it. */
const EVALUATION_LIMIT_MS = Number(process.env['STANDIN_EVALUATION_LIMIT_MS'] ?? 10_000);

// Its own sources are TypeScript, which would be compiled each time.
enableCompileCache(path.join(import.meta.dirname, '../../node_modules/.cache/stepwright-compiled'));

const args = process.argv.slice(2);
/** Set by the executable of a package (packaging-dist/electron). */
const packaged = process.env['STANDIN_EXECUTABLE'];
delete process.env['STANDIN_EXECUTABLE'];
const isPackaged = packaged !== undefined;
const options = parseLaunchArguments(args, isPackaged ? findPackagedApplication(packaged) : undefined);
if (options.showVersion) {
  process.stdout.write(`v${ELECTRON_VERSION}\n`);
  process.exit(0);
}

const application = resolveApplication(options.application);
setLaunchContext({ ...application, isPackaged, announceDevTools: options.debugBrowser });
presentAsElectron(packaged ?? path.join(import.meta.dirname, 'dist/electron'), args, isPackaged);
const moduleUrl = new URL('./electron.ts', import.meta.url).href;
redirectElectronImports(moduleUrl);

// Node loads these lazily. Playwright evaluates as soon as it can, even during that, which leaves them
// undefined for the rest of the process.
for (const name of ['performance', 'Response', 'WebSocket', 'crypto']) Reflect.get(globalThis, name);
if (options.inspect) inspector.open(0, '127.0.0.1');
const { app } = await import('./electron.ts');
const { startApplication } = await import('./app/startup.ts');

const require = createRequire(import.meta.url);
for (const file of options.preloadedModules) require(path.resolve(file));
// Electron drops its own switches from argv; Playwright's loader does so itself.
if (options.preloadedModules.length === 0 && options.applicationIndex > 0) {
  process.argv.splice(1, options.applicationIndex);
}

process.on('SIGTERM', () => app.quit());
process.on('SIGINT', () => app.quit());

const evaluated = import(pathToFileURL(application.mainFile).href);
const stuck = setTimeout(() => {
  fail(
    'the main file is still being evaluated; a top-level `await app.whenReady()` never resolves in Electron',
  );
}, EVALUATION_LIMIT_MS);
evaluated.then(
  () => clearTimeout(stuck),
  (error: unknown) => fail(error instanceof Error ? (error.stack ?? error.message) : String(error)),
);
await startApplication(evaluated);

function fail(reason: string): void {
  clearTimeout(stuck);
  process.stderr.write(`electron stand-in: ${reason}\n`);
  app.exit(1);
}
