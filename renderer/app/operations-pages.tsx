// A file of its own: part of the first load, unlike the pages.
import { lazyComponent } from '../base/lazy-component.ts';

// The first page is part of the initial chunk, because React delays the content after a placeholder by at least
// 300 ms.
export { DashboardPage } from '../features/dashboard/dashboard-page.tsx';

/** Pages of the navigation, loaded on demand. */
export const ApprovalsPage = lazyComponent(
  async () => (await import('../features/approvals/approvals-page.tsx')).ApprovalsPage,
);
export const QueuesPage = lazyComponent(
  async () => (await import('../features/queues/queues-page.tsx')).QueuesPage,
);
export const SchedulePage = lazyComponent(
  async () => (await import('../features/schedules/schedule-page.tsx')).SchedulePage,
);
export const WebhooksPage = lazyComponent(
  async () => (await import('../features/webhooks/webhooks-page.tsx')).WebhooksPage,
);
export const NotificationsPage = lazyComponent(
  async () => (await import('../features/notifications/notifications-page.tsx')).NotificationsPage,
);
export const GatewayPage = lazyComponent(
  async () => (await import('../features/gateway/gateway-page.tsx')).GatewayPage,
);
export const SearchPage = lazyComponent(
  async () => (await import('../features/search/search-page.tsx')).SearchPage,
);
export const SystemPage = lazyComponent(
  async () => (await import('../features/system/system-page.tsx')).SystemPage,
);
export const AuditPage = lazyComponent(
  async () => (await import('../features/audit/audit-page.tsx')).AuditPage,
);
