/** Default registry of images without a host in their name. */
export const defaultRegistry = 'docker.io';

/** Returns the registry of an image: the first part of its name if it looks like a host. */
export function findRegistry(image: string): string {
  const slash = image.indexOf('/');
  const first = image.slice(0, slash);
  return slash > 0 && (/[.:]/.test(first) || first === 'localhost') ? first : defaultRegistry;
}

/** Adds the default tag to an image without one; otherwise the container engine would pull all tags. */
export function withDefaultTag(image: string): string {
  const name = image.slice(image.lastIndexOf('/') + 1);
  return /[:@]/.test(name) ? image : `${image}:latest`;
}
