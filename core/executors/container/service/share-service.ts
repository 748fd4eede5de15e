import type { ContainerSpec } from '../../../model/executors/container-shape.ts';
import { openContainerEngine } from '../engine/open-engine.ts';
import { evaluateSpec } from '../settings/evaluate-spec.ts';
import { describeEnded } from '../managed/describe-ended.ts';
import { openService, type Service, type ServiceContext } from './service.ts';

/** Key of the workflow's container in the resources of the run. */
const key = 'container of the workflow';

/**
 * Returns the container that the steps of a run share: created for the first step that needs it, deleted at the end of
 * the run. Rejects if it cannot be created, and if it has ended in the meantime, because the changes of earlier steps
 * would be lost.
 */
export async function shareService(spec: ContainerSpec, context: ServiceContext): Promise<Service> {
  const engine = await openContainerEngine(context);
  const service = await getUnlessAborted(context, async () => {
    const { image, ...evaluated } = await evaluateSpec(spec, context);
    if (image === undefined) throw new Error('The image of the workflow container is empty.');
    const opened = await openService(engine, { ...evaluated, image }, spec, context);
    return { value: opened, close: () => opened.close() };
  });
  const ended = await describeEnded(service.container, context);
  if (ended !== undefined) throw ended;
  return service;
}

/** The step that opened the shared container may have been stopped meanwhile. */
async function getUnlessAborted(
  { resources, task }: ServiceContext,
  open: () => Promise<{ value: Service; close(): Promise<void> }>,
): Promise<Service> {
  let isOwn = false;
  const openHere = (): ReturnType<typeof open> => {
    isOwn = true;
    return open();
  };
  for (;;) {
    try {
      return await resources.get(key, openHere);
    } catch (error) {
      if (isOwn || task.signal.aborted) throw error;
    }
  }
}
