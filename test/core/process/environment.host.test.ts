import { expect, it } from 'vitest';
import { HostEnvironment } from '../../../core/process/environment.ts';
import { stdoutOf, TestEngine } from '../../harness/engine.ts';

it('is the initial environment with the last change over it', () => {
  const host = new HostEnvironment({ PATH: '/bin', HTTP_PROXY: 'http://old' });
  const { environment, passed } = host.snapshot;
  host.change({ HTTP_PROXY: 'http://new', NO_PROXY: 'localhost' }, ['HTTP_PROXY']);
  expect(environment).toEqual({ PATH: '/bin', HTTP_PROXY: 'http://new', NO_PROXY: 'localhost' });
  expect([...passed]).toEqual(['HTTP_PROXY']);
  host.change({ HTTP_PROXY: '' }, []);
  expect(environment).toEqual({ PATH: '/bin' });
  host.change({}, []);
  expect(environment).toEqual({ PATH: '/bin', HTTP_PROXY: 'http://old' });
  expect(passed.size).toBe(0);
});

const spec = (more = ''): string => `${more}steps:
  - name: show
    command: printf '%s,%s' "$SITE_PROXY" "$DECLARED"
    env:
      - DECLARED: \${SITE_PROXY}
`;

it('reaches later runs: some variables directly, the rest where a workflow declares it', async () => {
  const engine = new TestEngine();
  const show = async (more?: string): Promise<string> => stdoutOf(await engine.run(spec(more)), 'show');
  engine.host.changeVariables({ SITE_PROXY: 'http://p:1' }, []);
  expect(await show()).toBe(',http://p:1');
  engine.host.changeVariables({ SITE_PROXY: 'http://p:2' }, ['SITE_PROXY']);
  expect(await show()).toBe('http://p:2,http://p:2');
  expect(await show('env:\n  - SITE_PROXY: http://own\n')).toBe('http://own,http://own');
  engine.host.changeVariables({ SITE_PROXY: '' }, ['SITE_PROXY']);
  expect(await show()).toBe(',');
});

it('does not change active runs, but applies to a part of a value that a command produces', async () => {
  const engine = new TestEngine();
  engine.host.changeVariables({ SITE_PROXY: 'http://p:1' }, ['SITE_PROXY']);
  const run = await engine.start(`env:
  - MADE: '\`printf "$SITE_PROXY"\`'
steps:
  - name: wait
    command: sleep 0.3
  - name: show
    command: printf '%s,%s' "$SITE_PROXY" "$MADE"
`);
  await engine.untilRun(run, ({ steps }) => steps[0]?.status === 'running');
  engine.host.changeVariables({ SITE_PROXY: 'http://p:2' }, ['SITE_PROXY']);
  expect(stdoutOf(await engine.end(run), 'show')).toBe('http://p:1,http://p:1');
});
