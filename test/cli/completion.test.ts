import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  engineArguments,
  engineEnvironment,
  makeWorkplace,
  runEngine,
  saveDag,
  type Workplace,
} from './engine-process.ts';

/** A real bash with the script loaded, and `engine` on its path; answers what Tab would offer for a line. */
function openBash(place: Workplace): (line: string) => string[] {
  const command = [process.execPath, ...engineArguments([])].map((word) => `'${word}'`).join(' ');
  writeFileSync(join(place.cwd, 'engine'), `#!/bin/sh\nexec ${command} "$@"\n`);
  chmodSync(join(place.cwd, 'engine'), 0o755);
  const env = engineEnvironment(place, { PATH: `${place.cwd}:${process.env['PATH']}` });
  return (line) => {
    const script = `
      eval "$(engine completion bash)"
      COMP_LINE=$1 COMP_POINT=\${#1}
      read -ra COMP_WORDS <<<"$1"
      [[ $1 == *' ' ]] && COMP_WORDS+=('')
      COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
      _engine
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', line], {
      cwd: place.cwd,
      env,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    return stdout.split('\n').filter(Boolean).sort();
  };
}

describe('completion in bash', () => {
  it('offers commands, options, values, workflows, queues and run ids', async () => {
    const place = makeWorkplace();
    saveDag(place, 'etl', 'queue: nightly\nsteps:\n  - echo\n');
    saveDag(place, 'export', 'steps:\n  - echo\n');
    await runEngine(place, ['start', 'etl', '-r', 'run-1', '-q']);
    await runEngine(place, ['enqueue', 'etl', '-r', 'run-2']);
    const offers = openBash(place);
    expect(offers('engine sta')).toEqual(['start', 'start-all', 'status']);
    expect(offers('engine queues ')).toEqual(['drain', 'items', 'list', 'pause', 'resume']);
    expect(offers('engine start --default')).toEqual(['--default-working-dir']);
    expect(offers('engine history --format ')).toEqual(['json', 'text']);
    expect(offers('engine status e')).toEqual(['engine', 'etl', 'export']);
    expect(offers('engine status etl --run-id run')).toEqual(['run-1', 'run-2']);
    expect(offers('engine dequeue ')).toEqual(['nightly']);
    expect(offers(`engine --engine-home ${place.cwd} status et`)).toEqual([]);
    expect(offers('engine exec -- engi')).toEqual(['engine']);
  });

  it('creates no home, and offers nothing where nothing can be found out', () => {
    const place = makeWorkplace();
    const offers = openBash(place);
    expect(offers('engine status etl --run-id ')).toEqual(['latest']);
    expect(offers('engine nonsense --what ever ')).toEqual([]);
  });
});
