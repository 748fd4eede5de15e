import type { HookKind } from '../../../../core/contract/webhooks/events.ts';
import type { HookOptions, HookView } from '../../../../core/contract/webhooks/hook-views.ts';

/** Where an app is installed, as it is typed. */
export interface InstallationForm {
  readonly id: number;
  readonly account: string;
  /** Full names with commas or blanks between them; empty for all of the account. */
  readonly repositories: string;
}

/** What an app is asked besides. */
export interface AppForm {
  readonly permissions: Readonly<Record<string, 'read' | 'write'>>;
  readonly installations: readonly InstallationForm[];
}

/** What the form of a webhook holds; numbers as they are typed. */
export interface HookForm extends AppForm {
  readonly kind: HookKind;
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

/** Whose events are those of this home, by kind, and how an owner is named. */
export const owners: Readonly<Record<HookKind, { readonly own: string; readonly help: string }>> = {
  repository: { own: 'local/workflows', help: 'owner/name. Use local/workflows for this home.' },
  organization: { own: 'local', help: 'Use local for this home.' },
  enterprise: { own: 'local', help: 'Use local for this installation.' },
  app: { own: '', help: 'Any name, such as deploy-helper.' },
  marketplace: { own: '', help: 'Listing name.' },
  sponsored: { own: '', help: 'Sponsored account.' },
};

/** A webhook that is told of everything that happens here. */
export const emptyHook: HookForm = {
  kind: 'repository',
  owner: owners.repository.own,
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

/** The form of a webhook that there is. */
export const hookOf = ({ options, ...hook }: HookView): HookForm => ({
  kind: hook.kind,
  owner: hook.owner,
  url: hook.url,
  format: hook.format,
  secret: '',
  events: hook.events,
  active: hook.active,
  verifyTls: hook.verifyTls,
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

/** Whether a limit, as it is typed, is a number or none; the engine judges how large it may be. */
export const isRate = (perSecond: string): boolean => /^(\d+(\.\d+)?)?$/.test(perSecond.trim());

/** What the engine is asked for. @param options those of before: what the form does not show stays */
export function wishOf(form: HookForm, options: HookOptions = {}) {
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
    options: optionsOf(form, options),
  };
}

function optionsOf(form: HookForm, before: HookOptions): HookOptions {
  const { waits, perSecond: _, permissions: __, installations: ___, ...kept } = before;
  const { allowPrivate, githubHeaders, ordered, retry, perSecond } = form;
  const shownWaits = retry ? (waits?.length === 0 ? undefined : waits) : [];
  return {
    ...kept,
    allowPrivate,
    githubHeaders,
    ordered,
    ...(shownWaits !== undefined && { waits: shownWaits }),
    ...(perSecond.trim() !== '' && { perSecond: Number(perSecond) }),
    ...(form.kind === 'app' && appOptionsOf(form)),
  };
}

/** An app that is installed nowhere in particular is installed everywhere. */
function appOptionsOf({ permissions, installations }: AppForm): HookOptions {
  const named = installations.map(({ id, account, repositories }) => {
    const names = repositories.split(/[\s,]+/).filter((name) => name !== '');
    return { id, account: account.trim(), ...(names.length > 0 && { repositories: names }) };
  });
  return { permissions: { ...permissions }, ...(named.length > 0 && { installations: named }) };
}
