import type { ScheduleStore } from '../../scheduler/ports.ts';
import type { Database } from '../database/database.ts';
import {
  addNote,
  hasActiveRun,
  hasSucceededSince,
  saveScheduler,
  listNotes,
  listSchedulers,
  readWatermark,
  removeScheduler,
  setWatermark,
} from './scheduler-facts.ts';
import { readPause, setPause } from './pause.ts';
import { forgetSchedules, isSuspended, listSuspended, rememberSchedules, setSuspended } from './schedules.ts';
import { listFireTimes } from './fire-time-list.ts';
import {
  beginRestart,
  isDecided,
  listRestarts,
  purgeFireTimes,
  rejectRestart,
  rejectFireTime,
  stopForFireTime,
} from './fire-times.ts';

/** Creates the schedule store on an open connection. */
export const createScheduleStore = (database: Database): ScheduleStore => ({
  isDecided: (fireTime) => isDecided(database, fireTime),
  rejectFireTime: (fireTime, error, at) => rejectFireTime(database, fireTime, error, at),
  stopForFireTime: (fireTime, name, at) => stopForFireTime(database, fireTime, name, at),
  beginRestart: (fireTime, name, at) => beginRestart(database, fireTime, name, at),
  rejectRestart: (fireTime, reason, at) => rejectRestart(database, fireTime, reason, at),
  listRestarts: () => listRestarts(database),
  listFireTimes: (span) => listFireTimes(database, span),
  purgeFireTimes: (before) => purgeFireTimes(database, before),
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
  saveScheduler: (instance) => saveScheduler(database, instance),
  removeScheduler: (id) => removeScheduler(database, id),
  listSchedulers: () => listSchedulers(database),
});
