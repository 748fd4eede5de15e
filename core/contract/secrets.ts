import Type, { type Static } from 'typebox';
import { secretNamePattern } from '../base/ids.ts';
import { defineOperation } from './operation.ts';
import { literals, Timestamp } from './run-views.ts';

/** A secret that is stored or that a workflow names. The API never returns its value. */
export const SecretView = Type.Object({
  name: Type.String({ description: 'Name in the store, or the key at another provider' }),
  provider: Type.String(),
  changedAt: Type.Optional(Timestamp),
  changedBy: Type.Optional(Type.String({ description: 'Who stored the value' })),
  lastUsedAt: Type.Optional(Timestamp),
  lastUsedBy: Type.Optional(
    Type.String({ description: 'Workflow of the last run that used the secret, or `channel NAME`' }),
  ),
  usedBy: Type.Array(
    Type.Object({
      fileName: Type.String(),
      workflow: Type.String({ description: 'Workflow name' }),
      variable: Type.String({ description: 'Environment variable with the value' }),
      steps: Type.Array(Type.String(), { description: 'Steps and handlers that mention the variable' }),
    }),
    { description: 'Workflows that name the secret' },
  ),
  channels: Type.Array(Type.String(), { description: 'Notification channels that name the secret' }),
});
export type SecretView = Static<typeof SecretView>;

/** A stored secret without its value. */
const StoredSecretView = Type.Object({
  name: Type.String(),
  changedAt: Timestamp,
  changedBy: Type.Optional(Type.String({ description: 'Who stored the value' })),
});

/** Whether this host can open the secret store. */
export const SecretStoreView = Type.Object({
  state: literals(['empty', 'open', 'locked'], { description: '`locked`: this host does not have the key' }),
  places: Type.Array(Type.String(), { description: 'Where the keys are' }),
  problem: Type.Optional(Type.String({ description: 'Why the store is locked, and what to do' })),
  isWeak: Type.Boolean({ description: 'Whether other programs of the user could read the key' }),
});
export type SecretStoreView = Static<typeof SecretStoreView>;

const name = Type.String({ pattern: secretNamePattern, description: 'Name of the secret' });

export const secretOperations = {
  'secrets.list': defineOperation({
    summary: 'List secrets by name (without values)',
    method: 'GET',
    path: '/secrets',
    input: Type.Object({}),
    output: Type.Object({ secrets: Type.Array(SecretView), store: SecretStoreView }),
    errors: ['home_unusable'],
    role: 'manager',
    label: 'see secrets',
  }),
  'secrets.set': defineOperation({
    summary: 'Store a secret or replace its value',
    method: 'PUT',
    path: '/secrets/{name}',
    input: Type.Object({
      name,
      value: Type.String({ minLength: 1, maxLength: 65_536, description: 'Never returned' }),
    }),
    output: Type.Object({
      ...StoredSecretView.properties,
      isNew: Type.Boolean({ description: '`false`: a value was replaced' }),
      keyPlace: Type.Optional(
        Type.String({ description: 'Where the key of the store is, when this was the first secret' }),
      ),
    }),
    errors: ['unavailable', 'home_unusable', 'storage_full'],
    role: 'manager',
    label: 'store a secret',
    audit: 'resource',
  }),
  'secrets.delete': defineOperation({
    summary: 'Delete a stored secret',
    method: 'DELETE',
    path: '/secrets/{name}',
    input: Type.Object({ name }),
    output: StoredSecretView,
    errors: ['not_found', 'home_unusable', 'storage_full'],
    role: 'manager',
    label: 'delete a secret',
    audit: 'resource',
  }),
};
