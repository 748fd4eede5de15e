import { lazy } from 'react';

// The first page comes with the shell: React shows what follows a placeholder a third of a second later at the soonest.
export { DashboardPage } from '../features/dashboard/dashboard-page.tsx';

/** Pages of the navigation that are loaded when somebody goes there. */
export const ApprovalsPage = lazy(async () => ({
  default: (await import('../features/approvals/approvals-page.tsx')).ApprovalsPage,
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
export const GatewayPage = lazy(async () => ({
  default: (await import('../features/gateway/gateway-page.tsx')).GatewayPage,
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
