/** Where images without a host in their name come from. */
export const defaultRegistry = 'docker.io';

/** The registry an image comes from: the first part of its name when that looks like a host. */
export function findRegistry(image: string): string {
  const slash = image.indexOf('/');
  const first = image.slice(0, slash);
  return slash > 0 && (/[.:]/.test(first) || first === 'localhost') ? first : defaultRegistry;
}

/** An image with the tag that counts when none is given; without one an engine would fetch every tag. */
export function withTag(image: string): string {
  const name = image.slice(image.lastIndexOf('/') + 1);
  return /[:@]/.test(name) ? image : `${image}:latest`;
}
