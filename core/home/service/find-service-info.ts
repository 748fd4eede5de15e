import path from 'node:path';
import { homedir, userInfo } from 'node:os';
import { AppError } from '../../base/errors.ts';
import { folderVariables, resolveHome } from '../config/home.ts';
import type { EngineCommand, ServiceInfo, ServicePlatform } from './service-info.ts';

/** Properties of the process that the command belongs to. */
export interface EngineProgram {
  /** `process.execPath`. */
  readonly execPath: string;
  /** Absolute path of the built launcher in the installation, `out/cli/engine.js`. */
  readonly launcher: string;
  /** Whether `execPath` is Electron and not Node. */
  readonly isElectron: boolean;
  /** `$APPIMAGE`: file of the running AppImage. */
  readonly appImage?: string | undefined;
}

/**
 * An AppImage is mounted at a different path each time, so its launcher is located relative to the running program.
 * Arguments follow as after a script.
 */
const launchFromMount =
  'const p=require("node:path"),f=p.join(p.dirname(process.execPath),"resources/app.asar/out/cli/engine.js");process.argv.splice(1,0,f);import(require("node:url").pathToFileURL(f).href)';

/** Returns the command that starts `engine` of this installation without the app. */
export function getEngineCommand({ execPath, launcher, isElectron, appImage }: EngineProgram): EngineCommand {
  if (!isElectron) return { program: execPath, args: [launcher], environment: {} };
  const environment = { ELECTRON_RUN_AS_NODE: '1' };
  if (appImage !== undefined && path.isAbsolute(appImage))
    return { program: appImage, args: ['-e', launchFromMount, '--'], environment };
  return { program: execPath, args: [launcher], environment };
}

/** Parameters of a service to install. */
export interface ServiceOptions {
  readonly home: string;
  readonly configFile?: string | undefined;
  /** See `EngineProgram`. */
  readonly launcher: string;
  /** Environment of the calling process. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Variables passed to the service: program search path, locale, and directories outside the home. */
const forwardedVariables: readonly string[] = [
  'PATH',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  ...Object.values(folderVariables).flat(),
];

/** Engine variables that are replaced by command line options, or belong to another process. */
const excludedVariables: readonly string[] = [
  'ENGINE_HOME',
  'ENGINE_CONFIG',
  'ENGINE_SERVER',
  'ENGINE_SERVER_TOKEN',
  'ENGINE_FAILPOINT',
  'ENGINE_DEBUG',
];

/** Returns the parameters of a home's service on this machine. Throws `bad_request` if there is no service manager. */
export function findServiceInfo({ home, configFile, launcher, environment }: ServiceOptions): ServiceInfo {
  const user = userInfo();
  return {
    platform: findPlatform(),
    home,
    isUsualHome: home === resolveHome({ ...environment, ENGINE_HOME: undefined }),
    configFile,
    engine: getEngineCommand({
      execPath: process.execPath,
      launcher,
      isElectron: process.versions['electron'] !== undefined || environment['ELECTRON_RUN_AS_NODE'] === '1',
      appImage: environment['APPIMAGE'],
    }),
    userFolder: homedir(),
    configFolder: findConfigFolder(environment),
    userId: Math.max(user.uid, 0),
    userName: [environment['USERDOMAIN'], user.username].filter(Boolean).join('\\'),
    environment: pick(environment),
  };
}

/** Returns the names of engine variables that are set here but will not apply to the service. */
export const listMissingVariables = (environment: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(environment)
    .filter(([name, value]) => name.startsWith('ENGINE_') && value !== undefined && value !== '')
    .map(([name]) => name)
    .filter((name) => !forwardedVariables.includes(name) && !excludedVariables.includes(name))
    .sort();

const pick = (environment: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    forwardedVariables.flatMap((name) => {
      const value = environment[name];
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );

function findConfigFolder(environment: Readonly<Record<string, string | undefined>>): string {
  const folder = environment['XDG_CONFIG_HOME'];
  return folder !== undefined && path.isAbsolute(folder) ? folder : path.join(homedir(), '.config');
}

function findPlatform(): ServicePlatform {
  const { platform } = process;
  if (platform === 'linux' || platform === 'darwin' || platform === 'win32') return platform;
  throw new AppError(
    'bad_request',
    `No supported service manager on ${platform}. Run "engine start-all" with another service manager.`,
  );
}
