import { lazyPart } from '../loading/lazy-part.ts';

// The first page is part of the initial chunk, because React delays the content after a placeholder by at least
// 300 ms.
export { DashboardPage } from '../features/dashboard/dashboard-page.tsx';

/** Pages of the navigation, loaded on demand. */
export const ApprovalsPage = lazyPart(
  async () => (await import('../features/approvals/approvals-page.tsx')).ApprovalsPage,
);
export const QueuesPage = lazyPart(
  async () => (await import('../features/queues/queues-page.tsx')).QueuesPage,
);
export const SchedulePage = lazyPart(
  async () => (await import('../features/schedules/schedule-page.tsx')).SchedulePage,
);
export const WebhooksPage = lazyPart(
  async () => (await import('../features/webhooks/webhooks-page.tsx')).WebhooksPage,
);
export const GatewayPage = lazyPart(
  async () => (await import('../features/gateway/gateway-page.tsx')).GatewayPage,
);
export const SearchPage = lazyPart(
  async () => (await import('../features/search/search-page.tsx')).SearchPage,
);
export const SystemPage = lazyPart(
  async () => (await import('../features/system/system-page.tsx')).SystemPage,
);
export const AuditPage = lazyPart(async () => (await import('../features/audit/audit-page.tsx')).AuditPage);
