import { realpathSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { AppError, toAppError } from '../../core/base/errors.ts';
import type { DesktopMessage } from '../../core/contract/desktop/messages.ts';
import { fileNamePattern } from '../../core/base/ids.ts';
import { readDeepLink } from './deep-link.ts';
import { isYamlFile, readLaunchWords } from './launch-words.ts';
import type { RecentFiles } from './recent-files.ts';

/** What showing something needs. */
export interface OpenerParts {
  /** Brings the window to the front, at a page when one is named. */
  show(address?: string): void;
  tell(message: DesktopMessage): void;
  readonly recent: RecentFiles;
  /** Folder of the workflow files of the home. */
  readonly dagsFolder: string;
}

/** As much as the page takes that makes workflows of files. */
const mostBytes = 2 * 1_048_576;

/** Shows what links, file managers, dialogs and second starts ask for. Nothing here starts or changes anything. */
export class Opener {
  readonly #parts: OpenerParts;

  constructor(parts: OpenerParts) {
    this.#parts = parts;
  }

  /** Shows the link, or the app with a message that says why not. */
  openLink(link: string): void {
    const goal = readDeepLink(link);
    if (goal.kind === 'address') return this.#parts.show(goal.address);
    this.#parts.show();
    this.#tellProblem(`Could not open the link: ${goal.reason}. ${shorten(link)}`);
  }

  /** A workflow of the home is shown in the editor; another file on the page that takes workflows over. */
  async openFile(file: string): Promise<boolean> {
    try {
      const own = this.#findOwn(file);
      if (own !== undefined) this.#parts.show(`#/dags/${encodeURIComponent(own)}/edit`);
      else {
        const text = await readText(file);
        this.#parts.show();
        this.#parts.tell({ kind: 'file', fileName: path.basename(file), text });
      }
      this.#parts.recent.add(file);
      return true;
    } catch (thrown) {
      this.#parts.show();
      this.#tellProblem(toAppError(thrown).message);
      return false;
    }
  }

  /** What stands on a command line. @returns false when that is nothing to show */
  openWords(argv: readonly string[], folder: string): boolean {
    const { links, files } = readLaunchWords(argv, folder);
    for (const link of links) this.openLink(link);
    for (const file of files) void this.openFile(file);
    return links.length + files.length > 0;
  }

  #tellProblem(text: string): void {
    this.#parts.tell({ kind: 'notice', notice: { tone: 'error', text } });
  }

  /** Name of a workflow file of the home, without its ending. */
  #findOwn(file: string): string | undefined {
    const name = path.basename(file).replace(/\.ya?ml$/i, '');
    const isOwn = isYamlFile(file) && realFolder(path.dirname(file)) === realFolder(this.#parts.dagsFolder);
    return isOwn && new RegExp(fileNamePattern).test(name) ? name : undefined;
  }
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return path.resolve(folder);
  }
}

async function readText(file: string): Promise<string> {
  if (!isYamlFile(file)) throw new AppError('bad_request', `${file} is not a workflow file (.yaml or .yml)`);
  const handle = await open(file).catch((thrown: NodeJS.ErrnoException) => {
    const reason = thrown.code === 'ENOENT' ? 'file not found' : thrown.message;
    throw new AppError('not_found', `Could not open ${file}: ${reason}`);
  });
  try {
    const about = await handle.stat();
    if (!about.isFile()) throw new AppError('bad_request', `${file} is not a file`);
    if (about.size > mostBytes) throw new AppError('bad_request', `${file} is too large. Maximum: 2 MB`);
    const text = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(await handle.readFile());
    if (!text.includes('\0')) return text;
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown;
  } finally {
    await handle.close();
  }
  throw new AppError('bad_request', `${file} is not UTF-8 text. Save it as UTF-8.`);
}

/** For a message; a link may be long and hold anything. */
const shorten = (link: string): string => {
  const plain = link.replaceAll(/\p{Cc}/gu, ' ');
  return plain.length > 120 ? `${plain.slice(0, 119)}…` : plain;
};
