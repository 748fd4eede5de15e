import { EventEmitter } from 'node:events';
import { createStrictModule } from '../app/strict-module.ts';

/** Electron's `powerMonitor` of a machine that never sleeps; a test emits `suspend`, `resume` and the like. */
class PowerMonitor extends EventEmitter {
  readonly onBatteryPower: boolean = false;

  getSystemIdleState(_idleThreshold: number): 'active' {
    return 'active';
  }

  getSystemIdleTime(): number {
    return 0;
  }

  getCurrentThermalState(): 'unknown' {
    return 'unknown';
  }

  isOnBatteryPower(): boolean {
    return this.onBatteryPower;
  }
}

export const powerMonitor = new PowerMonitor();

const activeBlockers = new Set<number>();
let lastBlocker = 0;

/** Electron's `powerSaveBlocker`: counts, and blocks nothing. */
export const powerSaveBlocker = createStrictModule('powerSaveBlocker', {
  start(_type: 'prevent-app-suspension' | 'prevent-display-sleep'): number {
    activeBlockers.add(++lastBlocker);
    return lastBlocker;
  },
  stop: (id: number): boolean => activeBlockers.delete(id),
  isStarted: (id: number): boolean => activeBlockers.has(id),
});
