import { existsSync, readdirSync, rmdirSync, type Dirent } from 'node:fs';
import path from 'node:path';

/** Extensions of workflow files, in order of precedence. */
export const workflowExtensions = ['.yaml', '.yml'];

/** Levels of folders that are read; a bind mount can make a folder contain itself. */
const maxDepth = 16;

/** The workflow files in a folder and its subfolders. Paths are relative to the folder, separated by `/`. */
export interface FolderTree {
  /** Folders that were read, `''` being the folder itself. */
  readonly folders: readonly string[];
  /** Files in order of precedence, each with whether it is a plain file and not a link. */
  readonly files: ReadonlyMap<string, boolean>;
}

/**
 * Reads the names of workflow files. Hidden files and folders, `node_modules` and links to folders are skipped, and so
 * is a subfolder that cannot be read.
 * @throws the error of the file system if the folder itself cannot be read
 */
export function readFolderTree(root: string): FolderTree {
  const folders: string[] = [];
  const files = new Map<string, boolean>();
  let level = [''];
  for (let depth = 0; level.length > 0 && depth < maxDepth; depth += 1) {
    const below: string[] = [];
    for (const folder of level) {
      const found = readFolder(root, folder);
      if (found === undefined) continue;
      folders.push(folder);
      for (const entry of found) {
        const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
        if (isWorkflowName(entry.name) && !entry.isDirectory()) files.set(name, entry.isFile());
        else if (entry.isDirectory() && isVisibleFolder(entry.name)) below.push(name);
      }
    }
    level = below;
  }
  const sorted = [...files].toSorted(([a], [b]) => comparePaths(a, b));
  return { folders, files: new Map(sorted) };
}

/** Orders paths by precedence: files of outer folders come first. */
export function comparePaths(a: string, b: string): number {
  const depth = a.split('/').length - b.split('/').length;
  return depth || (a < b ? -1 : 1);
}

function readFolder(root: string, folder: string): Dirent[] | undefined {
  try {
    return readdirSync(path.join(root, folder), { withFileTypes: true });
  } catch (error) {
    if (folder === '') throw error;
    return undefined;
  }
}

const isVisibleFolder = (name: string): boolean => !name.startsWith('.') && name !== 'node_modules';

export const isWorkflowName = (name: string): boolean =>
  workflowExtensions.includes(path.extname(name)) && !name.startsWith('.');

/** Returns the name of a workflow file without its folder and extension. */
export const getFileName = (file: string): string => path.basename(file, path.extname(file));

/** Returns the folder of a file, relative to `root` and separated by `/`; `''` for `root` itself. */
export const getFolder = (root: string, file: string): string =>
  path.relative(root, path.dirname(file)).replaceAll(path.sep, '/');

/**
 * Returns the absolute path of the workflow file of this name: in the folder itself, else in a subfolder. Undefined if
 * there is none.
 */
export function findInTree(root: string, fileName: string): string | undefined {
  const direct = workflowExtensions
    .map((extension) => path.join(root, fileName + extension))
    .find((file) => existsSync(file));
  if (direct !== undefined) return direct;
  for (const file of readFilesIfAny(root)) if (getFileName(file) === fileName) return path.join(root, file);
  return undefined;
}

function readFilesIfAny(root: string): Iterable<string> {
  try {
    return readFolderTree(root).files.keys();
  } catch {
    return [];
  }
}

/** Returns the folders of a tree; only the folder itself if it cannot be read. */
export function listFolders(root: string): readonly string[] {
  try {
    return readFolderTree(root).folders;
  } catch {
    return [''];
  }
}

/** Returns the current names of the workflow files in a folder and its subfolders, including unreadable ones. */
export const listNames = (root: string): Set<string> =>
  new Set(Array.from(readFilesIfAny(root), getFileName));

/** Deletes a subfolder, and the folders around it, as long as they are empty. */
export function removeEmptyFolders(root: string, folder: string): void {
  for (let current = folder; current !== root && current.startsWith(root); current = path.dirname(current))
    try {
      rmdirSync(current);
    } catch {
      return;
    }
}
