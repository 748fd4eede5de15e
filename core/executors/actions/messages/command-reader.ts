import type { ActionRecord, JobChanges } from './action-record.ts';
import { parseCommand, type WorkflowCommand } from './workflow-command.ts';

/** Settings that control which commands are shown and allowed. */
export interface CommandPermissions {
  /** Whether debug messages are shown. */
  readonly debug: boolean;
  /** `ACTIONS_ALLOW_UNSECURE_COMMANDS`: commands in the output may change variables and PATH. */
  readonly unsecure: boolean;
}

const levels: Readonly<Record<string, string>> = { error: 'Error', warning: 'Warning', notice: 'Notice' };

/** Runs the workflow commands in the output of one program and converts each line for the log. */
export class CommandReader {
  readonly #record: ActionRecord;
  readonly #changes: JobChanges;
  readonly #permissions: CommandPermissions;
  /** While set, commands are disabled until a line with this name. */
  #resumeName: string | undefined;

  constructor(record: ActionRecord, changes: JobChanges, permissions: CommandPermissions) {
    this.#record = record;
    this.#changes = changes;
    this.#permissions = permissions;
  }

  /**
   * @param line with its line break
   * @returns the line as the log shows it; empty if the log does not show it
   */
  read(line: string): string {
    const command = parseCommand(line.replace(/\r?\n$/, ''));
    if (command === undefined) return line;
    if (this.#resumeName !== undefined) {
      if (command.name !== this.#resumeName) return line;
      this.#resumeName = undefined;
      return '';
    }
    const shown = this.#execute(command);
    if (shown === undefined) return line;
    return shown === '' ? '' : `${shown}\n`;
  }

  /** @returns the line that the log shows; undefined if the line is not a known command */
  #execute(command: WorkflowCommand): string | undefined {
    const { name, value } = command;
    switch (name.toLowerCase()) {
      case 'set-output':
        return this.#withName(command, (key) => this.#record.outputs.set(key, value));
      case 'save-state':
        return this.#withName(command, (key) => this.#record.state.set(key, value));
      case 'set-env':
        return this.#unsecure(command, () =>
          this.#withName(command, (key) => this.#changes.setVariable(key, value)),
        );
      case 'add-path':
        return this.#unsecure(command, () => (this.#changes.addPath(value), ''));
      case 'add-mask':
        if (value.trim() !== '') this.#changes.addMask(value);
        return '';
      case 'error':
        this.#record.lastError = describeMessage(command);
        return `${levels['error']}: ${this.#record.lastError}`;
      case 'warning':
      case 'notice':
        return `${levels[name.toLowerCase()]}: ${describeMessage(command)}`;
      case 'debug':
        return this.#permissions.debug ? `Debug: ${value}` : '';
      case 'group':
        return `▸ ${value}`;
      case 'stop-commands':
        this.#resumeName = value.trim() === '' ? undefined : value.trim();
        return '';
      // Commands that only affect how other runners display the log, and problem matchers.
      case 'endgroup':
      case 'echo':
      case 'add-matcher':
      case 'remove-matcher':
        return '';
      default:
        return undefined;
    }
  }

  #withName({ name, properties }: WorkflowCommand, set: (key: string) => void): string {
    const key = properties['name'];
    if (key === undefined)
      return this.#reject(`::${name}:: requires a name, such as ::${name} name=key::value`);
    set(key);
    return '';
  }

  /** Without this check, untrusted text in the output of an action could change what runs after it. */
  #unsecure({ name }: WorkflowCommand, carryOut: () => string): string {
    if (this.#permissions.unsecure) return carryOut();
    const file = name.toLowerCase() === 'add-path' ? 'GITHUB_PATH' : 'GITHUB_ENV';
    return this.#reject(
      `::${name}:: is disabled because any program output could contain it. The action should write to the file in ${file}; as a workaround, set ACTIONS_ALLOW_UNSECURE_COMMANDS to true in "env".`,
    );
  }

  #reject(reason: string): string {
    this.#record.refusal = reason;
    return `Error: ${reason}`;
  }
}

/** Formats a message with its title and the file position it refers to. */
function describeMessage({ properties, value }: WorkflowCommand): string {
  const { file, line, col, title } = properties;
  const location = [file, line, col].filter((part) => part !== undefined).join(':');
  return [location, title, value].filter((part) => part !== undefined && part !== '').join(': ');
}
