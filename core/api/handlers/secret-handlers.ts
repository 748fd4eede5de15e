import { toIso } from '../../base/clock.ts';
import type { SecretStoreView, SecretView } from '../../contract/secrets.ts';
import type { LibraryEntry } from '../../home/library/workflow-library.ts';
import type { Workflow } from '../../model/workflow.ts';
import type { SecretStore, StoredSecret } from '../../store/secrets/secret-store.ts';
import type { Channel } from '../../store/types/notifications.ts';
import type { SecretUse } from '../../store/secrets/secret-uses.ts';
import type { HandlersFor } from './handlers.ts';

type SecretOperation = 'secrets.list' | 'secrets.set' | 'secrets.delete';

/** Operations on stored secrets, which never return a value. */
export const secretHandlers: HandlersFor<SecretOperation> = {
  'secrets.list': async (_input, { library, secrets, notifications }) => {
    const [store, uses] = await Promise.all([secrets.open(), secrets.openUses()]);
    const views = listSecrets(store.list(), {
      entries: await library.listLoaded(),
      channels: (await notifications()).store.listChannels(),
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
