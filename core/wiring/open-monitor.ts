import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { EngineConfig } from '../config/engine-config.ts';
import { countCores } from '../monitor/machine/machine-probe.ts';
import { ResourceMonitor } from '../monitor/resource-monitor.ts';
import { LibraryTrees } from '../monitor/runs/library-trees.ts';
import { ProcTrees } from '../monitor/runs/proc-trees.ts';
import { RunMonitor } from '../monitor/runs/run-monitor.ts';
import type { ProcessLauncher } from '../process/launch/launcher.ts';
import { TrackedProcesses } from '../process/tracking/tracked-processes.ts';
import { hasProcessTable } from '../process/tracking/process-table.ts';
import type { RunStore } from '../run/ports.ts';

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
