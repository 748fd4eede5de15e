/**
 * Run by kill-tree.test.ts: launches a program, releases it, prints its pid and exits.
 *   node leave-running.ts RUN_DIR PROGRAM [relay|terminal]
 */
import { mkdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { LocalLauncher } from '../../../core/process/local-launcher.ts';
import { systemClock } from '../../../core/base/system-clock.ts';
import { until } from '../../harness/resources.ts';

const [runDir = '', program = '', by] = process.argv.slice(2);
const attemptDir = join(runDir, 'attempt');
mkdirSync(attemptDir);
const launcher = new LocalLauncher(systemClock);
const launched = await launcher.launch({
  argv: [program],
  env: { PATH: process.env.PATH ?? '' },
  cwd: runDir,
  attemptDir,
  stopSignal: 'SIGTERM',
  cleanUpMs: 1000,
  isCancelled: () => false,
  relay: by === 'relay' ? { copies: {} } : undefined,
  terminal: by === 'terminal' ? { columns: 80, rows: 24 } : undefined,
});
if (!launched.ok) throw new Error(launched.error.message);
// Without a reader, writing would end it.
if (by === 'relay') await until(() => readFileSync(join(attemptDir, 'stdout.log'), 'utf8') !== '');
launcher.release();
writeSync(1, `${launched.value.pid}\n`);
// As a command ends (core/cli/program.ts).
process.exit();
