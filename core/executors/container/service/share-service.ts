import type { ContainerSpec } from '../../../model/executors/container-shape.ts';
import { openContainerEngine } from '../engine/open-engine.ts';
import { evaluateSpec } from '../settings/evaluate-spec.ts';
import { describeEnded } from '../own/describe-ended.ts';
import { openService, type Service, type ServiceSurroundings } from './service.ts';

/** The container of the workflow in the resources of the run. */
const key = 'container of the workflow';

/**
 * The container that steps of a run share: made when the first of them needs it, removed with the run. Rejects when it
 * cannot be had, and when it has ended meanwhile, since what the steps before did in it would be gone.
 */
export async function shareService(spec: ContainerSpec, around: ServiceSurroundings): Promise<Service> {
  const engine = await openContainerEngine(around);
  const service = await getUnlessStopped(around, async () => {
    const { image, ...evaluated } = await evaluateSpec(spec, around);
    if (image === undefined) throw new Error('The image of the workflow container is empty.');
    const opened = await openService(engine, { ...evaluated, image }, spec, around);
    return { value: opened, close: () => opened.close() };
  });
  const ended = await describeEnded(service.container, around);
  if (ended !== undefined) throw ended;
  return service;
}

/** Another step may have been stopped while it opened the container for all. */
async function getUnlessStopped(
  { resources, task }: ServiceSurroundings,
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
    } catch (thrown) {
      if (isOwn || task.signal.aborted) throw thrown;
    }
  }
}
