/**
 * All event names of the catalog, including the names that other platforms use for some of them. A trigger may name
 * others, because any program can send to a receiver; this list helps to detect typos.
 */
export const webhookEventNames: readonly string[] = [
  'branch_protection_configuration',
  'branch_protection_rule',
  'check_run',
  'check_suite',
  'code_scanning_alert',
  'commit_comment',
  'create',
  'custom_property',
  'custom_property_values',
  'delete',
  'dependency_alert',
  'dependabot_alert',
  'deploy_key',
  'deployment',
  'deployment_protection_rule',
  'deployment_review',
  'deployment_status',
  'discussion',
  'discussion_comment',
  'fork',
  'app_authorization',
  'github_app_authorization',
  'gollum',
  'installation',
  'installation_repositories',
  'installation_target',
  'issue_comment',
  'issue_dependencies',
  'issues',
  'label',
  'marketplace_purchase',
  'member',
  'membership',
  'merge_group',
  'meta',
  'milestone',
  'org_block',
  'organization',
  'package',
  'page_build',
  'personal_access_token_request',
  'ping',
  'project',
  'project_card',
  'project_column',
  'projects_v2',
  'projects_v2_item',
  'projects_v2_status_update',
  'the service',
  'public',
  'pull_request',
  'pull_request_review',
  'pull_request_review_comment',
  'pull_request_review_thread',
  'push',
  'registry_package',
  'release',
  'repository',
  'repository_advisory',
  'repository_dispatch',
  'repository_import',
  'repository_ruleset',
  'repository_vulnerability_alert',
  'secret_scanning_alert',
  'secret_scanning_alert_location',
  'secret_scanning_scan',
  'security_advisory',
  'security_and_analysis',
  'sponsorship',
  'star',
  'status',
  'sub_issues',
  'team',
  'team_add',
  'watch',
  'workflow_dispatch',
  'workflow_job',
  'workflow_run',
];

/**
 * Parameters that the engine adds to a run started by a webhook. The schema of the workflow's parameters does not apply
 * to them.
 */
export const webhookParams = [
  'WEBHOOK_RECEIVER',
  'WEBHOOK_EVENT',
  'WEBHOOK_ACTION',
  'WEBHOOK_DELIVERY',
  'WEBHOOK_PAYLOAD_FILE',
] as const;

export type WebhookParam = (typeof webhookParams)[number];

export const isWebhookParam = (name: string): boolean => (webhookParams as readonly string[]).includes(name);

/** Authentication schemes of receivers. */
export const receiverSchemes = [
  'platform',
  'standard',
  'bearer',
  'slack',
  'stripe',
  'gitlab',
  'microsoft',
  'basic',
  'header',
] as const;
export type ReceiverScheme = (typeof receiverSchemes)[number];

/** HTTP methods that a receiver can allow. */
export const receiverMethods = ['POST', 'GET', 'PUT', 'PATCH'] as const;
export type ReceiverMethod = (typeof receiverMethods)[number];

const bodySchemes: ReadonlySet<ReceiverScheme> = new Set([
  'platform',
  'standard',
  'slack',
  'stripe',
  'microsoft',
]);

/**
 * Whether a scheme verifies the body. It then cannot verify a GET request, whose payload is the query: with any
 * captured signature of an empty body, the query could be replaced.
 */
export const verifiesBody = (scheme: ReceiverScheme): boolean => bodySchemes.has(scheme);
