import { describe, expect, it } from 'vitest';
import { diagnose } from '../../harness/workflow-texts.ts';

/** Warnings for steps after one that prints JSON into R. */
const warn = (...steps: object[]): string[] =>
  diagnose(`steps: ${JSON.stringify([{ command: 'echo {}', output: 'R' }, ...steps])}\n`).map((line) =>
    line.replace(/^\S+ warning: /, ''),
  );

describe('a reference that stays literal', () => {
  it.each([
    [{ command: "echo '${R.key}'" }, 'Use double quotes: "${R.key}".'],
    [
      { command: `echo "\${R.key}" '\${R.key}'` },
      '${R.key} is not expanded in single quotes. Use double quotes: "${R.key}".',
    ],
    [{ command: "bash -c 'echo ${R.key}'" }, `Pass it as an argument: bash -c 'echo "$1"' bash "\${R.key}".`],
    [{ script: "#!/usr/bin/env python3\nprint('${R.key}')" }, 'Add env: { R_KEY: "${R.key}" } to the step'],
    [{ shell: 'node', script: 'console.log(`${R.key}`)' }, '${R.key} is not expanded in scripts for node.'],
    [{ command: 'python3', script: "print('${R.rows[0].id}')" }, 'read R_ROWS_0_ID from the environment'],
  ])('causes a warning with a hint: %j', (step, remedy) => {
    const found = warn(step);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain('is not expanded in ');
    expect(found[0]).toContain(remedy);
  });

  it.each([
    { command: 'echo "${R.key}" ${R.key:-x}' },
    { command: 'echo ok # ${R.key}' },
    { command: 'echo \\${R.key}' },
    { command: "awk '{print $1 ${OTHER.key}}'" },
    { command: ['bash', '-c', 'echo ${R.key}'] },
    { shell: 'node', script: 'console.log(`${user.name}`)' },
    { command: "cat <<END\nit's ${R.key}\nEND" },
  ])('causes no warning where it is expanded or intended: %j', (step) => {
    expect(warn(step)).toEqual([]);
  });
});

describe('shell syntax in env and params', () => {
  it.each([
    ['$((1+2))', '`echo "$((1+2))"`'],
    ['${F%.csv}', '`echo "${F%.csv}"`'],
    ['${F//-/_}', '`bash -c \'echo "${F//-/_}"\'`'],
    ['${#F}', '`echo "${#F}"`'],
    ['$(date +%F)', '`date +%F`'],
  ])('causes a warning that it stays as written: %s', (value, command) => {
    const message = `${value} is not expanded here. Run a command in backticks: ${command}.`;
    expect(diagnose(`env: ${JSON.stringify({ A: value })}\nsteps: [a]\n`)).toEqual([
      `1:11: warning: ${message} (env.A)`,
    ]);
    expect(diagnose(`params: ${JSON.stringify([{ A: value }])}\nsteps: [a]\n`)[0]).toContain(message);
  });

  it.each(['`date +%F`', '\\$(x)', "'$(x)'", '${X:-a} $Y ${Z:0:2}', '${{ github.event }}', '$5'])(
    'causes no warning where it is supported or quoted: %s',
    (value) => {
      expect(diagnose(`env: ${JSON.stringify({ A: value })}\nsteps: [a]\n`)).toEqual([]);
    },
  );
});

describe('bash syntax in sh', () => {
  it.each([
    { command: 'if [[ $A == b ]]; then echo; fi' },
    { command: 'a=(1 2); echo $a' },
    { script: '#!/bin/sh\n[[ a == b ]]' },
    { command: 'a', preconditions: ['[[ 1 == 1 ]]'] },
  ])('causes a warning: %j', (step) => {
    expect(warn(step)[0]).toContain('is not supported by every sh. Use "shell: bash"');
  });

  it.each([
    { shell: 'bash', command: '[[ a == b ]]' },
    { script: '#!/bin/bash\n[[ a == b ]]' },
    { shell: 'bash', command: 'a', preconditions: ['[[ 1 == 1 ]]'] },
    { command: 'grep \'[[ x\' a; echo [[:space:]] "[[ y" # [[ z' },
  ])('causes no warning: %j', (step) => {
    expect(warn(step)).toEqual([]);
  });
});

describe('an output of a secret', () => {
  const secrets = 'secrets: [{ name: TOKEN, provider: env, key: T }]\n';

  it('causes a warning where a step only prints it', () => {
    expect(diagnose(`${secrets}steps:\n- command: echo "$TOKEN"\n  output: T\n`)).toEqual([
      '4:11: warning: The output T contains the secret TOKEN, which later steps see as *******. Use $TOKEN directly in those steps. (steps[0].output)',
    ]);
    expect(diagnose(`${secrets}steps:\n- command: curl -H "X:$TOKEN" http://x\n  output: T\n`)).toEqual([]);
  });
});
