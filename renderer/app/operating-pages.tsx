import { lazy } from 'react';

/** Pages of the navigation that are loaded when somebody goes there. */
export const DashboardPage = lazy(async () => ({
  default: (await import('../features/dashboard/dashboard-page.tsx')).DashboardPage,
}));
