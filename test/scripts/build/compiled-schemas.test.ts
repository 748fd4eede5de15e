import { Guard } from 'typebox/guard';
import { Hashing } from 'typebox/system';
import { expect, test } from 'vitest';
import { operationRules, type OperationRule } from '../../../core/api/operation-rules.ts';
import { callChecks, settingChecks } from '../../../main/desktop-checks.ts';
import { formatDesktopChecks, formatOperationRules } from '../../../scripts/build/compiled-schemas.ts';

// A data URL has no packages: the code finds them as globals.
Object.assign(globalThis, { Guard, Hashing });
const load = (source: string): Promise<unknown> =>
  import(
    `data:text/javascript;base64,${Buffer.from(source.replaceAll(/^import .*\n/gm, '')).toString('base64')}`
  );

const { operationRules: compiled } = (await load(formatOperationRules())) as {
  readonly operationRules: Readonly<Record<string, OperationRule>>;
};
const desktop = (await load(formatDesktopChecks())) as {
  readonly callChecks: typeof callChecks;
  readonly settingChecks: typeof settingChecks;
};

test('the built rules have the role, label and audit target of every operation and stream', () => {
  expect(Object.keys(compiled)).toEqual(Object.keys(operationRules));
  for (const [name, { role, label, audit, public: isPublic }] of Object.entries(compiled)) {
    const rule = operationRules[name]!;
    expect([name, role, label, audit, isPublic]).toEqual([
      name,
      rule.role,
      rule.label,
      rule.audit,
      rule.public,
    ]);
  }
});

test.each([
  ['runs.get', { name: 'etl', dagRunId: 'r1' }, true],
  ['runs.get', { name: 'e t l', dagRunId: 'r1' }, false],
  ['runs.get', { name: 'etl' }, false],
  ['runs.list', { limit: 10 }, true],
  ['runs.list', { limit: '10' }, false],
  ['runs.list', { surprise: 1 }, false],
  ['webhooks.create', { url: 'https://example.com', options: { jitter: 0.5 } }, true],
  ['webhooks.create', { url: 'https://example.com', options: { jitters: 0.5 } }, false],
])('the built schema of %s accepts %j: %s', (name, input, isValid) => {
  expect([compiled[name]!.accepts(input), operationRules[name]!.accepts(input)]).toEqual([isValid, isValid]);
});

test('the built checks of the desktop app are those of its calls and settings', () => {
  expect(Object.keys(desktop.callChecks)).toEqual(Object.keys(callChecks));
  const names = (checks: typeof settingChecks) =>
    Object.entries(checks).map(([section, fields]) => [section, Object.keys(fields)]);
  expect(names(desktop.settingChecks)).toEqual(names(settingChecks));
});

test.each([
  ['terminal.resize', { id: 1, columns: 80, rows: 24 }, true],
  ['terminal.resize', { id: 1, columns: 1, rows: 24 }, false],
  ['settings.get', {}, true],
  ['settings.get', { surprise: 1 }, false],
  ['settings.change', { change: { life: { onClose: 'quit' } } }, true],
  ['settings.change', { change: { life: { onClose: 'stay' } } }, false],
  ['settings.get', null, false],
] as const)('the built check of the call %s accepts %j: %s', (name, input, isValid) => {
  expect([desktop.callChecks[name](input), callChecks[name](input)]).toEqual([isValid, isValid]);
});

test.each([
  ['quietFrom', '21:30', true],
  ['quietFrom', '24:30', false],
  ['longRunMinutes', 0, false],
  ['workflows', { etl: 'none' }, true],
  ['workflows', { etl: 'some' }, false],
] as const)('the built check of the setting notifications.%s accepts %j: %s', (name, value, isValid) => {
  const checks = [desktop.settingChecks.notifications[name], settingChecks.notifications[name]];
  expect(checks.map((accepts) => accepts?.(value))).toEqual([isValid, isValid]);
});
