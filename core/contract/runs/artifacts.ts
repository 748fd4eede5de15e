import Type, { type Static } from 'typebox';
import { defineOperation } from '../operation.ts';
import { DagName, literals, RunId, Timestamp } from './run-views.ts';

/** An artifact: a file that a step of a run has stored. */
export const ArtifactView = Type.Object({
  /** Name as in `inputFiles` of steps. */
  name: Type.String(),
  bytes: Type.Integer(),
  /** When it was stored. */
  at: Timestamp,
  /** The step that stored it, derived from its `outputFiles` and the time; absent if it is ambiguous. */
  step: Type.Optional(Type.String()),
  /** With `step`: whether a handler stored it. */
  section: Type.Optional(literals(['step', 'handler'])),
  /** With `step`: the attempt. */
  attempt: Type.Optional(Type.Integer()),
});
export type ArtifactView = Static<typeof ArtifactView>;

/** Maximum size of a part in bytes. */
export const maxPartLength = 1_048_576;

export const artifactOperations = {
  'runs.artifacts': defineOperation({
    summary: 'List the artifacts of a run (`outputFiles`), sorted by name',
    method: 'GET',
    path: '/dag-runs/{name}/{dagRunId}/artifacts',
    input: Type.Object({ name: DagName, dagRunId: RunId }),
    output: Type.Object({
      artifacts: Type.Array(ArtifactView),
      /**
       * Absolute path of the folder on the engine's machine; absent if artifacts are in a bucket or the run has not
       * started.
       */
      folder: Type.Optional(Type.String()),
    }),
    errors: ['not_found', 'unavailable'],
    role: 'viewer',
  }),
  'runs.artifactBytes': defineOperation({
    summary: 'Read a byte range of an artifact',
    method: 'GET',
    path: '/dag-runs/{name}/{dagRunId}/artifact-bytes',
    input: Type.Object({
      name: DagName,
      dagRunId: RunId,
      artifact: Type.String({
        minLength: 1,
        maxLength: 1024,
        description: 'Artifact name, as returned by `runs.artifacts`',
      }),
      offset: Type.Optional(Type.Integer({ minimum: 0 })),
      length: Type.Optional(Type.Integer({ minimum: 1, maximum: maxPartLength })),
    }),
    output: Type.Object({
      /** Size of the whole file in bytes. */
      size: Type.Integer(),
      /** When it was stored. */
      at: Timestamp,
      /** Changes if the file is replaced between two reads. */
      mark: Type.String(),
      offset: Type.Integer(),
      /** Base64; empty after the end. */
      data: Type.String(),
    }),
    errors: ['not_found', 'unavailable'],
    role: 'viewer',
  }),
};
