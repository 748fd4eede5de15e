import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { Transform, type TransformCallback } from 'node:stream';
import { truncate, stripBom } from '../../base/text.ts';

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
   * @returns the line for the log; empty if it is not logged
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

  /** @returns the line for the log; undefined if the line is not a known command */
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
        this.#record.lastError = formatMessage(command);
        return `${levels['error']}: ${this.#record.lastError}`;
      case 'warning':
      case 'notice':
        return `${levels[name.toLowerCase()]}: ${formatMessage(command)}`;
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
function formatMessage({ properties, value }: WorkflowCommand): string {
  const { file, line, col, title } = properties;
  const location = [file, line, col].filter((part) => part !== undefined).join(':');
  return [location, title, value].filter((part) => part !== undefined && part !== '').join(': ');
}

/** A workflow command: `::name key=value,key=value::value`. */
interface WorkflowCommand {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly value: string;
}

/** Parses a line of output as a workflow command and decodes its escapes. Returns undefined for other lines. */
export function parseCommand(line: string): WorkflowCommand | undefined {
  const text = line.trimStart();
  if (!text.startsWith('::')) return undefined;
  const end = text.indexOf('::', 2);
  if (end < 0) return undefined;
  const head = text.slice(2, end);
  const space = head.indexOf(' ');
  const name = (space < 0 ? head : head.slice(0, space)).trim();
  if (name === '') return undefined;
  const properties = space < 0 ? {} : parseProperties(head.slice(space + 1));
  return { name, properties, value: unescapeValue(text.slice(end + 2)) };
}

function parseProperties(text: string): Record<string, string> {
  const pairs = text.split(',').map((pair) => {
    const equals = pair.indexOf('=');
    const key = equals < 0 ? pair : pair.slice(0, equals);
    return [key.trim(), equals < 0 ? '' : unescapeProperty(pair.slice(equals + 1))] as const;
  });
  return Object.fromEntries(pairs.filter(([key, value]) => key !== '' && value !== ''));
}

const unescapeValue = (text: string): string =>
  text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%');

const unescapeProperty = (text: string): string =>
  unescapeValue(text.replaceAll('%3A', ':').replaceAll('%2C', ','));

/** Files that a program writes commands to, by the environment variable that holds the path. */
export const commandFiles = {
  GITHUB_OUTPUT: 'output',
  GITHUB_ENV: 'env',
  GITHUB_PATH: 'path',
  GITHUB_STATE: 'state',
  GITHUB_STEP_SUMMARY: 'summary',
} as const;
type FileVariable = keyof typeof commandFiles;

/** Larger files are rejected because the file is read into memory. Bytes. */
const sizeLimit = 16 * 1024 * 1024;

/** Reserved variables of the runner, and `NODE_OPTIONS`, which could make any Node.js process load untrusted code. */
const protectedVariable = /^(GITHUB_|RUNNER_|NODE_OPTIONS$)/i;

/**
 * Creates the empty command files in a new folder.
 * @returns their environment variables
 */
export async function makeCommandFiles(folder: string): Promise<Record<FileVariable, string>> {
  await mkdir(folder, { recursive: true });
  const entries = Object.entries(commandFiles).map(
    ([variable, name]) => [variable, join(folder, name)] as const,
  );
  for (const [, file] of entries) await writeFile(file, '');
  return Object.fromEntries(entries) as Record<FileVariable, string>;
}

/**
 * Reads the command files of a program, applies their content and deletes them. Rejects if a file has an invalid
 * format.
 * @returns the job summary; empty if there is none
 */
export async function takeCommandFiles(
  folder: string,
  record: ActionRecord,
  changes: JobChanges,
): Promise<string> {
  const read = (variable: FileVariable): Promise<string> =>
    readLimited(join(folder, commandFiles[variable]), variable);
  for (const [name, value] of parsePairs(await read('GITHUB_OUTPUT'), 'GITHUB_OUTPUT'))
    record.outputs.set(name, value);
  for (const [name, value] of parsePairs(await read('GITHUB_STATE'), 'GITHUB_STATE'))
    record.state.set(name, value);
  for (const [name, value] of parsePairs(await read('GITHUB_ENV'), 'GITHUB_ENV')) {
    if (protectedVariable.test(name))
      throw new Error(`the action wrote ${name} to GITHUB_ENV, but actions cannot change this variable`);
    changes.setVariable(name, value);
  }
  for (const line of (await read('GITHUB_PATH')).split(/\r?\n/))
    if (line.trim() !== '') changes.addPath(line.trim());
  const summary = await read('GITHUB_STEP_SUMMARY');
  await rm(folder, { recursive: true, force: true });
  return summary;
}

