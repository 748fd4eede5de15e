import { lazyPart } from '../loading/lazy-part.ts';

// The first page comes with the shell: React shows what follows a placeholder a third of a second later at the soonest.
export { DashboardPage } from '../features/dashboard/dashboard-page.tsx';

/** Pages of the navigation that are loaded when somebody goes there. */
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
