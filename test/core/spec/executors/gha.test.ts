import { describe, expect, it } from 'vitest';
import { diagnoseStep } from '../../../harness/workflow-texts.ts';

describe('step of type gha', () => {
  it.each([
    'command: actions/checkout@v5',
    'command: owner/name/sub/path@feature/x, params: { a: 1, b: "${B}" }',
    'command: owner/name@v1, params: [{ a: 1 }, b=2]',
    'command: owner/name@v1, params: "a=1 b=2"',
    'command: ./local/action',
    'command: /srv/action',
    'command: docker://alpine:3',
    'command: "${ACTION}@${VERSION}"',
    'command: o/n@v1, config: { github_instance: "https://git.example.com", capabilities: { add: [A], drop: ["${B}"] }, privileged: "${P}" }',
  ])('loads with %s', (step) => {
    const diagnostics = diagnoseStep(`{ type: gha, ${step} }`);
    expect(diagnostics.filter((text) => !text.includes('another spelling'))).toEqual([]);
  });

  it.each([
    ['params: { a: b }', /require "command"\. Example: .*\(steps\[0\]\)$/],
    [
      'command: actions/checkout',
      /Missing version in "actions\/checkout"\. Add a tag, branch or commit,.*actions\/checkout@v1\. \(steps\[0\]\.command\)$/,
    ],
    ['command: checkout@v5', /Invalid action "checkout@v5"\..*\(steps\[0\]\.command\)$/],
    ['command: "o/n@a b"', /Invalid tag, branch or commit "a b" in "o\/n@a b"\. \(steps\[0\]\.command\)$/],
    [
      'command: o/../n@v1',
      /Invalid action "o\/\.\.\/n@v1"\. Use owner\/name@ref, such as actions\/checkout@v5, or a path that starts with "\.\/"\./,
    ],
    ['command: o/n/../x@v1', /Invalid path in "o\/n\/\.\.\/x@v1"\. Remove "\." and "\.\."\./],
    [
      'command: [o/n@v1, x]',
      /"command" of an action must be a string: owner\/name@ref or a path\..*\(steps\[0\]\.command\)$/,
    ],
    ['command: o/n@v1, script: x', /"script" is not supported.*\(steps\[0\]\.script\)$/],
    ['command: o/n@v1, params: just-a-value', /"just-a-value" has none.*\(steps\[0\]\.params\)$/],
    ['command: o/n@v1, config: { instance: x }', /\(steps\[0\]\.config\.instance\)$/],
    [
      'command: o/n@v1, config: { capabilities: [A] }',
      /"capabilities" must be a map with the lists "add" and "drop", such as.*config\.capabilities\)$/,
    ],
    ['command: o/n@v1, config: { privileged: perhaps }', /config\.privileged\)$/],
  ])('is rejected with %s', (step, message) => {
    expect(diagnoseStep(`{ type: gha, ${step} }`)).toEqual([expect.stringMatching(message)]);
  });

  it.each([
    'runner: node:24',
    'artifacts: { path: /x }',
    'reuseContainers: true',
    'containerOptions: --cpus 1',
  ])('warns of settings without effect: %s', (field) => {
    const [name = ''] = field.split(':');
    expect(diagnoseStep(`{ type: gha, command: o/n@v1, config: { ${field} } }`)).toEqual([
      expect.stringMatching(new RegExp(`warning: "${name}" has no effect: .*config\\.${name}\\)$`)),
    ]);
  });
});
