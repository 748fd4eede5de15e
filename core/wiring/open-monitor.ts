import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { EngineConfig } from '../config/engine-config.ts';
import { countCores } from '../monitor/machine/machine-probe.ts';
import { ResourceMonitor } from '../monitor/resource-monitor.ts';
import { LibraryTrees } from '../monitor/runs/library-trees.ts';
import { ProcTrees } from '../monitor/runs/proc-trees.ts';
import { RunMonitor } from '../monitor/runs/run-monitor.ts';
import type { ProcessLauncher } from '../process/launch/launcher.ts';
import { LivingProcesses } from '../process/living/living-processes.ts';
import { hasProcessTable } from '../process/living/process-table.ts';
import type { RunStore } from '../run/ports.ts';

/** What the resource monitor of an engine is put together from. */
export interface MonitorParts {
  readonly home: string;
  readonly store: RunStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly config: EngineConfig;
  readonly launcher: ProcessLauncher;
}

/**
 * The resource monitor of an engine, which does not look yet, and the launcher that steps are to use: where the system
 * does not tell whose a process is, it keeps that in mind.
 */
export function openMonitor(parts: MonitorParts): { monitor: ResourceMonitor; launcher: ProcessLauncher } {
  const { clock, config, home, store, logger } = parts;
  const { intervalSec, retention: retentionSec } = config.monitor;
  const living = hasProcessTable ? undefined : new LivingProcesses(parts.launcher);
  const trees = living ? new LibraryTrees(clock, () => living.list()) : new ProcTrees(clock);
  const runs = new RunMonitor({ clock, home, store, cores: countCores(), trees });
  const monitor = new ResourceMonitor({ clock, logger, home, intervalSec, retentionSec, runs });
  return { monitor, launcher: living ?? parts.launcher };
}
