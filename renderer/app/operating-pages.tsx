import { lazy } from 'react';

/** Pages of the navigation that are loaded when somebody goes there. */
export const DashboardPage = lazy(async () => ({
  default: (await import('../features/dashboard/dashboard-page.tsx')).DashboardPage,
}));
export const QueuesPage = lazy(async () => ({
  default: (await import('../features/queues/queues-page.tsx')).QueuesPage,
}));
export const SchedulePage = lazy(async () => ({
  default: (await import('../features/schedules/schedule-page.tsx')).SchedulePage,
}));
export const WebhooksPage = lazy(async () => ({
  default: (await import('../features/webhooks/webhooks-page.tsx')).WebhooksPage,
}));
export const SearchPage = lazy(async () => ({
  default: (await import('../features/search/search-page.tsx')).SearchPage,
}));
export const SystemPage = lazy(async () => ({
  default: (await import('../features/system/system-page.tsx')).SystemPage,
}));
export const AuditPage = lazy(async () => ({
  default: (await import('../features/audit/audit-page.tsx')).AuditPage,
}));
