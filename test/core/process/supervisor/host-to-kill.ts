/**
 * Run by supervisor.test.ts, which kills it: an engine's launcher that starts programs by a supervisor, one in each of
 * the directories, prints their pids and that of the supervisor, and waits forever.
 *   node host-to-kill.ts SCRIPT ATTEMPT_DIR...
 */
import { SupervisedLauncher } from '../../../../core/process/supervisor/supervised-launcher.ts';
import { systemClock } from '../../../../core/base/system-clock.ts';
import { silentLogger } from '../../../harness/fakes.ts';

const [script = '', ...attemptDirs] = process.argv.slice(2);
const launcher = new SupervisedLauncher({ clock: systemClock, logger: silentLogger });
const launched = await Promise.all(
  attemptDirs.map((attemptDir) =>
    launcher.launch({
      argv: ['sh', '-c', script],
      env: { PATH: process.env.PATH ?? '' },
      cwd: attemptDir,
      attemptDir,
      stopSignal: 'SIGTERM',
      cleanUpMs: 1000,
      isCancelled: () => false,
    }),
  ),
);
const pids = launched.map((one) => (one.ok ? one.value.pid : one.error.message));
console.log(JSON.stringify({ pids, supervisor: launcher.supervisorPid }));
// It waits to be killed, whether anything runs or not.
setInterval(() => {}, 1_000_000);
