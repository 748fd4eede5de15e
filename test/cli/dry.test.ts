import { existsSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { DryRunView } from '../../core/contract/dry.ts';
import { makeTestHome, runEngine, runForJson, saveDag } from '../harness/home-and-command.ts';

const etl = `
params: [{ DATE: "\`touch made; echo today\`" }, { REGION: north }]
steps: [{ name: get, command: [touch, "\${REGION}-\${DATE}"] }]
`;

describe('engine dry', () => {
  it('shows the plan without running anything', async () => {
    const place = makeTestHome({ isNew: true });
    saveDag(place, 'etl', etl);
    const { code, stdout, stderr } = await runEngine(place, ['dry', 'etl', '--', 'REGION=south']);
    expect(stdout).toContain("program      touch 'south-`touch made; echo today`'\n");
    expect(stdout).toMatch(/✔ Dry run: .*\n.* Run them with --run-substitutions\.\n$/);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(existsSync(`${place.home}/dags/made`)).toBe(false);
    expect(existsSync(`${place.home}/data`)).toBe(false);
  });

  it('prints the whole plan as JSON, and runs substitutions on request', async () => {
    const place = makeTestHome();
    saveDag(place, 'etl', etl);
    const args = ['dry', 'etl', '-N', 'other', '-p', 'REGION="far south"', '--run-substitutions'];
    const { code, json } = await runForJson(place, args);
    const view = json as unknown as DryRunView;
    expect(view).toMatchObject({ name: 'other', runnable: true, ranSubstitutions: true, findings: [] });
    expect(view.plans[0]?.steps[0]?.action).toEqual({
      kind: 'argv',
      argv: [{ value: 'touch' }, { value: 'far south-today' }],
    });
    expect(code).toBe(0);
    expect(existsSync(`${place.home}/dags/made`)).toBe(true);
  });

  it('fails when the run would fail, with the reason', async () => {
    const place = makeTestHome();
    saveDag(place, 'etl', `${etl}secrets: [{ name: KEY, provider: env, key: NOT_THERE }]\n`);
    const { code, stdout } = await runEngine(place, ['dry', 'etl']);
    expect(stdout).toContain('✖ error etl, secrets.KEY: secret KEY');
    expect(stdout).toMatch(/✖ Dry run: the run would fail \(1 error\)\./);
    expect(code).toBe(1);
  });

  it('creates no home', async () => {
    const place = makeTestHome();
    const file = saveDag(place, 'etl', etl);
    const elsewhere = { ...place, home: `${place.cwd}/no-home` };
    expect(await runEngine(elsewhere, ['dry', file])).toMatchObject({ code: 0 });
    expect(existsSync(elsewhere.home)).toBe(false);
    rmSync(file);
    expect(await runEngine(elsewhere, ['dry', file])).toMatchObject({ code: 3 });
  });

  it('rejects invalid input', async () => {
    const place = makeTestHome();
    saveDag(place, 'bad', 'steps: 3\n');
    expect(await runEngine(place, ['dry', 'bad'])).toMatchObject({ code: 1, stdout: '' });
    saveDag(place, 'etl', etl);
    expect(await runEngine(place, ['dry', 'etl', 'X=1'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        'hint: Put parameters after --, for example: engine dry DAG -- NAME=value',
      ),
    });
    expect(await runEngine(place, ['dry', 'etl', '-p', 'A=1', '--', 'B=1'])).toMatchObject({ code: 2 });
  });
});
