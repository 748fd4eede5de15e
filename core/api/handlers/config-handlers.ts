import { AppError } from '../../base/errors.ts';
import type {
  BaseConfigView,
  ConfigView,
  MailSettingsView,
  SettingView,
  SecretStoreView,
  SecretView,
} from '../../contract/config.ts';
import { editableSettings } from '../../model/editable-settings.ts';
import type { ConfigOrigin } from '../../home/config/config-key.ts';
import { findBaseConfig } from '../../home/config/home.ts';
import {
  formatSetting,
  secretMask,
  type InstallationSetting,
  editMailSettings,
  readMailSettings,
  toSmtp,
  type MailChange,
} from '../../home/config/installation-settings.ts';
import { readBaseText, writeBaseText, type BaseText } from '../../home/library/base-file.ts';
import { readMailPort } from '../../model/workflow-rules.ts';
import { toIso } from '../../base/clock.ts';
import type { LibraryEntry } from '../../home/library/workflow-library.ts';
import type { Workflow } from '../../model/workflow.ts';
import type { SecretStore, StoredSecret } from '../../store/secrets/secret-store.ts';
import type { Channel } from '../../store/types/notifications.ts';
import type { SecretUse } from '../../contract/home-files.ts';
import type { EngineContext } from '../engine-context.ts';
import type { HandlersFor } from './handlers.ts';
import { hasReference } from '../../spec/parse-template.ts';

type ConfigOperation =
  | 'config.get'
  | 'config.set'
  | 'config.mail'
  | 'config.setMail'
  | 'config.testMail'
  | 'config.base'
  | 'config.setBase';

/** Operations on the configuration file and the base configuration. */
export const configHandlers: HandlersFor<ConfigOperation> = {
  'config.get': (_, context) => toConfigView(context),
  'config.set': ({ key, value }, context) => {
    const text = value?.trim();
    context.settings.set(key, text === '' ? undefined : text);
    return toConfigView(context);
  },
  'config.mail': (_, context) => toMailView(context),
  'config.setMail': (change, context) => {
    requireValidMail(change);
    const file = baseFileOf(context);
    const base = readBaseText(file);
    const locked = describeLock(base);
    if (locked !== undefined) throw new AppError('conflict', locked);
    const text = editMailSettings(base.text, change);
    if (text !== base.text) writeBaseText(file, text, base.hash);
    return toMailView(context);
  },
  'config.testMail': ({ to, from, ...change }, context) => {
    requireValidMail({ ...change, from });
    const saved = readBaseText(baseFileOf(context)).config?.smtp?.[0];
    return context.sendTestMail({ server: toSmtp({ ...change, from }, saved), from, to });
  },
  'config.base': (_, context) => toBaseView(context),
  'config.setBase': ({ spec, baseHash }, context) => {
    writeBaseText(baseFileOf(context), spec, baseHash);
    return toBaseView(context);
  },
};

const baseFileOf = ({ paths, config }: EngineContext): string =>
  findBaseConfig(paths.home, config.paths.baseConfig).file;

const toConfigView = ({ settings }: EngineContext): ConfigView => ({
  file: settings.file,
  settings: settings.list().map(toSettingView),
});

function toSettingView(setting: InstallationSetting): SettingView {
  const { path: key, value, defaultValue, isSecret, origin, needsRestart, isRestartPending } = setting;
  return {
    key,
    value: isSecret && value !== undefined ? secretMask : formatSetting(key, value),
    defaultValue: formatSetting(key, defaultValue),
    ...toSource(origin),
    editable: editableSettings.some((editable) => editable === key),
    needsRestart,
    restartPending: isRestartPending,
  };
}

function toSource(origin: ConfigOrigin): Pick<SettingView, 'source' | 'name' | 'line'> {
  if (origin.kind === 'default') return { source: 'default' };
  if (origin.kind === 'file') return { source: 'file', line: origin.line };
  return { source: origin.kind === 'flag' ? 'option' : 'variable', name: origin.name };
}

function toMailView(context: EngineContext): MailSettingsView {
  const file = baseFileOf(context);
  const base = readBaseText(file);
  const password = base.config?.smtp?.[0]?.password ?? '';
  return {
    file,
    ...readMailSettings(base.config),
    hasPassword: password !== '',
    passwordExpression: /^\$(\{\w+\}|\w+)$/.test(password) ? password : undefined,
    locked: describeLock(base),
  };
}

/** Returns why a form cannot change the mail server; undefined if it can. */
function describeLock({ config, diagnostics }: BaseText): string | undefined {
  if (diagnostics.some(({ severity }) => severity === 'error'))
    return 'The base configuration has errors. Fix them first.';
  const servers = config?.smtp?.length ?? 0;
  return servers > 1 ? `The base configuration has ${servers} mail servers. Change them there.` : undefined;
}

