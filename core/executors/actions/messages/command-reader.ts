import type { ActionRecord, SharedChanges } from './action-record.ts';
import { parseCommand, type WorkflowCommand } from './workflow-command.ts';

/** What is shown of commands and what they may do. */
export interface CommandPermissions {
  /** Whether messages for debugging are shown. */
  readonly debug: boolean;
  /** `ACTIONS_ALLOW_UNSECURE_COMMANDS`: lines of output may change variables and PATH. */
  readonly unsecure: boolean;
}

const levels: Readonly<Record<string, string>> = { error: 'Error', warning: 'Warning', notice: 'Notice' };

/** Carries out the commands in the output of one program, and makes of each line what the log shows. */
export class CommandReader {
  readonly #record: ActionRecord;
  readonly #changes: SharedChanges;
  readonly #permissions: CommandPermissions;
  /** While there is one, only the line with this name is a command. */
  #resumeName: string | undefined;

  constructor(record: ActionRecord, changes: SharedChanges, permissions: CommandPermissions) {
    this.#record = record;
    this.#changes = changes;
    this.#permissions = permissions;
  }

  /** @param line with its line break. @returns the same, what stands for it in the log, or nothing */
  read(line: string): string {
    const command = parseCommand(line.replace(/\r?\n$/, ''));
    if (command === undefined) return line;
    if (this.#resumeName !== undefined) {
      if (command.name !== this.#resumeName) return line;
      this.#resumeName = undefined;
      return '';
    }
    const shown = this.#carryOut(command);
    if (shown === undefined) return line;
    return shown === '' ? '' : `${shown}\n`;
  }

  /** @returns what the log shows; undefined for a line that only looks like a command */
  #carryOut(command: WorkflowCommand): string | undefined {
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
      // What other runners show of commands, and patterns that they look for in output.
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
      return this.#refuse(`::${name}:: requires a name, such as ::${name} name=key::value`);
    set(key);
    return '';
  }

  /** Whoever gets text into the output of an action could change what runs after it. */
  #unsecure({ name }: WorkflowCommand, carryOut: () => string): string {
    if (this.#permissions.unsecure) return carryOut();
    const file = name.toLowerCase() === 'add-path' ? 'GITHUB_PATH' : 'GITHUB_ENV';
    return this.#refuse(
      `::${name}:: is disabled because any program output could contain it. The action should write to the file in ${file}; as a workaround, set ACTIONS_ALLOW_UNSECURE_COMMANDS to true in "env".`,
    );
  }

  #refuse(reason: string): string {
    this.#record.refusal = reason;
    return `Error: ${reason}`;
  }
}

/** The message with its title and the place in a file that it is about. */
function describeMessage({ properties, value }: WorkflowCommand): string {
  const { file, line, col, title } = properties;
  const place = [file, line, col].filter((part) => part !== undefined).join(':');
  return [place, title, value].filter((part) => part !== undefined && part !== '').join(': ');
}
