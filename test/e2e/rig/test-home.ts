import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createLatch, type Latch } from './latch.ts';

export const ROOT = path.resolve(import.meta.dirname, '../../..');

/** The built `engine` command. */
export const ENGINE_FILE = path.join(ROOT, 'out/cli/engine.js');

/** A run as printed by `engine history --format json`. */
export interface HistoryRun {
  readonly name: string;
  readonly dagRunId: string;
  readonly status: string;
}

/** A folder of one test: the engine's home, and space for files that its workflows write. */
export class TestHome {
  readonly folder = mkdtempSync(path.join(os.tmpdir(), 'stepwright-e2e-'));
  readonly home = path.join(this.folder, 'home');

  /** Saves a workflow in the home's workflow folder. */
  saveWorkflow(name: string, text: string): void {
    writeFileSync(path.join(this.makeWorkflowFolder(), `${name}.yaml`), text);
  }

  /** A workflow folder that exists before the first start gets no samples. */
  makeWorkflowFolder(): string {
    const folder = path.join(this.home, 'dags');
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  listWorkflowFiles(): readonly string[] {
    return readdirSync(this.makeWorkflowFolder());
  }

  /** Removes the workflow files that a test has added. */
  removeWorkflowsExcept(files: ReadonlySet<string>): void {
    for (const file of this.listWorkflowFiles())
      if (!files.has(file)) rmSync(path.join(this.makeWorkflowFolder(), file), { recursive: true });
  }

  gate(name: string): Latch {
    return createLatch(this.folder, name);
  }

  /** A path for a file of a workflow, and whether it exists. */
  file(name: string): string {
    return path.join(this.folder, name);
  }

  has(name: string): boolean {
    return existsSync(this.file(name));
  }

  /** Runs in this home, newest first, as listed by the command line. */
  async readHistory(): Promise<readonly HistoryRun[]> {
    const words = [ENGINE_FILE, 'history', '--format', 'json', '--engine-home', this.home];
    const { stdout } = await promisify(execFile)(process.execPath, words);
    return (JSON.parse(stdout) as { dagRuns: HistoryRun[] }).dagRuns;
  }

  /** Adds a user locally, as `engine users create` does. */
  async createUser(name: string, role: string, password: string): Promise<void> {
    const words = ['users', 'create', name, '--role', role, '--password-stdin', '--engine-home', this.home];
    const created = promisify(execFile)(process.execPath, [ENGINE_FILE, ...words]);
    created.child.stdin?.end(`${password}\n`);
    await created;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
