import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pack, type Header } from 'tar-stream';
import type { JsonObject, JsonValue } from '../../../../core/base/json.ts';
import type { ExecutorResult } from '../../../../core/executors/executor.ts';
import { runStep, startStep, type StartedStep } from '../step-harness.ts';

/** Result of an archive step. */
export interface Outcome {
  readonly end: ExecutorResult;
  readonly summary: Record<string, JsonValue> & {
    readonly errors: { class: string; error: string; file?: string }[];
  };
  readonly stderr: string;
}

/** Runs an archive step in a directory. */
export async function runArchive(command: string, config: JsonObject, workingDir: string): Promise<Outcome> {
  const action = { kind: 'executor', type: 'archive', command, config: normalize(config) } as const;
  const { end, stdout, stderr } = await runStep(action, { workingDir });
  const summary = (stdout === '' ? { errors: [] } : JSON.parse(stdout)) as Outcome['summary'];
  return { end, summary, stderr };
}

/** Starts an archive step, to be stopped. */
export function startArchive(command: string, config: JsonObject, workingDir: string): StartedStep {
  const action = { kind: 'executor', type: 'archive', command, config: normalize(config) } as const;
  return startStep(action, { workingDir });
}

/** As the loader passes lists that can be written as one string. */
function normalize(config: JsonObject): JsonObject {
  const lists = ['source', 'include', 'exclude'].filter((field) => typeof config[field] === 'string');
  return { ...config, ...Object.fromEntries(lists.map((field) => [field, [config[field]!]])) };
}

/** Whether the machine has a program. */
export const hasProgram = (name: string): boolean => spawnSync(name, ['--help']).error === undefined;

/** Runs a program of the machine in a directory; it must succeed. */
export function runProgram(cwd: string, program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ends with ${status}: ${stderr}`);
  return stdout;
}

/** Writes files below a directory; a name that ends in `/` is a directory. */
export function writeTree(folder: string, files: Readonly<Record<string, string | Uint8Array>>): string {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(name.endsWith('/') ? path : dirname(path), { recursive: true });
    if (!name.endsWith('/')) writeFileSync(path, content);
  }
  return folder;
}

/** Everything below a directory: kind, permissions, mtime in whole seconds, content or target. */
export function describeTree(folder: string, prefix = ''): Record<string, string> {
  const tree: Record<string, string> = {};
  for (const name of readdirSync(join(folder, prefix)).sort()) {
    const path = `${prefix}${name}`;
    const stat = lstatSync(join(folder, path));
    const mode = (stat.mode & 0o7777).toString(8);
    const seconds = Math.floor(stat.mtimeMs / 1000);
    if (stat.isSymbolicLink()) tree[path] = `link to ${readlinkSync(join(folder, path))}`;
    else if (stat.isDirectory()) {
      tree[path] = `folder ${mode} ${seconds}`;
      Object.assign(tree, describeTree(folder, `${path}/`));
    } else {
      const hash = createHash('sha256')
        .update(readFileSync(join(folder, path)))
        .digest('hex');
      tree[path] = `file ${mode} ${seconds} ${stat.size} ${hash.slice(0, 16)}`;
    }
  }
  return tree;
}

/** The paths below a directory. */
export const pathsIn = (folder: string): string[] => Object.keys(describeTree(folder));

/** An entry of a tar archive of a test. */
export type TarEntry = Partial<Header> & { readonly name: string; readonly content?: string | Buffer };

/** A tar archive with arbitrary entries, including those that no tar program would write. */
export async function buildTar(...entries: TarEntry[]): Promise<Buffer> {
  const packer = pack();
  for (const { content = '', ...header } of entries) {
    if (header.type === undefined || header.type === 'file')
      packer.entry({ ...header }, Buffer.from(content));
    else packer.entry({ ...header });
  }
  packer.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of packer) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
