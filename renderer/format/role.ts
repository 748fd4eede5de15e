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
  viewer: 'View workflows, runs and logs.',
  operator: 'Also start, stop and retry runs, and suspend schedules.',
  manager: 'Also edit workflows and delete runs.',
  admin: 'Full access, including users and tokens.',
};
