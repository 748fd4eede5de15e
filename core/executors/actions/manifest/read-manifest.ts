import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { Fields, ManifestError } from './fields.ts';
import { imageRuns, readRuns } from './read-runs.ts';
import type { InputDefinition, Manifest } from './manifest.ts';

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
