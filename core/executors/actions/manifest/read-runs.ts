import type { Fields } from './fields.ts';
import type { CompositeStep, DockerRuns, JavaScriptRuns, Manifest } from './manifest.ts';

const always = 'always()';

/**
 * Reads `runs` of an action metadata file.
 * @throws ManifestError
 */
export function readRuns(manifest: Fields): Manifest['runs'] {
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
