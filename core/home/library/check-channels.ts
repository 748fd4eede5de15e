import { findNearest } from '../../base/text.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { notificationEventNames } from '../../model/notification.ts';
import { readSource } from '../../spec/read-source.ts';
import { findField, getField, getText, type SourceRef } from '../../spec/source.ts';
import type { SpecFile } from './read-spec.ts';

/** Whether a workflow file names notification channels, also by inheritance from the base configuration. */
export const usesChannels = ({ workflows }: Pick<SpecFile, 'workflows'>): boolean =>
  workflows.some(({ notify }) => notify !== undefined);

/**
 * Warns about channels in `notify` that do not exist. They can be created later, so they are no errors.
 * @param known names of the existing channels
 */
export function checkChannels(
  text: string,
  file: string | undefined,
  known: readonly string[],
): Diagnostic[] {
  const { diagnostics } = readSource({ text, file: file ?? '' }, (documents, report) => {
    for (const node of documents) {
      if (node.kind !== 'map') continue;
      const notify = findField({ node, path: '' }, 'notify');
      for (const source of notify === undefined ? [] : listNames(notify)) {
        const name = getText(source.node).trim();
        if (name !== '' && !known.includes(name)) report.warning(source, formatUnknown(name, known));
      }
    }
  });
  return diagnostics.filter(({ path }) => path.startsWith('notify'));
}

/** Lists the names of `notify`: a name, a list, or a map of events to them. */
function listNames(source: SourceRef): SourceRef[] {
  const { node } = source;
  if (node.kind === 'scalar') return [source];
  if (node.kind === 'list') return [...node.items.keys()].map((index) => getField(source, index));
  return notificationEventNames.flatMap((event) => {
    const channels = findField(source, event);
    return channels === undefined || channels.node.kind === 'map' ? [] : listNames(channels);
  });
}

/** Describes a channel name that does not exist. */
export function formatUnknown(name: string, known: readonly string[]): string {
  const nearest = findNearest(name, known);
  if (nearest !== undefined) return `Unknown channel "${name.slice(0, 64)}". Did you mean "${nearest}"?`;
  const advice =
    known.length === 0
      ? 'Create it under Notifications, or with "engine notify channels create".'
      : `Channels: ${known.slice(0, 10).join(', ')}.`;
  return `Unknown channel "${name.slice(0, 64)}". ${advice}`;
}
