import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseDocument } from 'yaml';

/** The parts of an `action.yml` that running the action needs. Every string may contain `${{ … }}`. */
export interface Manifest {
  /** Absolute path of the metadata file, for error messages. */
  readonly file: string;
  readonly name: string;
  readonly inputs: readonly InputDefinition[];
  readonly outputs: readonly { readonly name: string; readonly value: string | undefined }[];
  readonly runs: JavaScriptRuns | CompositeRuns | DockerRuns;
}

export interface InputDefinition {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly default: string | undefined;
  /** Deprecation message of the input. */
  readonly deprecation: string | undefined;
}

/** The pre and post stages of an action. */
export interface Stages<Program> {
  readonly pre: Program | undefined;
  /** Conditions; `always()` by default. */
  readonly preIf: string;
  readonly main: Program;
  readonly post: Program | undefined;
  readonly postIf: string;
}

/** Programs are paths relative to the action's folder. */
export interface JavaScriptRuns extends Stages<string> {
  readonly using: 'node';
  /** Major version of Node.js that the action asks for, for example 20. */
  readonly version: number;
}

export interface CompositeRuns {
  readonly using: 'composite';
  readonly steps: readonly CompositeStep[];
}

/** A step of a composite action. */
export interface CompositeStep {
  readonly id: string | undefined;
  /** Display name. Default: the command or the action. */
  readonly label: string;
  readonly if: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  /** Evaluates to true or false. */
  readonly continueOnError: string | undefined;
  readonly work:
    | {
        readonly kind: 'run';
        readonly run: string;
        readonly shell: string;
        readonly workingDirectory: string | undefined;
      }
    | { readonly kind: 'uses'; readonly uses: string; readonly with: Readonly<Record<string, string>> };
}

/** The entry points replace the entry point of the image. */
export interface DockerRuns extends Stages<string | undefined> {
  readonly using: 'docker';
  /** Path of a Dockerfile relative to the action's folder, or `docker://` followed by an image. */
  readonly image: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Accepted file names, in order of precedence. */
const fileNames = ['action.yml', 'action.yaml'] as const;

/** Larger files are rejected. Bytes. */
const sizeLimit = 1024 * 1024;

/**
 * Reads the metadata of the action in a folder. A folder that contains only a Dockerfile is an action, too.
 * @param folder absolute path
 * @param shown the action as the user wrote it
 * @throws ManifestError
 */
export async function readManifest(folder: string, shown: string): Promise<Manifest> {
  for (const name of fileNames) {
    const file = join(folder, name);
    const text = await readText(file);
    if (text !== undefined) return parseManifest(file, text);
  }
  if (await isFile(join(folder, 'Dockerfile'))) return dockerfileAlone(folder);
  throw new ManifestError(
    `Action ${shown} not found: the folder ${folder} has no action.yml, action.yaml or Dockerfile. For an action in a subfolder, use owner/name/folder@ref.`,
  );
}

/**
 * Parses an action metadata file.
 * @param file path for error messages
 * @throws ManifestError
 */
export function parseManifest(file: string, text: string): Manifest {
  const fields = new Fields(file, '', parse(file, text));
  return {
    file,
    name: fields.text('name') ?? '',
    inputs: readInputs(fields.map('inputs')),
    outputs: readOutputs(fields.map('outputs')),
    runs: readRuns(fields),
  };
}

function parse(file: string, text: string): unknown {
  const document = parseDocument(text, { prettyErrors: true, version: '1.2' });
  const [fault] = document.errors;
  if (fault !== undefined)
    throw new ManifestError(`Invalid YAML in ${file}: ${fault.message.split('\n')[0]}`);
  try {
    // Limit alias expansion: nested aliases can make a small file expand without bound.
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new ManifestError(`Cannot read ${file}: ${(error as Error).message}`, { cause: error });
  }
}

function readInputs(inputs: Fields): InputDefinition[] {
  return inputs.names.map((name) => {
    // An input without properties is written `name:`.
    const input = inputs.map(name);
    return {
      name,
      description: input.text('description') ?? '',
      required: input.flag('required'),
      default: input.text('default'),
      deprecation: input.text('deprecationMessage'),
    };
  });
}

const readOutputs = (outputs: Fields): Manifest['outputs'] =>
  outputs.names.map((name) => ({ name, value: outputs.map(name).text('value') }));

const dockerfileAlone = (folder: string): Manifest => ({
  file: join(folder, 'Dockerfile'),
  name: '',
  inputs: [],
  outputs: [],
  runs: imageRuns('Dockerfile'),
});

async function readText(file: string): Promise<string | undefined> {
  if (!(await isFile(file))) return undefined;
  const { size } = await stat(file);
  if (size > sizeLimit) throw new ManifestError(`${file} is too large for an action file (${size} bytes).`);
  return readFile(file, 'utf8');
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );

const always = 'always()';

/**
 * Reads `runs` of an action metadata file.
 * @throws ManifestError
 */
function readRuns(manifest: Fields): Manifest['runs'] {
  if (!manifest.has('runs')) throw manifest.fault('runs', 'is missing. It defines how the action runs');
  const runs = manifest.map('runs');
  const using = runs.requiredText('using', 'use node24, composite or docker').trim().toLowerCase();
  const node = /^node(\d+)$/.exec(using);
  if (node) return readJavaScript(runs, Number(node[1]));
  if (using === 'composite') return { using, steps: runs.maps('steps').map(readStep) };
  if (using === 'docker') return readDocker(runs);
  throw runs.fault('using', `is "${using}", but only node20, node24, composite and docker are supported`);
}

const readJavaScript = (runs: Fields, version: number): JavaScriptRuns => ({
  using: 'node',
  version,
  main: runs.requiredText('main', 'set the main program of the action'),
  ...readStages(runs, 'pre', 'post'),
});

/** Default properties for an action that is only an image. */
export const imageRuns = (image: string): DockerRuns => ({
  using: 'docker',
  image,
  args: [],
  env: {},
  pre: undefined,
  preIf: 'always()',
  main: undefined,
  post: undefined,
  postIf: 'always()',
});

const readDocker = (runs: Fields): DockerRuns => ({
  using: 'docker',
  image: runs.requiredText('image', 'use Dockerfile, or docker:// and an image'),
  args: runs.textList('args'),
  env: runs.textMap('env'),
  main: runs.text('entrypoint'),
  ...readStages(runs, 'pre-entrypoint', 'post-entrypoint'),
});

const readStages = (runs: Fields, pre: string, post: string) => ({
  pre: runs.text(pre),
  preIf: runs.text('pre-if') ?? always,
  post: runs.text(post),
  postIf: runs.text('post-if') ?? always,
});

function readStep(step: Fields): CompositeStep {
  const run = step.text('run');
  const uses = step.text('uses');
  if ((run === undefined) === (uses === undefined))
    throw step.fault('run', 'or "uses" is required, but not both');
  return {
    id: step.text('id'),
    label: step.text('name') ?? uses ?? firstLine(run ?? ''),
    if: step.text('if'),
    env: step.textMap('env'),
    continueOnError: step.text('continue-on-error'),
    work:
      uses === undefined
        ? {
            kind: 'run',
            run: run ?? '',
            shell: step.requiredText('shell', 'steps of composite actions require a shell, such as bash'),
            workingDirectory: step.text('working-directory'),
          }
        : { kind: 'uses', uses, with: step.textMap('with') },
  };
}

const firstLine = (text: string): string => text.trim().split('\n')[0] ?? '';

/** An action metadata file that is invalid. */
class ManifestError extends Error {
  override readonly name = 'ManifestError';
}

type Values = Readonly<Record<string, unknown>>;

/** One map of a metadata file with its path for error messages. Every accessor checks the type of the field. */
class Fields {
  readonly #values: Values;
  readonly #file: string;
  readonly #path: string;

