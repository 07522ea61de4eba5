import { IconCircle, IconCircleCheck } from '@tabler/icons-react';

export const StepIcon = ({ isDone }: { isDone: boolean }) => {
  const Icon = isDone ? IconCircleCheck : IconCircle;
  return (
    <Icon
      size={18}
      role="img"
      aria-label={isDone ? 'Done' : 'To do'}
      color={isDone ? 'var(--mantine-color-spruce-text)' : 'var(--mantine-color-dimmed)'}
      style={{ flexShrink: 0 }}
    />
  );
};
