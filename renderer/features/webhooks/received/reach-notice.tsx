import { useBridge } from '../../../api/bridge.ts';
import { useDesktopChange, useDesktopQuery } from '../../../api/queries/desktop/desktop-system-queries.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/state/notice.tsx';

/**
 * How to make a receiver's address reachable from the desktop app, which opens no port itself. In a browser
 * there is a server that accepts requests.
 */
export function ReceiverReachabilityNotice() {
  const { desktop } = useBridge();
  return desktop === undefined ? null : <DesktopNotice />;
}

function DesktopNotice() {
  const service = useDesktopQuery('service.status').data;
  const change = useDesktopChange('service.change', 'service.status');
  if (service === undefined || service.running) return null;
  return (
    <Notice
      tone="warning"
      action={
        <Button
          size="small"
          isPending={change.isPending}
          unavailable={service.installed ? undefined : service.problem}
          onPress={() => change.mutate({ action: service.installed ? 'start' : 'install' })}
        >
          Run as a service
        </Button>
      }
    >
      The desktop app does not listen on a port. To receive requests, run the engine as a service or start{' '}
      <code>engine start-all</code>.
    </Notice>
  );
}
