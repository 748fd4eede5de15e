import { readFileSync, rmSync } from 'node:fs';
import { AppError } from '../../base/errors.ts';
import { stripBom } from '../../base/text.ts';
import { writeFileDurable } from '../../process/write-file-durable.ts';
import { captureCommand } from '../../process/capture.ts';
import { planLaunchd, planScheduledTask, planSystemd } from './formats.ts';
import type { ManagerOutput, ManagerCommand, ServiceInfo, ServicePlan } from './service-info.ts';
import { findServiceInfo, type ServiceOptions } from './find-service-info.ts';

/** Runs a command of the service manager. Never rejects. */
export type RunCommand = (argv: readonly string[]) => Promise<ManagerOutput>;

/** Current state of a home's service. */
export interface ServiceStatus {
  readonly manager: ServicePlan['manager'];
  readonly name: string;
  /** Path of its definition, which may not exist. */
  readonly file: string;
  readonly installed: boolean;
  /** Whether it starts with the user session. */
  readonly enabled: boolean;
  readonly running: boolean;
  /** Installed by another release or from another path; reinstalling updates it. */
  readonly outdated: boolean;
  /** Why the service manager is not available, and what to do. */
  readonly problem?: string;
}

const planners = { linux: planSystemd, darwin: planLaunchd, win32: planScheduledTask } as const;

/** Returns the definition and commands for a home's service. */
export const planService = (info: ServiceInfo): ServicePlan => planners[info.platform](info);

/**
 * Manages a service that runs `engine start-all` of a home for this user, with the system's service manager. Every
 * method except `status` rejects with `unavailable` if the manager fails.
 */
export class ServiceControl {
  readonly #plan: ServicePlan;
  readonly #run: RunCommand;

  constructor(plan: ServicePlan, run: RunCommand) {
    this.#plan = plan;
    this.#run = run;
  }

  async status(): Promise<ServiceStatus> {
    const { manager, name, file } = this.#plan;
    const state = this.#plan.parseState(await this.#run(this.#plan.query));
    const currentFile = this.#readFile();
    const { problem } = state;
    return {
      manager,
      name,
      file,
      installed: currentFile !== undefined,
      enabled: state.isEnabled,
      running: state.isRunning,
      outdated: currentFile !== undefined && currentFile !== this.#plan.text,
      ...(problem !== undefined && { problem: `${problem}. ${advice[manager]}` }),
    };
  }

  /** Writes and registers the definition, and starts the engine; an existing service is updated. */
  async install(): Promise<void> {
    const before = this.#readFile();
    this.#writeFile(this.#plan.text);
    try {
      await this.#notify(this.#plan.install);
    } catch (error) {
      if (before === undefined) rmSync(this.#plan.file, { force: true });
      else this.#writeFile(before);
      throw error;
    }
  }

  /** Stops the engine gracefully and removes the definition; the home stays unchanged. */
  async uninstall(): Promise<void> {
    await this.#notify(this.#plan.uninstall);
    rmSync(this.#plan.file, { force: true });
    await this.#notify(this.#plan.forget);
  }

  async start(): Promise<void> {
    this.#assertInstalled();
    await this.#notify(this.#plan.start);
  }

  /** Stops the service; it starts again with the next session. */
  async stop(): Promise<void> {
    this.#assertInstalled();
    await this.#notify(this.#plan.stop);
  }

  async #notify(commands: readonly ManagerCommand[]): Promise<void> {
    for (const { argv, mayFail = false } of commands) {
      const { exitCode, error } = await this.#run(argv);
      if (exitCode === 0 || mayFail) continue;
      throw new AppError(
        'unavailable',
        `${argv.join(' ')} failed: ${error ?? `exit code ${exitCode}`}. ${advice[this.#plan.manager]}`,
      );
    }
  }

  #assertInstalled(): void {
    if (this.#readFile() !== undefined) return;
    throw new AppError('not_found', `Service ${this.#plan.name} is not installed.`, {
      details: { hint: 'Run "engine service install".' },
    });
  }

  #readFile(): string | undefined {
    try {
      return stripBom(readFileSync(this.#plan.file, this.#plan.encoding));
    } catch {
      return undefined;
    }
  }

  #writeFile(text: string): void {
    const { file, encoding } = this.#plan;
    const bom = encoding === 'utf16le' ? '\uFEFF' : '';
    writeFileDurable(file, `${bom}${text}`, { encoding });
  }
}

const advice = {
  systemd:
    'A systemd user session is required (systemctl --user status). In a container or over SSH, run "engine start-all" with another service manager.',
  launchd: 'A desktop session is required. Over SSH, run "engine start-all" instead.',
  'task scheduler': 'Check the task in the Task Scheduler, or run "engine start-all" instead.',
} as const;

/** Larger than any output of a service manager. */
const maxBytes = 256 * 1024;

/** Returns the service of a home on this machine. Throws `bad_request` if there is no service manager. */
export function openService(options: ServiceOptions): ServiceControl {
  const env = Object.fromEntries(
    Object.entries(options.environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return new ServiceControl(planService(findServiceInfo(options)), (argv) =>
    captureCommand({ argv, env, cwd: process.platform === 'win32' ? options.home : '/', maxBytes }),
  );
}
