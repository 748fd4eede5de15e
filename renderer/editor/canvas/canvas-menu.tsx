import { useRef } from 'react';
import { Menu, MenuItem, MenuSection, Popover, Separator } from 'react-aria-components';
import type { Point } from '../../graph/compute-layout.ts';
import { nodeId } from '../../graph/build-graph.ts';
import overlay from '../../ui/overlay.module.css';
import { useCanvasActions } from './canvas-actions.ts';
import { shownKeyOf } from './canvas-keys.ts';
import type { CanvasGraph } from './canvas-graph.ts';
import { useCanvasStore, type MenuTarget } from './canvas-store.ts';
import styles from './overlays.module.css';
import { useDrillDown } from './drill-down.tsx';
import { edgeMenu, nodeMenu, paneMenu, type MenuSection as Section } from './menu-items.ts';

interface CanvasMenuProps {
  readonly graph: CanvasGraph;
  readonly subject: MenuTarget;
  readonly at: Point;
  readonly onClose: () => void;
}

/** The context menu of a node, a line or the empty canvas. */
export function CanvasMenu({ graph, subject, at, onClose }: CanvasMenuProps) {
  const anchor = useRef<HTMLSpanElement>(null);
  const sections = useSections(graph, subject, at);
  const items = sections.flat();
  return (
    <>
      <span ref={anchor} className={styles.anchor} style={{ left: at.x, top: at.y }} />
      <Popover
        isOpen
        aria-label="Actions"
        triggerRef={anchor}
        className={overlay.popover ?? ''}
        // Next to the pointer, moved up as far as needed to fit.
        placement="right top"
        offset={2}
        onOpenChange={(open) => !open && onClose()}
      >
        <Menu
          aria-label="Actions"
          autoFocus="first"
          className={`${overlay.menu} ${styles.menu}`}
          onClose={onClose}
          onAction={(id) => {
            onClose();
            items.find((item) => item.id === id)?.run();
          }}
        >
          {sections.map((section, index) => (
            <MenuSection key={section[0]?.id} aria-label={section[0]?.label ?? ''}>
              {index > 0 && <Separator className={styles.rule ?? ''} />}
              {section.map(({ id, label, icon: Icon, command }) => (
                <MenuItem key={id} id={id} textValue={label} className={overlay.menuItem ?? ''}>
                  <Icon size={16} aria-hidden="true" />
                  {label}
                  {command && <kbd className={overlay.menuKey}>{shownKeyOf(command)}</kbd>}
                </MenuItem>
              ))}
            </MenuSection>
          ))}
        </Menu>
      </Popover>
    </>
  );
}

function useSections(graph: CanvasGraph, subject: MenuTarget, at: Point): readonly Section[] {
  const store = useCanvasStore();
  const actions = useCanvasActions();
  const { findWay } = useDrillDown();
  const ports = {
    actions,
    openPicker: (target: object) =>
      store.setState({ overlay: { kind: 'picker', target: { ...target, at } } }),
  };
  if (subject.kind === 'edge') return edgeMenu(subject.edge, ports);
  if (subject.kind === 'pane') return paneMenu(subject.position, ports);
  const { ref } = subject;
  const node = graph.byId.get(nodeId(ref.section, ref.name));
  if (!node) return [];
  const sources = node.depends.flatMap((name) => graph.byId.get(nodeId('step', name)) ?? []);
  const ways = { sources: graph.type === 'chain' ? [] : sources, enter: findWay(node) };
  return nodeMenu(node, store.getState().selected.size, ways, ports);
}
