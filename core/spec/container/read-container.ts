import type { JsonValue } from '../../base/json.ts';
import { messageOf } from '../../base/errors.ts';
import { compilePattern, type Pattern } from '../../base/text/pattern.ts';
import type { ContainerSpec } from '../../model/executors/container-shape.ts';
import { restartPolicies, startups } from '../../model/executors/container.ts';
import { readEnv } from '../rules/env.ts';
import type { Report } from '../source/report.ts';
import { findField, fieldOf, textOf, toValue, type SourceRef } from '../source/source-node.ts';
import { readPort } from './port.ts';
import { readPullPolicy } from './pull-policy.ts';
import { splitVolume } from './volume.ts';

/**
 * Reads `container` of a workflow or step that matches the authored schema. Values without references are validated
 * now, the others when the container is created.
 */
export function readContainer(source: SourceRef, report: Report): ContainerSpec {
  const text = (key: string): string | undefined => {
    const field = findField(source, key);
    return field === undefined ? undefined : textOf(field.node).trim() || undefined;
  };
  const spec: ContainerSpec = {
    image: text('image'),
    containerName: text('containerName'),
    pullPolicy: text('pullPolicy'),
    env: readEnv(findField(source, 'env'), report),
    volumes: readTexts(findField(source, 'volumes'), splitVolume, report),
    user: text('user'),
    workingDir: text('workingDir'),
    platform: text('platform'),
    ports: readTexts(findField(source, 'ports'), readPort, report),
    network: text('network'),
    keepContainer: readValue(source, 'keepContainer') === true ? true : undefined,
    startup: startups.find((each) => each === text('startup')),
    command: findField(source, 'command') && readTexts(findField(source, 'command'), undefined, report),
    waitFor: (['running', 'healthy'] as const).find((each) => each === text('waitFor')),
    logPattern: text('logPattern'),
    restartPolicy: restartPolicies.find((each) => each === text('restartPolicy')),
  };
  checkContainer(spec, source, report);
  return spec;
}

const readValue = (source: SourceRef, key: string): JsonValue | undefined => {
  const field = findField(source, key);
  return field && toValue(field.node);
};

const isExpression = (text: string): boolean => /[$`]/.test(text);

function readTexts(
  source: SourceRef | undefined,
  read: ((text: string) => unknown) | undefined,
  report: Report,
): string[] {
  if (source === undefined || source.node.kind !== 'list') return [];
  return source.node.items.map((item, index) => {
    const text = textOf(item);
    if (read !== undefined && !isExpression(text))
      reportIfInvalid(text, read, fieldOf(source, index), report);
    return text;
  });
}

function reportIfInvalid(
  text: string,
  read: (text: string) => unknown,
  source: SourceRef,
  report: Report,
): void {
  try {
    read(text);
  } catch (error) {
    report.error(source, messageOf(error));
  }
}

function checkContainer(spec: ContainerSpec, source: SourceRef, report: Report): void {
  const { pullPolicy, logPattern, startup, command, image } = spec;
  const at = (key: string): SourceRef => fieldOf(source, key);
  if (pullPolicy !== undefined && !isExpression(pullPolicy))
    reportIfInvalid(pullPolicy, readPullPolicy, at('pullPolicy'), report);
  if (logPattern !== undefined && !logPattern.includes('${'))
    reportIfInvalid(logPattern, readLogPattern, at('logPattern'), report);
  const restart = findField(source, 'restartPolicy');
  if (restart !== undefined && spec.restartPolicy === undefined)
    report.error(
      restart,
      `"restartPolicy" must be one of ${restartPolicies.map((each) => `"${each}"`).join(', ')}.`,
    );
  if (startup === 'command' && (command ?? []).length === 0)
    report.error(source, '"startup: command" requires "command". Add the program and its arguments.');
  if (command !== undefined && startup !== 'command')
    report.error(
      at('command'),
      '"command" only has an effect with "startup: command". Add that, or remove "command".',
    );
  if (image === undefined && spec.containerName !== undefined)
    for (const key of madeOnly)
      if (findField(source, key) !== undefined)
        report.error(
          at(key),
          `"${key}" requires "image", because commands otherwise run in an existing container. Add "image", or remove "${key}".`,
        );
}

/** Fields that cannot be changed for an existing container. */
const madeOnly = [
  'pullPolicy',
  'volumes',
  'platform',
  'ports',
  'network',
  'keepContainer',
  'startup',
  'waitFor',
  'logPattern',
  'restartPolicy',
] as const;

/** @throws `bad_request` for an invalid pattern */
export const readLogPattern = (source: string): Pattern => compilePattern(source, { multiline: true });
