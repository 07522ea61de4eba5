import { Button } from '@mantine/core';
import { formByNeed } from '../../../components/by-need.tsx';
import { openDialog } from '../../../components/dialogs/dialog.tsx';
import { useProtection } from './protected-labels.ts';
import type { RollBackProps } from './roll-back-form.tsx';

const RollBackForm = formByNeed('roll-back', () => import('./roll-back-form.tsx'));

interface BackButtonProps extends RollBackProps {
  /** Whether it is what should happen next. @default false */
  readonly isUrgent?: boolean;
}

/** Points a label back to where it was before its last move, for operators who may. */
export const BackButton = ({ isUrgent = false, ...move }: BackButtonProps) => {
  const { label, from } = move;
  if (!useProtection().mayMove(label)) return null;
  const open = () =>
    openDialog({
      title: `Back to ${from}: the label “${label}”`,
      size: '56rem',
      content: <RollBackForm {...move} />,
    });
  return (
    <Button
      size={isUrgent ? 'xs' : 'compact-xs'}
      {...(isUrgent ? { color: 'brick' } : { variant: 'subtle' })}
      onClick={open}
      aria-label={`Back to ${from}: ${label}`}
      style={{ flexShrink: 0 }}
    >
      Back to {from}
    </Button>
  );
};
