import type { ScheduleStore } from '../../scheduler/ports.ts';
import type { Database } from '../database/database.ts';
import {
  addNote,
  hasActiveRun,
  hasSucceededSince,
  keepScheduler,
  listNotes,
  listSchedulers,
  readWatermark,
  removeScheduler,
  setWatermark,
} from './scheduler-facts.ts';
import { readPause, setPause } from './pause.ts';
import { forgetSchedules, isSuspended, listSuspended, rememberSchedules, setSuspended } from './schedules.ts';
import { listSlots } from './slot-list.ts';
import {
  beginRestart,
  isDecided,
  listRestarts,
  purgeSlots,
  refuseRestart,
  refuseSlot,
  stopForSlot,
} from './slots.ts';

/** Creates the schedule store on an open connection. */
export const createScheduleStore = (database: Database): ScheduleStore => ({
  isDecided: (slot) => isDecided(database, slot),
  refuseSlot: (slot, refusal, at) => refuseSlot(database, slot, refusal, at),
  stopForSlot: (slot, name, at) => stopForSlot(database, slot, name, at),
  beginRestart: (slot, name, at) => beginRestart(database, slot, name, at),
  refuseRestart: (slot, reason, at) => refuseRestart(database, slot, reason, at),
  listRestarts: () => listRestarts(database),
  listSlots: (span) => listSlots(database, span),
  purgeSlots: (before) => purgeSlots(database, before),
  rememberSchedules: (schedules, at) => rememberSchedules(database, schedules, at),
  forgetSchedules: (dags) => forgetSchedules(database, dags),
  setSuspended: (dag, suspended, at) => setSuspended(database, dag, suspended, at),
  isSuspended: (dag) => isSuspended(database, dag),
  listSuspended: () => listSuspended(database),
  pause: () => readPause(database),
  setPause: (pause) => setPause(database, pause),
  watermark: () => readWatermark(database),
  setWatermark: (at) => setWatermark(database, at),
  hasSucceededSince: (name, since) => hasSucceededSince(database, name, since),
  hasActiveRun: (name) => hasActiveRun(database, name),
  addNote: (note) => addNote(database, note),
  listNotes: (limit) => listNotes(database, limit),
  keepScheduler: (instance) => keepScheduler(database, instance),
  removeScheduler: (id) => removeScheduler(database, id),
  listSchedulers: () => listSchedulers(database),
});
