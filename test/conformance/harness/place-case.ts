import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileNameOf, type ConformanceCase } from './case-format.ts';

/** Folders of one engine under test. All paths are absolute and real. */
export interface Ground {
  readonly root: string;
  readonly home: string;
  /** Where the home keeps workflow files. */
  readonly dags: string;
  /** The user's home directory. */
  readonly user: string;
  /** The engine's current directory. */
  readonly cwd: string;
}

const baseFile = ({ home }: Ground): string => join(home, 'base.yaml');

export function makeGround(): Ground {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'stepwright-conformance-')));
  const home = join(root, 'home');
  const ground = { root, home, dags: join(home, 'dags'), user: join(root, 'user'), cwd: join(root, 'cwd') };
  for (const folder of [ground.dags, ground.user, ground.cwd]) mkdirSync(folder, { recursive: true });
  return ground;
}

export const removeGround = ({ root }: Ground): void => rmSync(root, { recursive: true, force: true });

/** Writes the workflow and what lies beside it into the home's folder. Returns the workflow's path. */
export function placeFiles(item: ConformanceCase, { dags }: Ground): string {
  const path = join(dags, fileNameOf(item));
  writeFileSync(path, item.spec);
  placeTexts(item.files, dags);
  return path;
}

/** Writes texts by their paths from a folder. */
export function placeTexts(texts: Readonly<Record<string, string>> | undefined, folder: string): void {
  for (const [name, text] of Object.entries(texts ?? {})) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** Writes the base configuration that the case asks for. */
export function placeBase({ base }: ConformanceCase, ground: Ground): void {
  if (base !== undefined) writeFileSync(baseFile(ground), base);
}

/** Clears what a case has left, so that the next one finds the ground as new. */
export function clearGround(ground: Ground): void {
  const { dags, user, cwd } = ground;
  rmSync(baseFile(ground), { force: true });
  for (const folder of [dags, user, cwd])
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
}

/** Files below a folder that were not there before. */
export function readNewFiles(
  folder: string,
  before: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(readFilesBelow(folder)).filter(([path]) => !(path in before)));
}

/** All files below a folder as text, by path relative to it. */
export function readFilesBelow(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(paths.map((path) => [relative(folder, path), readFileSync(path, 'utf8')]));
}