/**
 * Parses `name=value` lines and `name<<delimiter` blocks, which end at a line with only the delimiter.
 * @throws if a line is neither
 */
export function parsePairs(text: string, variable: string): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at]!.replace(/\r$/, '');
    if (line === '') continue;
    const equals = line.indexOf('=');
    const heredoc = line.indexOf('<<');
    if (heredoc >= 0 && (equals < 0 || heredoc < equals)) {
      const name = line.slice(0, heredoc);
      const mark = line.slice(heredoc + 2);
      const end = findMark(lines, at + 1, mark);
      if (name === '' || mark === '') throw badLine(variable, line);
      if (end < 0)
        throw new Error(
          `${variable}: the value of "${name}" has no end: missing line "${truncate(mark, 80)}"`,
        );
      pairs.push([
        name,
        lines
          .slice(at + 1, end)
          .join('\n')
          .replace(/\r$/, ''),
      ]);
      at = end;
    } else if (equals > 0) pairs.push([line.slice(0, equals), line.slice(equals + 1)]);
    else throw badLine(variable, line);
  }
  return pairs;
}

/** @returns the index of the line, or -1 */
function findMark(lines: readonly string[], from: number, mark: string): number {
  for (let at = from; at < lines.length; at += 1) if (lines[at]!.replace(/\r$/, '') === mark) return at;
  return -1;
}

const badLine = (variable: string, line: string): Error =>
  new Error(`${variable}: "${truncate(line, 80)}" is neither name=value nor name<<MARK`);

/** Returns an empty string if the program deleted the file. */
async function readLimited(file: string, variable: string): Promise<string> {
  try {
    const bytes = await readFile(file);
    if (bytes.length > sizeLimit)
      throw new Error(`${variable} is ${bytes.length} bytes (the limit is ${sizeLimit})`);
    return stripBom(bytes.toString('utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** The outputs, state and errors of one use of an action, across its pre, main and post stages. */
export class ActionRecord {
  readonly outputs = new Map<string, string>();
  /** Passed from one stage to the next. */
  readonly state = new Map<string, string>();
  /** Message of the last `error` command. */
  lastError: string | undefined;
  /** Reason why the action fails whatever its exit code: it used a command that is not allowed. */
  refusal: string | undefined;
}

/** Changes that an action makes for everything that runs after it in the same step. */
export interface JobChanges {
  setVariable(name: string, value: string): void;
  addPath(folder: string): void;
  /** Masks the value from now on. */
  addMask(value: string): void;
}

/** A longer line is split into pieces of this size, in UTF-16 code units. */
const maxLineLength = 1024 * 1024;

/**
 * Splits the output of a program into whole lines and passes them to a callback. Has no readable output: the callback
 * writes the lines elsewhere.
 */
export class LineStream extends Transform {
  readonly #take: (lines: string[]) => Promise<void>;
  readonly #decoder = new StringDecoder('utf8');
  #partial = '';

  /**
   * @param take receives lines with their line breaks; only the last line of the stream may lack one. Must not reject
   */
  constructor(take: (lines: string[]) => Promise<void>) {
    super();
    this.#take = take;
  }

  override _transform(piece: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const text = this.#partial + this.#decoder.write(piece);
    const end = text.length > maxLineLength ? text.length : text.lastIndexOf('\n') + 1;
    this.#partial = text.slice(end);
    void this.#hand(text.slice(0, end), done);
  }

  override _flush(done: TransformCallback): void {
    void this.#hand(this.#partial + this.#decoder.end(), done);
  }

  async #hand(text: string, done: TransformCallback): Promise<void> {
    if (text !== '') await this.#take(text.match(/[^\n]*\n|[^\n]+$/g) ?? []);
    done();
  }
}