  constructor(file: string, path: string, value: unknown) {
    this.#file = file;
    this.#path = path;
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new ManifestError(`${file}: ${path === '' ? 'the file' : path} must be a map.`);
    this.#values = value as Values;
  }

  get names(): string[] {
    return Object.keys(this.#values);
  }

  has(name: string): boolean {
    const value = this.#values[name];
    return value !== undefined && value !== null;
  }

  /**
   * Returns a string, number or boolean as a string.
   * @throws ManifestError for any other type
   */
  text(name: string): string | undefined {
    if (!this.has(name)) return undefined;
    const value = this.#values[name];
    if (typeof value === 'string') return value;
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    throw this.fault(name, 'must be a string');
  }

  /** @param why reason why the field is required, for the error message */
  requiredText(name: string, why: string): string {
    const text = this.text(name);
    if (text === undefined || text.trim() === '') throw this.fault(name, `is missing: ${why}`);
    return text;
  }

  flag(name: string): boolean {
    return this.text(name)?.trim().toLowerCase() === 'true';
  }

  map(name: string): Fields {
    return new Fields(this.#file, this.getPath(name), this.has(name) ? this.#values[name] : {});
  }

  textMap(name: string): Record<string, string> {
    const map = this.map(name);
    return Object.fromEntries(map.names.map((key) => [key, map.text(key) ?? '']));
  }

  list(name: string): unknown[] {
    const value = this.#values[name] ?? [];
    if (!Array.isArray(value)) throw this.fault(name, 'must be a list');
    return value;
  }

  textList(name: string): string[] {
    return this.list(name).map((item) => {
      if (typeof item === 'string') return item;
      if (typeof item === 'number' || typeof item === 'boolean') return String(item);
      throw this.fault(name, 'must be a list of strings');
    });
  }

  maps(name: string): Fields[] {
    return this.list(name).map(
      (item, index) => new Fields(this.#file, `${this.getPath(name)}[${index}]`, item),
    );
  }

  fault(name: string, what: string): ManifestError {
    return new ManifestError(`${this.#file}: ${this.getPath(name)} ${what}.`);
  }

  getPath(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`;
  }
}
