import { useFocusTrap, useWindowEvent } from '@mantine/hooks';
import { IconMaximize, IconMinimize } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { RowButton } from '../../../components/small.tsx';
import classes from './content-form.module.css';

const focusText = (frame: HTMLElement | null): void =>
  frame?.querySelector<HTMLElement>('[contenteditable=true]')?.focus({ preventScroll: true });

interface FullScreenProps {
  readonly label: string;
  /** The parts, given the button that switches to full screen and back. */
  readonly children: (button: ReactNode) => ReactNode;
}

/**
 * Shows an editor over the whole page on request. Escape and the button lead back; the text keeps the focus, the
 * selection and its history.
 */
export const FullScreen = ({ label, children }: FullScreenProps) => {
  const [isFull, setIsFull] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const trap = useFocusTrap(isFull);
  const set = (next: boolean) => {
    setIsFull(next);
    focusText(frame.current);
  };
  useWindowEvent('keydown', (event) => {
    if (!isFull || !frame.current?.contains(document.activeElement)) return;
    // The search of the editor prevents the default when Escape closes it.
    if (event.key === 'Escape' && !event.defaultPrevented) set(false);
    // The dialog that this opens takes the focus.
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) setIsFull(false);
  });
  const Icon = isFull ? IconMinimize : IconMaximize;
  return (
    <div
      ref={(element) => {
        frame.current = element;
        trap(element);
      }}
      className={classes.frame}
      data-full={isFull || undefined}
      {...(isFull && { role: 'dialog', 'aria-modal': true, 'aria-label': `${label} in full screen` })}
    >
      {children(
        <RowButton
          leftSection={<Icon size={14} aria-hidden />}
          onClick={() => set(!isFull)}
          title={isFull ? 'Esc' : undefined}
        >
          {isFull ? 'Leave full screen' : 'Full screen'}
        </RowButton>,
      )}
    </div>
  );
};
