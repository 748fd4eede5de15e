import Type, { type Static } from 'typebox';
import { EnvEntry } from '../workflow/values.ts';
import { restartPolicies, startups } from './container.ts';

/** `container` of a workflow or a step; strings are unexpanded. */
export const ContainerSpec = Type.Object({
  image: Type.Optional(Type.String()),
  containerName: Type.Optional(Type.String()),
  /** One of `pullPolicies`, or an expression. */
  pullPolicy: Type.Optional(Type.String()),
  env: Type.Array(EnvEntry),
  /** `SOURCE:TARGET` or `SOURCE:TARGET:OPTIONS`. */
  volumes: Type.Array(Type.String()),
  user: Type.Optional(Type.String()),
  workingDir: Type.Optional(Type.String()),
  platform: Type.Optional(Type.String()),
  ports: Type.Array(Type.String()),
  network: Type.Optional(Type.String()),
  keepContainer: Type.Optional(Type.Boolean()),
  startup: Type.Optional(Type.Enum([...startups])),
  command: Type.Optional(Type.Array(Type.String())),
  waitFor: Type.Optional(Type.Enum(['running', 'healthy'])),
  /** Regular expression. */
  logPattern: Type.Optional(Type.String()),
  restartPolicy: Type.Optional(Type.Enum([...restartPolicies])),
});
export type ContainerSpec = Static<typeof ContainerSpec>;

/** The container of a container step whose `config` does not set it. */
export const StepContainer = Type.Object({
  /** Whether all steps of the run with this container share it; otherwise the step has its own. */
  isShared: Type.Boolean(),
  spec: ContainerSpec,
});
export type StepContainer = Static<typeof StepContainer>;
