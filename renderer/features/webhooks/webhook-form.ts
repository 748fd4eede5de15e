import type { WebhookKind, HookOptions, HookView } from '../../../core/contract/webhook-views.ts';

/** Returns an address without its scheme, for lists. */
export const shortenUrl = (url: string): string => url.replace(/^https?:\/\//, '').replace(/\/$/, '');

/** An installation of an app, as typed. */
export interface InstallationForm {
  readonly id: number;
  readonly account: string;
  /** Full names separated by commas or spaces; empty for all of the account. */
  readonly repositories: string;
}

/** Additional fields of an app. */
export interface AppForm {
  readonly permissions: Readonly<Record<string, 'read' | 'write'>>;
  readonly installations: readonly InstallationForm[];
}

/** Form state of a webhook; numbers as typed. */
export interface WebhookForm extends AppForm {
  readonly kind: WebhookKind;
  readonly owner: string;
  readonly url: string;
  readonly format: HookView['format'];
  readonly secret: string;
  readonly events: readonly string[];
  readonly active: boolean;
  readonly verifyTls: boolean;
  readonly allowPrivate: boolean;
  readonly githubHeaders: boolean;
  readonly ordered: boolean;
  readonly retry: boolean;
  readonly perSecond: string;
}

/** The owner whose events come from this home directory, and the label of an owner, by kind. */
export const ownerOptions: Readonly<
  Record<WebhookKind, { readonly localOwner: string; readonly help: string }>
> = {
  repository: { localOwner: 'local/workflows', help: 'owner/name. Use local/workflows for this home.' },
  organization: { localOwner: 'local', help: 'Use local for this home.' },
  enterprise: { localOwner: 'local', help: 'Use local for this installation.' },
  app: { localOwner: '', help: 'Any name, such as deploy-helper.' },
  marketplace: { localOwner: '', help: 'Listing name' },
  sponsored: { localOwner: '', help: 'Sponsored account' },
};

/** A new webhook that receives all events. */
export const emptyWebhook: WebhookForm = {
  kind: 'repository',
  owner: ownerOptions.repository.localOwner,
  url: '',
  format: 'json',
  secret: '',
  events: ['*'],
  active: true,
  verifyTls: true,
  allowPrivate: false,
  githubHeaders: false,
  ordered: false,
  retry: true,
  perSecond: '',
  permissions: {},
  installations: [],
};

/** Returns the form state of an existing webhook. */
export const toWebhookForm = ({ options, ...webhook }: HookView): WebhookForm => ({
  kind: webhook.kind,
  owner: webhook.owner,
  url: webhook.url,
  format: webhook.format,
  secret: '',
  events: webhook.events,
  active: webhook.active,
  verifyTls: webhook.verifyTls,
  allowPrivate: options.allowPrivate ?? false,
  githubHeaders: options.githubHeaders ?? false,
  ordered: options.ordered ?? false,
  retry: options.waits === undefined || options.waits.length > 0,
  perSecond: options.perSecond === undefined ? '' : String(options.perSecond),
  permissions: options.permissions ?? {},
  installations: (options.installations ?? []).map(({ id, account, repositories = [] }) => ({
    id,
    account,
    repositories: repositories.join(', '),
  })),
});

/** Whether a typed rate limit is a number or empty; the engine validates its range. */
export const isRate = (perSecond: string): boolean => /^(\d+(\.\d+)?)?$/.test(perSecond.trim());

/**
 * Builds the API request. @param options the previous options; those that the form does not show are retained
 */
export function toWebhookRequest(form: WebhookForm, options: HookOptions = {}) {
  const { kind, owner, url, format, secret, events, active, verifyTls } = form;
  return {
    kind,
    owner: owner.trim(),
    url: url.trim(),
    format,
    secret,
    events: [...events],
    active,
    verifyTls,
    options: getOptions(form, options),
  };
}

function getOptions(form: WebhookForm, before: HookOptions): HookOptions {
  const { waits, perSecond: _, permissions: __, installations: ___, ...otherOptions } = before;
  const { allowPrivate, githubHeaders, ordered, retry, perSecond } = form;
  const shownWaits = retry ? (waits?.length === 0 ? undefined : waits) : [];
  return {
    ...otherOptions,
    allowPrivate,
    githubHeaders,
    ordered,
    ...(shownWaits !== undefined && { waits: shownWaits }),
    ...(perSecond.trim() !== '' && { perSecond: Number(perSecond) }),
    ...(form.kind === 'app' && getAppOptions(form)),
  };
}

/** Builds the options of an app. An app without installations is installed everywhere. */
function getAppOptions({ permissions, installations }: AppForm): HookOptions {
  const named = installations.map(({ id, account, repositories }) => {
    const names = repositories.split(/[\s,]+/).filter((name) => name !== '');
    return { id, account: account.trim(), ...(names.length > 0 && { repositories: names }) };
  });
  return { permissions: { ...permissions }, ...(named.length > 0 && { installations: named }) };
}
