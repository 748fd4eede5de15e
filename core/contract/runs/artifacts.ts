import Type, { type Static } from 'typebox';
import { defineOperation } from '../operation.ts';
import { DagName, literals, RunId, Timestamp } from './run-views.ts';

/** A file that a step of a run has kept. */
export const ArtifactView = Type.Object({
  /** As `inputFiles` of steps name it. */
  name: Type.String(),
  bytes: Type.Integer(),
  /** When it was kept. */
  at: Timestamp,
  /** The step that has kept it, by its `outputFiles` and by the time; absent when it may have been another one as well. */
  step: Type.Optional(Type.String()),
  /** With `step`: a handler has kept it. */
  section: Type.Optional(literals(['step', 'handler'])),
  /** With `step`: the attempt. */
  attempt: Type.Optional(Type.Integer()),
});
export type ArtifactView = Static<typeof ArtifactView>;

/** Bytes of a part that are read at once. */
export const longestPart = 1_048_576;

export const artifactOperations = {
  'runs.artifacts': defineOperation({
    summary: 'List the artifacts of a run (`outputFiles`), sorted by name',
    method: 'GET',
    path: '/dag-runs/{name}/{dagRunId}/artifacts',
    input: Type.Object({ name: DagName, dagRunId: RunId }),
    output: Type.Object({
      artifacts: Type.Array(ArtifactView),
      /** Absolute path of their folder on the engine's machine; absent when they are in a bucket, or the run has not started. */
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
      length: Type.Optional(Type.Integer({ minimum: 1, maximum: longestPart })),
    }),
    output: Type.Object({
      /** Of the whole file. */
      size: Type.Integer(),
      /** When it was kept. */
      at: Timestamp,
      /** Another text when the file has been replaced since a part of it was read. */
      mark: Type.String(),
      offset: Type.Integer(),
      /** Base64; empty behind its end. */
      data: Type.String(),
    }),
    errors: ['not_found', 'unavailable'],
    role: 'viewer',
  }),
};
