import { describe, expect, it } from 'vitest';
import { loadSpec } from '../../../../core/spec/load.ts';
import { diagnoseStep } from '../../../harness/workflow-texts.ts';

describe('step of type mail', () => {
  it.each([
    [['config: { from: a@example.com, to: b@example.com }']],
    [['config: { from: "${FROM}", to: [b@example.com, "${MORE}"], reply_to: c@example.com, html: "<p>" }']],
  ])('loads: %j', (lines) => expect(diagnoseStep('type: mail', ...lines)).toEqual([]));

  it.each([
    [['config: { to: b@example.com }'], '3:13: Missing required field "from" in "config". (steps[0].config)'],
    [
      ['config: { from: a@example.com, to: [" "] }'],
      '3:40: "to" is empty. Add at least one recipient address. (steps[0].config.to)',
    ],
    [
      ['config: { from: a@example.com, to: b@example.com, attachments: { a: b } }'],
      '3:68: "attachments" must be a string or a list of strings. (steps[0].config.attachments)',
    ],
    [
      ['config: { from: a@example.com, to: b@example.com, subjekt: c }'],
      '3:55: Unknown field "subjekt". Did you mean "subject"? (steps[0].config.subjekt)',
    ],
    [
      ['command: echo', 'config: { from: a@example.com, to: b@example.com }'],
      '3:5: "command" is not supported for steps of type "mail". Example: {type: mail, config: {from: etl@example.com, to: ops@example.com, subject: Done}}. (steps[0].command)',
    ],
  ])('is rejected: %j', (lines, message) => expect(diagnoseStep('type: mail', ...lines)).toEqual([message]));
});

describe('mail servers', () => {
  it.each([
    ['smtp: [{ host: a }, { host: b, hst: c }]', 'smtp[1].hst'],
    ['smtp: [{ host: a, skipTLSVerify: maybe }]', 'smtp[0].skipTLSVerify'],
    ['smtp: a', 'smtp'],
  ])('are validated: %s', (smtp, path) => {
    const { workflows, diagnostics } = loadSpec({ text: `${smtp}\nsteps: [echo]\n` });
    expect(workflows).toEqual([]);
    expect(diagnostics.map((diagnostic) => diagnostic.path)).toEqual([path]);
  });

  it('can be spelled differently in a list', () => {
    const { workflows } = loadSpec({ text: 'smtp: [{ Host: a, skip_tls_verify: true }]\nsteps: [echo]\n' });
    expect(workflows[0]!.smtp).toEqual([{ host: 'a', skipTLSVerify: true }]);
  });
});
