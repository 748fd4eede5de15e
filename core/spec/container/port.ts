/** A port of a container and where it is published. */
export interface PublishedPort {
  /** `80/tcp`, as the container engine writes it. */
  readonly port: string;
  readonly host: { readonly HostIp?: string; readonly HostPort: string };
}

const form = /^(?:(?:(\[[0-9a-fA-F:]+\]|[0-9.]+):)?([0-9]*):)?([0-9]+)(?:\/(tcp|udp|sctp))?$/;

/**
 * Parses `CONTAINER`, `HOST:CONTAINER` or `ADDRESS:HOST:CONTAINER`, with an optional `/udp`.
 * @throws for anything else
 */
export function readPort(text: string): PublishedPort {
  const match = form.exec(text.trim());
  const [, address, host = '', port = '', protocol = 'tcp'] = match ?? [];
  const isInRange = [host, port].every(
    (number) => number === '' || (Number(number) > 0 && Number(number) < 65_536),
  );
  if (match === null || !isInRange)
    throw new Error(
      `Invalid port "${text}". Use HOST:CONTAINER with numbers from 1 to 65535, such as "8080:80" or "127.0.0.1:8080:80/udp".`,
    );
  return {
    port: `${Number(port)}/${protocol}`,
    host: {
      ...(address === undefined ? {} : { HostIp: address.replace(/^\[(.*)\]$/, '$1') }),
      HostPort: host,
    },
  };
}
