import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { AppError, getErrorMessage } from '../core/base/errors.ts';
import type { DesktopOutput } from '../core/contract/desktop-calls.ts';

/** Data of the command in PATH. All paths are absolute. */
export interface CommandLinkContext {
  readonly platform: NodeJS.Platform;
  /** The wrapper in the app; it finds the app relative to its own location. */
  readonly wrapper: string;
  /** `$APPIMAGE`: its wrapper is in a temporary mount, so a separate script is written. */
  readonly appImage?: string | undefined;
  readonly userFolder: string;
  /** `$PATH` of this process. */
  readonly searchPath: string;
}

/** Reads and writes the user's own PATH on Windows, to which the wrapper's directory is added. */
interface UserPath {
  read(): Promise<string>;
  write(value: string): Promise<void>;
}

/** Marks a script as ours, so that no other file is overwritten. */
const scriptMark = '# Written by Stepwright; removed in its settings.';

/** Adds the app's `engine` command to the PATH, and removes it. */
export class CommandLink {
  readonly #context: CommandLinkContext;
  readonly #userPath: UserPath;

  constructor(context: CommandLinkContext, userPath: UserPath) {
    this.#context = context;
    this.#userPath = userPath;
  }

  async get(): Promise<DesktopOutput<'command.get'>> {
    const { platform, wrapper } = this.#context;
    if (platform === 'win32') {
      const folder = path.win32.dirname(wrapper);
      return { enabled: listFolders(await this.#userPath.read(), ';').includes(folder), place: folder };
    }
    const linkPath = this.#link;
    const enabled = this.#isStepwrightLink();
    const folder = path.dirname(linkPath);
    const isFound = listFolders(this.#context.searchPath, ':').includes(folder);
    const problem =
      enabled && !isFound
        ? `${folder} is not on the PATH. Add it to your shell: export PATH="$HOME/.local/bin:$PATH"`
        : undefined;
    return { enabled, place: linkPath, ...(problem !== undefined && { problem }) };
  }

  /**
   * @throws `already_exists` if another program provides `engine`, `home_unusable` if nothing can be
   * written
   */
  async set(enabled: boolean): Promise<DesktopOutput<'command.set'>> {
    if (this.#context.platform === 'win32') await this.#changeUserPath(enabled);
    else this.#updateLink(enabled);
    return this.get();
  }

  get #link(): string {
    return path.join(this.#context.userFolder, '.local', 'bin', 'engine');
  }

  #updateLink(enabled: boolean): void {
    const link = this.#link;
    if (isThere(link) && !this.#isStepwrightLink())
      throw new AppError(
        'already_exists',
        `${link} already exists and was not created by Stepwright. Move or delete it first.`,
      );
    try {
      rmSync(link, { force: true });
      if (!enabled) return;
      mkdirSync(path.dirname(link), { recursive: true });
      const { appImage, wrapper } = this.#context;
      if (appImage === undefined) symlinkSync(wrapper, link);
      else {
        writeFileSync(link, writeAppImageScript(appImage), { mode: 0o755 });
        chmodSync(link, 0o755);
      }
    } catch (error) {
      throw new AppError('home_unusable', `Could not change ${link}: ${getErrorMessage(error)}`);
    }
  }

  async #changeUserPath(enabled: boolean): Promise<void> {
    const folder = path.win32.dirname(this.#context.wrapper);
    const others = listFolders(await this.#userPath.read(), ';').filter((each) => each !== folder);
    await this.#userPath.write((enabled ? [...others, folder] : others).join(';'));
  }

  /** Whether it is a link to a Stepwright wrapper, moved or not, or our own script. */
  #isStepwrightLink(): boolean {
    try {
      if (lstatSync(this.#link).isSymbolicLink())
        return readlinkSync(this.#link) === this.#context.wrapper || isWrapper(readlinkSync(this.#link));
      return readFileSync(this.#link, 'utf8').includes(scriptMark);
    } catch {
      return false;
    }
  }
}

const isWrapper = (target: string): boolean => /stepwright.*\/resources\/bin\/engine$/i.test(target);

const listFolders = (text: string, separator: string): string[] =>
  text.split(separator).filter((folder) => folder !== '');

function isThere(file: string): boolean {
  try {
    lstatSync(file);
    return true;
  } catch {
    return false;
  }
}

/** Returns a script that finds the launcher through the running program, whose mount point changes. */
export const writeAppImageScript = (appImage: string): string => `#!/bin/sh
${scriptMark}
ELECTRON_RUN_AS_NODE=1 exec '${appImage.replaceAll("'", String.raw`'\''`)}' -e 'const p=require("node:path"),f=p.join(p.dirname(process.execPath),"resources/app.asar/out/cli/engine.js");process.argv.splice(1,0,f);import(require("node:url").pathToFileURL(f).href)' -- "$@"
`;

/** Returns access to the user's PATH, without that of the machine; programs started later see a change. */
export const windowsUserPath = (): UserPath => ({
  read: async () => (await runPowerShell("[Environment]::GetEnvironmentVariable('Path', 'User')")).trim(),
  async write(value) {
    await runPowerShell(
      "[Environment]::SetEnvironmentVariable('Path', $env:STEPWRIGHT_VALUE, 'User')",
      value,
    );
  },
});

/** Runs a PowerShell script with one value in a variable, so that nothing is interpolated into its text. */
async function runPowerShell(script: string, value = ''): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(
      'powershell.exe',
      ['-NoProfile', '-NonInteractive', '-Command', script],
      { env: { ...process.env, STEPWRIGHT_VALUE: value }, windowsHide: true },
    );
    return stdout;
  } catch (error) {
    throw new AppError('unavailable', `Could not change the user PATH: ${getErrorMessage(error)}`);
  }
}
