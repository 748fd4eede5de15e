import type { Role } from '../../core/contract/operation.ts';

/** Roles as people read them. */
export const roleWords: Readonly<Record<Role, string>> = {
  viewer: 'Viewer',
  operator: 'Operator',
  manager: 'Manager',
  admin: 'Admin',
};

/** What a role adds to the one before it. */
export const roleDuties: Readonly<Record<Role, string>> = {
  viewer: 'Sees workflows, runs and logs.',
  operator: 'Also starts, stops and repeats runs, and suspends schedules.',
  manager: 'Also edits workflows and removes runs.',
  admin: 'May do everything, and manages users and tokens.',
};
