import type { Role } from '../../core/contract/operation.ts';

/** Labels of the roles. */
export const roleLabels: Readonly<Record<Role, string>> = {
  viewer: 'Viewer',
  operator: 'Operator',
  manager: 'Manager',
  admin: 'Admin',
};

/** Permissions that each role adds to the previous one. */
export const roleDuties: Readonly<Record<Role, string>> = {
  viewer: 'View workflows, runs and logs.',
  operator: 'Also start, stop and retry runs, and suspend schedules.',
  manager: 'Also edit workflows and delete runs.',
  admin: 'Full access, including users and tokens.',
};
