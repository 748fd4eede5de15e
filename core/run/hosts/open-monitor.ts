import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { EngineConfig } from '../../home/config/engine-config.ts';
import { countCores } from '../../process/monitor/machine-probe.ts';
import { ResourceMonitor } from '../../process/monitor/resource-monitor.ts';
import { LibraryTrees } from '../../process/monitor/library-trees.ts';
import { ProcTrees } from '../../process/monitor/proc-trees.ts';
import { RunMonitor } from '../../process/monitor/run-monitor.ts';
import type { ProcessLauncher } from '../../process/launcher.ts';
import { TrackedProcesses, hasProcessTable } from '../../process/process-table.ts';
import type { RunStore } from '../../store/types/runs.ts';

/** Dependencies of the resource monitor of an engine. */
export interface MonitorDeps {
  readonly home: string;
  readonly store: RunStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly config: EngineConfig;
  readonly launcher: ProcessLauncher;
}

/**
 * Creates the resource monitor of an engine, which is not started yet, and the launcher for steps: where the system
 * cannot tell which run a process belongs to, the launcher remembers it.
 */
export function openMonitor(deps: MonitorDeps): { monitor: ResourceMonitor; launcher: ProcessLauncher } {
  const { clock, config, home, store, logger } = deps;
  const { intervalSec, retention: retentionSec } = config.monitor;
  const tracked = hasProcessTable ? undefined : new TrackedProcesses(deps.launcher);
  const trees = tracked ? new LibraryTrees(clock, () => tracked.list()) : new ProcTrees(clock);
  const runs = new RunMonitor({ clock, home, store, cores: countCores(), trees });
  const monitor = new ResourceMonitor({ clock, logger, home, intervalSec, retentionSec, runs });
  return { monitor, launcher: tracked ?? deps.launcher };
}
