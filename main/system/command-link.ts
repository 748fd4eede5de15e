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
import { AppError, messageOf } from '../../core/base/errors.ts';
import type { DesktopOutput } from '../../core/contract/desktop/calls.ts';

/** What the command on PATH is made from. All paths are absolute. */
export interface CommandFacts {
  readonly platform: NodeJS.Platform;
  /** The wrapper that ships inside the app; it finds the app from where it lies. */
  readonly wrapper: string;
  /** `$APPIMAGE`: its wrapper lies in a mount that comes and goes, so that a script of its own is written. */
  readonly appImage?: string | undefined;
  readonly userFolder: string;
  /** `$PATH` of this process. */
  readonly searchPath: string;
}

/** Reads and writes the person's own PATH on Windows, where the wrapper's folder is added to it. */
export interface UserPath {
  read(): Promise<string>;
  write(value: string): Promise<void>;
}

/** Marks a script as ours, so that nobody else's is written over. */
const scriptMark = '# Written by Stepwright; removed in its settings.';

/** Puts the command `engine` of this app where shells find it, and takes it away again. */
export class CommandLink {
  readonly #facts: CommandFacts;
  readonly #userPath: UserPath;

  constructor(facts: CommandFacts, userPath: UserPath) {
    this.#facts = facts;
    this.#userPath = userPath;
  }

  async get(): Promise<DesktopOutput<'command.get'>> {
    const { platform, wrapper } = this.#facts;
    if (platform === 'win32') {
      const folder = path.win32.dirname(wrapper);
      return { enabled: listFolders(await this.#userPath.read(), ';').includes(folder), place: folder };
    }
    const place = this.#link;
    const enabled = this.#isOurs();
    const folder = path.dirname(place);
    const isFound = listFolders(this.#facts.searchPath, ':').includes(folder);
    const problem =
      enabled && !isFound
        ? `${folder} is not on the PATH. Add it to your shell: export PATH="$HOME/.local/bin:$PATH"`
        : undefined;
    return { enabled, place, ...(problem !== undefined && { problem }) };
  }

  /** Throws `already_exists` for a command `engine` that is somebody else's, `home_unusable` when nothing can be written. */
  async set(enabled: boolean): Promise<DesktopOutput<'command.set'>> {
    if (this.#facts.platform === 'win32') await this.#changeUserPath(enabled);
    else this.#changeLink(enabled);
    return this.get();
  }

  get #link(): string {
    return path.join(this.#facts.userFolder, '.local', 'bin', 'engine');
  }

  #changeLink(enabled: boolean): void {
    const link = this.#link;
    if (isThere(link) && !this.#isOurs())
      throw new AppError(
        'already_exists',
        `${link} already exists and was not created by this app; move it away first`,
      );
    try {
      rmSync(link, { force: true });
      if (!enabled) return;
      mkdirSync(path.dirname(link), { recursive: true });
      const { appImage, wrapper } = this.#facts;
      if (appImage === undefined) symlinkSync(wrapper, link);
      else {
        writeFileSync(link, writeAppImageScript(appImage), { mode: 0o755 });
        chmodSync(link, 0o755);
      }
    } catch (thrown) {
      throw new AppError('home_unusable', `Could not change ${link}: ${messageOf(thrown)}`);
    }
  }

  async #changeUserPath(enabled: boolean): Promise<void> {
    const folder = path.win32.dirname(this.#facts.wrapper);
    const others = listFolders(await this.#userPath.read(), ';').filter((each) => each !== folder);
    await this.#userPath.write((enabled ? [...others, folder] : others).join(';'));
  }

  /** A link to a wrapper of Stepwright, moved or not, or our own script. */
  #isOurs(): boolean {
    try {
      if (lstatSync(this.#link).isSymbolicLink())
        return readlinkSync(this.#link) === this.#facts.wrapper || isWrapper(readlinkSync(this.#link));
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

/** The launcher is found from the program that runs, which is mounted in another place each time. */
export const writeAppImageScript = (appImage: string): string => `#!/bin/sh
${scriptMark}
ELECTRON_RUN_AS_NODE=1 exec '${appImage.replaceAll("'", String.raw`'\''`)}' -e 'const p=require("node:path"),f=p.join(p.dirname(process.execPath),"resources/app.asar/out/cli/engine.js");process.argv.splice(1,0,f);import(require("node:url").pathToFileURL(f).href)' -- "$@"
`;
