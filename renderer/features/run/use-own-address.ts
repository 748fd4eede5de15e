import { useEffect } from 'react';
import { useLocation } from 'wouter';
import type { RunRef } from '../../../core/model/run/run.ts';
import { paths } from '../../app/paths.ts';

/** Redirects an address with the id `latest` to the resolved run, because `latest` may soon be another one. */
export function useCanonicalRunUrl(requested: RunRef, resolved: RunRef | undefined): void {
  const [, navigate] = useLocation();
  const { name } = requested;
  const foundId = resolved?.dagRunId;
  const isOther = foundId !== undefined && foundId !== requested.dagRunId;
  useEffect(() => {
    if (isOther) navigate(paths.run(name, foundId), { replace: true });
  }, [isOther, name, foundId, navigate]);
}
