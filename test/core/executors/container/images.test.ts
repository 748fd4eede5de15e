import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { busybox, describeWithContainers, ImageRegistry } from '../../../harness/servers/containers.ts';
import { runWorkflow, type FinishedRun } from '../step-harness.ts';

describeWithContainers('images', (engine) => {
  let registry: ImageRegistry;
  let image: string;
  beforeAll(async () => {
    registry = await ImageRegistry.start(mkdtempSync(join(engine().folder, 'registry-')));
    image = `${registry.host}/private/tool:1`;
    await engine().trust(registry.host);
    const login = `${registry.user}:${registry.password}`;
    engine().podman('push', '--quiet', '--tls-verify=false', '--creds', login, busybox, image);
  }, 30_000);
  afterAll(() => registry.stop());

  const run = (fields: object, step: object = {}): Promise<FinishedRun> =>
    runWorkflow(engine(), {
      ...fields,
      steps: [
        {
          name: 'a',
          container: { image, network: 'none', pullPolicy: 'always' },
          command: 'echo got it',
          ...step,
        },
      ],
    });

  test('are pulled with a login from registryAuths, in each of its forms', async () => {
    const { user: username, password } = registry;
    const auth = Buffer.from(`${username}:${password}`).toString('base64');
    const forms = [
      { registryAuths: { [registry.host]: { username, password: '${PASS}' } }, env: [{ PASS: password }] },
      { registryAuths: { [registry.host]: { auth } } },
      { registryAuths: { [registry.host]: { username, token: password } } },
      { registryAuths: { [`http://${registry.host}/v2/`]: JSON.stringify({ username, password }) } },
      { registryAuths: JSON.stringify({ auths: { [registry.host]: { auth } } }) },
      {
        registryAuths: '${AUTHS}',
        env: [{ AUTHS: JSON.stringify({ [registry.host]: { username, password } }) }],
      },
    ];
    for (const form of forms) {
      const { stdout, stderr } = await run(form);
      expect(stdout('a')).toBe('got it\n');
      expect(stderr('a')).toMatch(new RegExp(`^Pulling ${image} as ${username}\n`));
      expect(stderr('a').split('\n').length).toBeLessThan(10);
      expect(stderr('a')).not.toContain(password);
    }
  });

  test('that need a login report it, and never show one', async () => {
    engine().podman('rmi', '--force', image);
    const without = await run({});
    expect(without.end('a').error).toMatch(/reading manifest 1 in/s);
    const wrong = await run({
      registryAuths: { [registry.host]: { username: 'robot', password: 'wr0ng-one' } },
    });
    expect(wrong.end('a').error).toMatch(
      /Check the credentials for 127\.0\.0\.1:[0-9]+ in "registryAuths"\.$/,
    );
    expect(wrong.end('a').error).not.toContain('wr0ng');
    const unreadable = await run({ registryAuths: '{"secret-half' });
    expect(unreadable.end('a').error).toMatch(
      /^registryAuths must be a map of registry hosts to credentials, or the same as a JSON string\./,
    );
    expect(unreadable.end('a').error).not.toContain('secret-half');
  });

  test('are pulled when missing, or never, as configured', async () => {
    const { user: username, password, host } = registry;
    const registryAuths = { [host]: { username, password } };
    const never = {
      type: 'docker',
      config: { image, pull: 'false', host: { NetworkMode: 'none' } },
      container: undefined,
    };
    expect((await run({ registryAuths }, never)).end('a').error).toMatch(
      /and the pull policy is "never"\. Pull or build the image, or change the pull policy\./,
    );
    const missing = { container: { image, network: 'none' } };
    expect((await run({ registryAuths }, missing)).stderr('a')).toMatch(/^Pulling /);
    expect((await run({ registryAuths }, missing)).stderr('a')).toBe('');
    expect((await run({ registryAuths }, never)).stdout('a')).toBe('got it\n');
  });

  test('for another platform are not used', async () => {
    const here = `linux/${process.arch === 'x64' ? 'amd64' : process.arch}`;
    const runOn = (platform: string): Promise<FinishedRun> =>
      run({}, { container: { image: busybox, network: 'none', platform, pullPolicy: 'never' } });
    expect((await runOn(here)).stdout('a')).toBe('got it\n');
    const elsewhere = await runOn('linux/s390x');
    expect(elsewhere.end('a').error).toMatch(
      /Image localhost\/busybox:test for linux\/s390x not found on the.*, and the pull policy is "never"/,
    );
  });

  test('that do not exist fail the step with the engine’s message', async () => {
    const { end } = await run({}, { container: { image: 'localhost/none:1' } });
    expect(end('a').error).toMatch(/^Cannot pull the image localhost\/none:1: /);
  });
});