/** @throws `bad_request` that names the invalid fields */
function requireValidMail({ host, port, from }: MailChange): void {
  const isWrong = (value: string, isValid: boolean): boolean =>
    value !== '' && !hasReference(value) && !isValid;
  const errors = [
    ...(isWrong(host, !/\s/.test(host))
      ? [{ field: 'host', message: 'Use a host name such as smtp.example.com.' }]
      : []),
    ...(isWrong(port, readMailPort(port) !== undefined)
      ? [{ field: 'port', message: 'Use a number from 1 to 65535.' }]
      : []),
    ...(isWrong(from, /\S@\S/.test(from))
      ? [{ field: 'from', message: 'Use an address such as flows@example.com.' }]
      : []),
  ];
  const [first] = errors;
  if (first !== undefined)
    throw new AppError('bad_request', `${first.field}: ${first.message}`, { details: { errors } });
}

const toBaseView = (context: EngineContext): BaseConfigView => {
  const file = baseFileOf(context);
  const { exists, text, hash, diagnostics } = readBaseText(file);
  const origin = context.settings.list().find(({ path }) => path === 'paths.baseConfig')?.origin;
  const source = origin?.kind === 'file' || origin?.kind === 'variable' ? origin.kind : 'default';
  return {
    file,
    exists,
    source,
    ...(origin?.kind === 'variable' && { name: origin.name }),
    spec: text,
    hash,
    diagnostics: [...diagnostics],
  };
};

type SecretOperation = 'secrets.list' | 'secrets.set' | 'secrets.delete';

/** Operations on stored secrets, which never return a value. */
export const secretHandlers: HandlersFor<SecretOperation> = {
  'secrets.list': async (_input, { library, secrets, notifications }) => {
    const [store, uses] = await Promise.all([secrets.open(), secrets.openUses()]);
    const views = listSecrets(store.list(), {
      entries: await library.listLoaded(),
      channels: await (await notifications()).store.listChannels(),
    });
    return {
      secrets: views.map((view) => ({ ...view, ...showUse(uses.find(view.provider, view.name)) })),
      store: await readStatus(store),
    };
  },
  'secrets.set': async ({ name, value }, { secrets }, caller) =>
    (await secrets.open()).set(name, value, caller.name),
  'secrets.delete': async ({ name }, { secrets }) => (await secrets.open()).delete(name),
};

const showUse = (use: SecretUse | undefined): Pick<SecretView, 'lastUsedAt' | 'lastUsedBy'> =>
  use === undefined ? {} : { lastUsedAt: toIso(use.at), lastUsedBy: use.workflow };

interface SecretUsers {
  readonly entries: readonly LibraryEntry[];
  readonly channels: readonly Channel[];
}

/** Lists the stored secrets and those that workflows and channels name, by name. */
function listSecrets(stored: readonly StoredSecret[], { entries, channels }: SecretUsers): SecretView[] {
  const views = new Map<string, SecretView>();
  for (const secret of stored)
    views.set(`store ${secret.name}`, { ...secret, provider: 'store', usedBy: [], channels: [] });
  for (const { fileName, spec } of entries) {
    for (const workflow of spec.workflows) {
      for (const { name: variable, key, provider } of workflow.secrets ?? []) {
        // Entries of the keychain are moved to the store.
        const isMoved = provider === 'keychain' && views.has(`store ${key}`);
        const id = `${isMoved ? 'store' : provider} ${key}`;
        const view: SecretView = views.get(id) ?? { name: key, provider, usedBy: [], channels: [] };
        const steps = listSteps(workflow, variable);
        views.set(id, {
          ...view,
          usedBy: [...view.usedBy, { fileName, workflow: workflow.name, variable, steps }],
        });
      }
    }
  }
  for (const { owner, channel } of channels) {
    for (const name of Object.values(channel.secrets ?? {})) {
      const view = views.get(`store ${name}`) ?? { name, provider: 'store', usedBy: [], channels: [] };
      views.set(`store ${name}`, { ...view, channels: [...view.channels, owner] });
    }
  }
  return [...views.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Lists the steps and handlers that mention a variable; all steps receive it. */
function listSteps({ steps, handlers }: Workflow, variable: string): string[] {
  const mention = new RegExp(`\\b${variable}\\b`);
  const isNamed = (step: object): boolean => mention.test(JSON.stringify(step));
  return [
    ...steps.filter(isNamed).map(({ name }) => name),
    ...Object.entries(handlers)
      .filter(([, handler]) => isNamed(handler))
      .map(([name]) => name),
  ];
}

async function readStatus(store: SecretStore): Promise<SecretStoreView> {
  const { places, ...status } = await store.status();
  return { ...status, places: [...places] };
}
