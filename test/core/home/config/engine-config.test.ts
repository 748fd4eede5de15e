import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../core/base/errors.ts';
import { loadEngineConfig, type LoadedConfig } from '../../../../core/home/config/engine-config.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';
import { defaultConfig } from '../../../harness/engine.ts';

function load(text: string, environment: Record<string, string> = {}): LoadedConfig {
  const home = makeTemporaryFolder();
  writeFileSync(path.join(home, 'config.yaml'), text);
  return loadEngineConfig({ home, environment });
}

function thrownBy(action: () => unknown): AppError {
  try {
    action();
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  throw new Error('nothing was rejected');
}

describe('configuration file', () => {
  test('is optional and may be empty', () => {
    const home = makeTemporaryFolder();
    expect(loadEngineConfig({ home, environment: {} })).toMatchObject({
      config: defaultConfig,
      warnings: [],
    });
    expect(load('# nothing yet\n').config).toEqual(defaultConfig);
    expect(load('scheduler:\nqueues:\n  config:\n').config).toEqual(defaultConfig);
    expect(defaultConfig.scheduler).toMatchObject({ port: 8090, zombieDetectionInterval: 45 });
  });

  test('overrides defaults', () => {
    const { config, warnings } = load(`
tz: Europe/Berlin
scheduler: {port: 0, zombie_detection_interval: 1m30s, catchup: last, catchupWindow: 7d}
queues:
  enabled: false
  config:
    - {name: etl, maxConcurrency: 2}
monitoring: {interval: 10s, retention: 2h}
`);
    expect(warnings).toEqual([]);
    expect(config).toEqual({
      ...defaultConfig,
      tz: 'Europe/Berlin',
      scheduler: {
        ...defaultConfig.scheduler,
        ...{ port: 0, zombieDetectionInterval: 90, catchup: 'last', catchupWindow: 604_800 },
      },
      queues: { enabled: false, config: [{ name: 'etl', maxConcurrency: 2 }] },
      history: { retentionDays: 30, retentionRuns: 0 },
      monitor: { intervalSec: 10, retention: 7200 },
    });
  });

  test('accepts the old name of a queue limit, with a warning at its location', () => {
    const { config, warnings } = load('queues:\n  config:\n    - name: etl\n      maxActiveRuns: 3\n');
    expect(config.queues.config).toEqual([{ name: 'etl', maxConcurrency: 3 }]);
    expect(warnings).toMatchObject([
      { severity: 'warning', line: 4, column: 7, message: expect.stringContaining('"maxConcurrency"') },
    ]);
  });

  test('reports a duplicate queue, whose last limit wins', () => {
    const { warnings } = load(
      'queues:\n  config:\n    - {name: etl, maxConcurrency: 3}\n    - {name: etl, maxConcurrency: 2}\n',
    );
    expect(warnings).toMatchObject([
      {
        severity: 'warning',
        line: 4,
        message: expect.stringContaining('Duplicate queue "etl". The last one is used. Remove the others.'),
      },
    ]);
  });

  test('reports all errors at once, with location and nearest name', () => {
    const error = thrownBy(() =>
      load('scheduler:\n  prot: 1\n  catchup: never\ntz: Mars/Olympus\nqueues: {config: [{nam: x}]}\n'),
    );
    expect(error.code).toBe('invalid_config');
    const lines = error.message.split('\n').slice(1);
    expect(lines.map((line) => line.replace(/^.*config\.yaml:/, ''))).toEqual([
      '2:3: Unknown field "prot". Did you mean "port"? (scheduler.prot)',
      '3:12: "scheduler.catchup" must be one of skip, last, all. (scheduler.catchup)',
      '4:5: "tz" must be a time zone such as Europe/Berlin or UTC. (tz)',
      expect.stringMatching(/^5:19: .*"name"/),
      expect.stringMatching(/^5:19: .*"maxConcurrency"/),
      expect.stringMatching(/^5:20: .*Did you mean "name"/),
    ]);
  });

  test.each([
    ['- a list', 'must be a map'],
    ['scheduler: 8090', 'must be a map'],
    ['scheduler: {port: 70000}', 'from 0 to 65535'],
    ['scheduler: {zombieDetectionInterval: 0.5}', '0 for no detection'],
    ['queues: {enabled: maybe}', 'true or false'],
    ['queues: {config: etl}', 'must be a list'],
    ['scheduler: {port: 1, PORT: 2}', 'Duplicate key "scheduler.port". Remove one.'],
    ['scheduler: [', 'config.yaml:1'],
  ])('rejects %s', (text, words) => {
    expect(thrownBy(() => load(text)).message).toContain(words);
  });

  test('names settings of Dagu that have no effect', () => {
    expect(load('scheduler: {lockStaleThreshold: 30s}').warnings).toMatchObject([{ line: 1, column: 13 }]);
  });
});

describe('custom directories', () => {
  test("are relative to the file's directory, those of variables and options to the current directory", () => {
    const folder = makeTemporaryFolder();
    const file = path.join(folder, 'shared.yaml');
    writeFileSync(
      file,
      'workDir: work\npaths: {dags_dir: ../flows, logDir: logs, baseConfig: ./base.yaml}\n',
    );
    const { config, paths } = loadEngineConfig({
      home: '/home',
      file,
      cwd: '/cwd',
      environment: { ENGINE_DATA_DIR: 'data', ENGINE_LOG_DIR: './log', ENGINE_DAGS: '' },
    });
    expect(config.workDir).toBe(path.join(folder, 'work'));
    expect(config.paths.baseConfig).toBe(path.join(folder, 'base.yaml'));
    expect(paths).toEqual({
      home: '/home',
      configFile: file,
      dags: path.join(folder, '../flows'),
      logs: '/cwd/log',
      data: '/cwd/data',
      cache: '/home/cache',
      database: '/cwd/data/engine.db',
      editor: '/cwd/data/editor',
    });
  });

  test('are shown with the effective path, also by default', () => {
    const { values } = loadEngineConfig({ home: '/home', environment: { ENGINE_DAGS: '/flows' } });
    const shown = values.filter((value) => value.path.startsWith('paths.'));
    expect(shown.map((value) => [value.path, value.value, value.origin.kind])).toEqual([
      ['paths.dagsDir', '/flows', 'variable'],
      ['paths.logDir', '/home/logs', 'default'],
      ['paths.dataDir', '/home/data', 'default'],
      ['paths.baseConfig', '/home/base.yaml', 'default'],
    ]);
  });

  test.each(['suspendFlagsDir', 'adminLogsDir', 'dagRunsDir', 'queueDir', 'usersDir', 'executable'])(
    'paths.%s is reported as unsupported',
    (name) => {
      expect(load(`paths: {${name}: /x}`).warnings).toMatchObject([
        { severity: 'warning', path: `paths.${name}`, message: expect.stringContaining('not supported') },
      ]);
    },
  );
});

describe('user interface settings', () => {
  test('accept supported values, and only valid colors', () => {
    const { config, warnings } = load(
      'ui: {navbarTitle: Night shift, navbarColor: "#0b7285", maxDashboardPageLimit: 25, dags: {sortField: nextRun, sortOrder: desc}}',
    );
    expect(warnings).toEqual([]);
    expect(config.ui).toEqual({
      navbarTitle: 'Night shift',
      navbarColor: '#0b7285',
      maxDashboardPageLimit: 25,
      dags: { sortField: 'nextRun', sortOrder: 'desc' },
    });
    expect(thrownBy(() => load('ui: {navbarColor: "red; x: y"}')).message).toContain(
      '"ui.navbarColor" must be a color such as #0b7285 or teal.',
    );
    expect(load('ui: {logEncodingCharset: EUC_JP}').config.ui.logEncodingCharset).toBe('euc-jp');
    expect(thrownBy(() => load('ui: {logEncodingCharset: klingon}')).message).toContain('shift_jis');
  });
});

describe('variables', () => {
  test('override the file and are parsed like its values', () => {
    const { config } = load('tz: Europe/Berlin\nscheduler: {port: 1}', {
      ENGINE_TZ: 'Asia/Tokyo',
      ENGINE_SCHEDULER_PORT: '9000',
      ENGINE_QUEUE_ENABLED: 'false',
      ENGINE_MONITORING_INTERVAL: '',
    });
    expect(config.tz).toBe('Asia/Tokyo');
    expect(config.scheduler.port).toBe(9000);
    expect(config.queues.enabled).toBe(false);
    expect(config.monitor.intervalSec).toBe(5);
  });

  test('retain webhook deliveries for longer than their attempts take', () => {
    expect(load('').config.webhooks.retentionDays).toBe(7);
    expect(load('', { ENGINE_WEBHOOKS_RETENTION_DAYS: '30' }).config.webhooks.retentionDays).toBe(30);
    const error = thrownBy(() => load('webhooks: {retentionDays: 1}'));
    expect(error.message).toContain('config.yaml:1:27: "webhooks.retentionDays" must be');
  });

  test('are named when they are invalid', () => {
    const error = thrownBy(() => load('', { ENGINE_SCHEDULER_PORT: 'x' }));
    expect(error.message).toContain(
      'variable ENGINE_SCHEDULER_PORT: "scheduler.port" must be a whole number from 0 to 65535.',
    );
  });
});

describe('location of the file', () => {
  test('is the flag, else ENGINE_CONFIG, else the home', () => {
    const home = makeTemporaryFolder();
    const [flagged, named] = [path.join(home, 'flag.yaml'), path.join(home, 'named.yaml')];
    writeFileSync(flagged, 'scheduler: {port: 1}');
    writeFileSync(named, 'scheduler: {port: 2}');
    writeFileSync(path.join(home, 'config.yaml'), 'scheduler: {port: 3}');
    const environment = { ENGINE_CONFIG: named };
    expect(loadEngineConfig({ home, environment, file: flagged }).config.scheduler.port).toBe(1);
    expect(loadEngineConfig({ home, environment }).config.scheduler.port).toBe(2);
    expect(loadEngineConfig({ home, environment: {} }).config.scheduler.port).toBe(3);
  });

  test('is rejected when it was set explicitly and cannot be read', () => {
    const home = makeTemporaryFolder();
    const missing = path.join(home, 'missing.yaml');
    const error = thrownBy(() => loadEngineConfig({ home, environment: { ENGINE_CONFIG: missing } }));
    expect(error).toMatchObject({ code: 'invalid_config', message: expect.stringContaining(missing) });
    mkdirSync(path.join(home, 'config.yaml'));
    expect(thrownBy(() => loadEngineConfig({ home, environment: {} })).message).toContain(
      'cannot be read: it is a folder; expected a file.',
    );
  });
});

describe('hostile configuration file', () => {
  // It is read once, before serving: anything beyond linear time exceeds the timeout of the test.
  const repeat = (text: string): string => text.repeat(Math.floor((256 * 1024) / text.length));

  test.each([
    ['open brackets', repeat('['), /nested more than 64/],
    ['open braces', repeat('{a: '), /nested more than 64/],
    ['quotes', repeat('"'), /./],
    ['one repeated key', repeat('tz: UTC\n'), /tz/],
    ['unknown keys', Array.from({ length: 15_000 }, (_, index) => `key${index}: 1\n`).join(''), /key0/],
    ['a long tag', repeat('!'), /./],
    ['aliases', `a: &a [1]\nb:\n${' - *a\n'.repeat(25_000)}`, /./],
    ['a long pattern', `auth: {basic: {username: "${repeat('(a+)+')}"}}`, /auth\.basic/],
  ])('with %s is rejected', (_, text, message) => {
    const { code, message: told } = thrownBy(() => load(text));
    expect(code).toBe('invalid_config');
    expect(told).toMatch(message);
  });
});
