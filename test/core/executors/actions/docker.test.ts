import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  busybox,
  type TestContainerEngine,
  describeWithContainers,
} from '../../../harness/servers/containers.ts';
import { runStep, startStep } from '../step-harness.ts';
import { ActionServerFolder, composite, actionStep, writeFiles } from './action-harness.ts';

/** A Docker action with a script as its program. */
const docker = (script: string, rest = ''): Record<string, string> => ({
  'action.yml': `runs:\n  using: docker\n  image: Dockerfile\n${rest}`,
  Dockerfile: `FROM ${busybox}\nCOPY --chmod=755 *.sh /\nENTRYPOINT ["/main.sh"]\n`,
  'main.sh': `#!/bin/sh\n${script}\n`,
});

/** A working directory with an action in it. */
function place(files: Record<string, string>): string {
  const workingDir = join(new ActionServerFolder().folder, 'here');
  writeFiles(join(workingDir, 'it'), files);
  return workingDir;
}

const configOf = ({ socket }: TestContainerEngine) => ({ dockerSocket: socket, network: 'none' });

/** Names of images in addition to the one that always exists. */
const imagesOf = (engine: TestContainerEngine): string[] =>
  engine
    .podman('images', '--format', '{{.Repository}}:{{.Tag}}')
    .trim()
    .split('\n')
    .filter((name) => name !== busybox);

describeWithContainers('Docker action', (engine) => {
  test('is built and run with inputs, files and commands, and leaves nothing behind', async () => {
    const workingDir = place(
      docker(
        `echo "$1 $INPUT_WHO $EXTRA $PWD $HOME"
echo "::warning::careful"
echo "::add-mask::hush"
echo "hush" >&2
echo "seen=yes" >> "$GITHUB_OUTPUT"
cat "$GITHUB_EVENT_PATH"
test -w "$RUNNER_TEMP" && echo made > made.txt`,
        '  args: ["${{ inputs.who }}!"]\n  env: {EXTRA: "of ${{ github.job }}"}\ninputs: {who: {default: Ada}}\n',
      ),
    );
    const { end, stdout, stderr, step } = await runStep(actionStep('./it', { config: configOf(engine()) }), {
      workingDir,
    });
    expect(end).toEqual({ exitCode: 0, output: { seen: 'yes' } });
    expect(stdout).toBe('Ada! Ada of step /github/workspace /github/home\nWarning: careful\n{}\n');
    expect(stderr).toContain('*******\n');
    expect(stderr).not.toContain('hush');
    expect(step.files()).toEqual(['stderr.log', 'stdout.log']);
    expect(await engine().containers()).toEqual([]);
    expect(imagesOf(engine())).toEqual([]);
  });

  test('of a repository caches its image for the commit', async () => {
    const server = new ActionServerFolder();
    server.commit('o/d', docker('echo "from $GITHUB_ACTION_REPOSITORY"'), 'v1');
    const config = { ...configOf(engine()), githubInstance: server.url };
    const { stdout } = await runStep(actionStep('o/d@v1', { config }));
    expect(stdout).toBe('from o/d\n');
    expect(imagesOf(engine())).toEqual([expect.stringMatching(/stepwright-action:[0-9a-f]{24}$/)]);
    engine().podman('rmi', '--force', imagesOf(engine())[0]!);
  });

  test('can be an image', async () => {
    const inputs = { entrypoint: 'echo', args: '"a b" c' };
    const { end, stdout } = await runStep(
      actionStep(`docker://${busybox}`, { config: configOf(engine()), inputs }),
    );
    expect(stdout).toBe('a b c\n');
    expect(end).toEqual({ exitCode: 0, output: {} });
  });

  test('runs pre and post, also after a failure', async () => {
    const workingDir = place({
      ...docker(
        'echo "main $STATE_x"; echo "::error::went wrong"; exit 4',
        '  pre-entrypoint: /pre.sh\n  post-entrypoint: /post.sh\n  post-if: failure()\n',
      ),
      'pre.sh': '#!/bin/sh\necho "x=1" >> $GITHUB_STATE\n',
      'post.sh': '#!/bin/sh\necho "post $STATE_x"\n',
    });
    const { end, stdout } = await runStep(actionStep('./it', { config: configOf(engine()) }), { workingDir });
    expect(stdout).toBe('main 1\nError: went wrong\npost 1\n');
    expect(end).toEqual({ exitCode: 4, error: 'exit code 4: went wrong', output: {} });
    expect(imagesOf(engine())).toEqual([]);
  });

  test('works with steps of this machine in a composite action', async () => {
    const workingDir = place(
      composite('- {id: a, uses: ./sub}\n- {shell: bash, run: "cat made; echo ${{ steps.a.outputs.k }}"}'),
    );
    writeFiles(join(workingDir, 'sub'), docker('echo k=v >> $GITHUB_OUTPUT; echo file > made'));
    const { stdout } = await runStep(actionStep('./it', { config: configOf(engine()) }), { workingDir });
    expect(stdout.replaceAll(/▸.*\n/g, '')).toBe('file\nv\n');
  });

  test('gets the privileges configured in the step', async () => {
    const workingDir = place(docker('grep CapEff /proc/self/status'));
    const config = { ...configOf(engine()), capabilities: { drop: ['ALL'], add: ['CHOWN'] } };
    const { stdout } = await runStep(actionStep('./it', { config }), { workingDir });
    expect(stdout).toMatch(/CapEff:\s0+1\n/);
  });

  test('ends with its step', async () => {
    const workingDir = place(docker('echo ready; sleep 1000'));
    const step = startStep(actionStep('./it', { config: configOf(engine()) }), {
      workingDir,
      cleanUpMs: 200,
    });
    await step.ready();
    step.stop();
    await step.ended;
    expect(await engine().containers()).toEqual([]);
    expect(imagesOf(engine())).toEqual([]);
    expect(step.files()).toEqual(['stderr.log', 'stdout.log']);
  });

  test('reports the builder’s error when it cannot be built', async () => {
    const workingDir = place({ ...docker('x'), Dockerfile: `FROM ${busybox}\nCOPY nothing.here /\n` });
    const { end } = await runStep(actionStep('./it', { config: configOf(engine()) }), { workingDir });
    expect(end.error).toMatch(/copier: stat: "\/nothing\.here": no such file or directory/s);
  });
});

test('a Docker action reports a missing container engine', async () => {
  const workingDir = place(docker('x'));
  const { end } = await runStep(actionStep('./it', { config: { dockerSocket: '/nonexistent.sock' } }), {
    workingDir,
  });
  expect(end.error).toMatch(
    /^Cannot connect to the container engine of DOCKER_HOST: \/nonexistent\.sock \(socket not found\)\./,
  );
});
